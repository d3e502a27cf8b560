"""A world model in C against the walls: what `native_attacks.c` does when it is told to, from inside the search.

The object that it becomes is built by `run.py`, and mapped like that of any model in C.
"""

from kit import Attack

_SETUP = """
from native_library import library

def number():
    f = sys._getframe()
    while f is not None:
        n = f.f_locals.get('number')
        if isinstance(n, int) and n > 1000:
            return n
        f = f.f_back
    return 1

def native(P, name, function, *args):
    given = (ctypes.c_long * 8)(P['parent'], P['victim'], P['victim_address'], P['tcp'], number())
    library.attack_choose(name.encode(), P['secret_file'].encode(), P['new'].encode(), given)
    state = ctypes.create_string_buffer(4096)
    code = getattr(library, function)(state, *args)
    library.attack_outcome.restype = ctypes.c_long
    return {"code": code, "said": state.raw.decode('latin-1').rstrip('\\0'), **got(library.attack_outcome())}
"""


def _attack(family: str, name: str, control: bool = False, seconds: float = 2.0) -> Attack:
    body = f"return native(P, {name!r}, 'native_initial_state')"
    return Attack(f"native: {family}", name, body, control=control, seconds=seconds, setup=_SETUP, native=True)


def _search(name: str, seconds: float = 1.0) -> Attack:
    """An attack on the search that calls the model, with a tree of 1 MB."""
    body = f"""
    native(P, {name!r}, 'native_initial_state')
    state, memory = ctypes.create_string_buffer(4096), ctypes.create_string_buffer(1 << 20)
    rows, found = ctypes.create_string_buffer(1 << 16), (ctypes.c_int64 * 4)()
    options = ctypes.create_string_buffer(struct.pack('QddqiiiiiiQ', 1000, 0.0, 2.0, 1 << 60, 1, 1, 0, 0, 0, 0, 1))
    return library.native_uct(state, options, memory, ctypes.c_uint64(1 << 20), rows, found)"""
    return Attack("native: search", name, body, seconds=seconds, setup=_SETUP + "\nimport struct\n", native=True)


def _text(name: str) -> Attack:
    """An attack on whoever reads a model's text."""
    body = f"""
    native(P, {name!r}, 'native_initial_state')
    state, room = ctypes.create_string_buffer(4096), ctypes.create_string_buffer(1 << 12)
    class Text(ctypes.Structure):
        _fields_ = [('bytes', ctypes.c_void_p), ('capacity', ctypes.c_int64), ('length', ctypes.c_int64)]
    text = Text(ctypes.addressof(room), 1 << 12, 0)
    code = library.native_action_name(state, 0, ctypes.byref(text))
    library.native_observation(state, 0, ctypes.byref(text))
    return [code, text.length, room.raw.decode('latin-1')]"""
    return Attack("native: text", name, body, seconds=1.0, setup=_SETUP, native=True)


ATTACKS = [
    _attack("files", "open", control=True),
    _attack("files", "openat", control=True),
    _attack("files", "open by int 0x80"),
    _attack("files", "open by x32"),
    _attack("files", "open by bytes among constants", control=True),
    _attack("files", "create", control=True),
    _attack("files", "mkdir", control=True),
    _attack("files", "unlink", control=True),
    _attack("files", "truncate", control=True),
    _attack("files", "rename", control=True),
    _attack("secrets", "inherited descriptors"),
    _attack("secrets", "another's memory", control=True),
    _attack("secrets", "ptrace"),
    _attack("processes", "kill the parent"),
    _attack("processes", "kill the neighbour", control=True),
    _attack("processes", "kill all"),
    _attack("processes", "fork", control=True),
    _attack("processes", "vfork"),
    _attack("processes", "clone", control=True),
    _attack("processes", "thread"),
    _attack("processes", "exec", control=True),
    _attack("network", "connect", control=True),
    _attack("kernel", "become root"),
    _attack("kernel", "loosen the filter"),
    _attack("kernel", "executable memory", control=True),
    _attack("kernel", "code made writable", control=True),
    _attack("kernel", "data made executable", control=True),
    _attack("kernel", "a process key"),
    _attack("kernel", "io_uring"),
    _attack("kernel", "memfd", control=True),
    _attack("kernel", "bpf"),
    _attack("jumps", "jump into constants"),
    _attack("jumps", "jump into variables"),
    _attack("jumps", "jump into the stack"),
    _attack("jumps", "jump into the state"),
    _attack("jumps", "jump to nowhere"),
    _attack("jumps", "wild return"),
    _attack("memory", "write into code"),
    _attack("memory", "write into constants"),
    _attack("memory", "write everywhere upwards"),
    _attack("memory", "write everywhere downwards"),
    _attack("memory", "write past the state"),
    _attack("memory", "write before the state"),
    _attack("memory", "smash the stack"),
    _attack("memory", "read nowhere"),
    _attack("memory", "divide by zero"),
    _attack("memory", "trap"),
    _attack("resources", "endless loop", seconds=0.5),
    _attack("resources", "endless recursion"),
    _attack("resources", "a stack of a gigabyte"),
    _attack("resources", "all memory", seconds=3.0),
    _attack("protocol", "exit"),
    _attack("protocol", "close the channel"),
    _attack("protocol", "junk on the channel"),
    _attack("protocol", "flood"),
    _attack("protocol", "a guessed number"),
    _search("no actions"),
    _search("a billion actions"),
    _search("actions past the buffer"),
    _search("wild action"),
    _search("a player of a billion"),
    _search("chance for ever", 0.5),
    _search("no chance"),
    _search("infinite returns", 0.5),
    _search("a game without end", 0.5),
    _text("an endless name"),
    _text("a text elsewhere"),
    _text("a text of a terabyte"),
    _text("deep JSON"),
    _text("terminal escapes"),
    Attack(
        "forged reply",
        "write the reply in C",
        "native(P, 'forge', 'native_initial_state')",
        setup=_SETUP,
        native=True,
    ),
]  # fmt: skip
