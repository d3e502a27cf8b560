"""What a worker can send or break, and the one thing that it can do: answer what it likes."""

from kit import Attack


def _say(name: str, body: str, seconds: float = 1.0, setup: str = "") -> Attack:
    return Attack("protocol", name, body, seconds=seconds, setup=setup)


def _raise(name: str, body: str, seconds: float = 1.0) -> Attack:
    return Attack("protocol: errors", name, body, seconds=seconds)


_FRAME = """
import struct
def frame(body):
    return struct.pack('>I', len(body)) + body
def say(data):
    while data:
        data = data[os.write(3, data):]
def number():
    f = sys._getframe()
    while f is not None:
        n = f.f_locals.get('number')
        if isinstance(n, int) and n > 1000:
            return n
        f = f.f_back
"""
_PICKLE = "b\"cos\\nsystem\\n(S'touch \" + P['new'].encode() + b\"'\\ntR.\""

# A body that knows the request's number, so that only what it says about the value can stop it.
_ANSWER = "say(frame(b'{\"id\":%d,\"value\":' % number() + BODY + b'}'))\nos._exit(0)"


def _answer(name: str, body: str) -> Attack:
    return _say(name, _ANSWER.replace("BODY", body), setup=_FRAME)


ATTACKS = [
    _say(
        "junk on stdout and stderr",
        "os.write(1, b'junk' * 1000); os.write(2, b'junk'); print('junk')",
    ),
    _say("junk on the channel", "os.write(3, b'junk' * 100)"),
    _say(
        "junk on the channel after the reply",
        """
        class Late(dict):
            pass
        os.write(3, b'x')
        return 1""",
    ),
    _say("exit 0", "os._exit(0)"),
    _say("exit 137", "os._exit(137)"),
    _say("crash", "ctypes.string_at(1)"),
    _say("abort", "libc.abort()"),
    _say("close the channel", "os.close(3)"),
    _say("close the channel and go on", "os.close(3)\nwhile True: pass"),
    _say("close everything", "os.closerange(0, 100)"),
    _say("flood", "while True: os.write(3, b'x' * 65536)"),
    _say("flood of frames", "while True: say(frame(b'{}'))", setup=_FRAME),
    _say(
        "flood of one endless frame",
        "say(struct.pack('>I', 1000000))\nwhile True: say(b' ' * 4096)",
        setup=_FRAME,
    ),
    _say(
        "dribble",
        "say(struct.pack('>I', 1000))\nwhile True:\n    say(b' ')\n    time.sleep(0.01)",
        0.3,
        _FRAME,
    ),
    _say("half a header", "os.write(3, b'\\0\\0')\ntime.sleep(60)", 0.3),
    _say("length of 4 GB", "os.write(3, b'\\xff' * 4)\ntime.sleep(60)", setup=_FRAME),
    _say("empty frame", "say(frame(b''))", setup=_FRAME),
    _say("not JSON", "say(frame(b'hello'))\nos._exit(0)", setup=_FRAME),
    _say("an array", "say(frame(b'[1]'))\nos._exit(0)", setup=_FRAME),
    _say("no number", "say(frame(b'{\"value\":8}'))\nos._exit(0)", setup=_FRAME),
    _say("a guessed number", 'say(frame(b\'{"id":1,"value":8}\'))\nos._exit(0)', setup=_FRAME),
    _say(
        "a reply for the next call",
        'say(frame(b\'{"id":%d,"value":8}\' % (number() + 1)))',
        setup=_FRAME,
    ),
    _say(
        "the same reply twice",
        'say(frame(b\'{"id":%d,"value":null}\' % number()) * 2)',
        setup=_FRAME,
    ),
    _say(
        "a value and an error",
        'say(frame(b\'{"id":%d,"value":8,"error":3}\' % number()))\nos._exit(0)',
        setup=_FRAME,
    ),
    _say(
        "an error of wrong types",
        'say(frame(b\'{"id":%d,"error":{"type":[1],"message":{},"lines":[1,{}]}}\' % number()))\nos._exit(0)',
        setup=_FRAME,
    ),
    _say(
        "an error with control characters",
        """
        say(frame(b'{"id":%d,"error":{"type":"\\\\u001b[2J","message":"\\\\u001b]0;x\\\\u0007\\\\u202e\\\\ud800","lines":["\\\\u009b"]}}' % number()))
        os._exit(0)""",
        setup=_FRAME,
    ),
    _say(
        "an error of 100000 lines",
        'say(frame(b\'{"id":%d,"error":{"type":"x","message":"\' % number() + b\'y\' * 300000'
        ' + b\'","lines":[\' + b\'"z",\' * 100000 + b\'"z"]}}\'))\nos._exit(0)',
        setup=_FRAME,
    ),
    _say("pickle", "say(frame(" + _PICKLE + "))\nos._exit(0)", setup=_FRAME),
    _answer("pickle in a string", "b'\"' + (" + _PICKLE + ").hex().encode() + b'\"'"),
    _answer("deep JSON", "b'[' * 100000 + b']' * 100000"),
    _answer("fairly deep JSON", "b'[' * 500 + b']' * 500"),
    _answer("deep JSON objects", "b'{\"a\":' * 50000 + b'1' + b'}' * 50000"),
    _answer("an integer of a million digits", "b'9' * 1000000"),
    _answer("NaN", "b'NaN'"),
    _answer("Infinity", "b'[-Infinity]'"),
    _answer("1e999", "b'[1e999]'"),
    _answer("a float of 400 digits", "b'1' * 400 + b'.5'"),
    _answer("an infinity in pieces", "b'9' * 250 + b'e99'"),
    _answer("a lone surrogate", "b'\"\\\\ud800\"'"),
    _answer("invalid UTF-8", "b'\"\\xff\\xfe\"'"),
    _answer("UTF-16", "'\"x\"'.encode('utf-16')"),
    _say("reply of 100 MB", "return 'x' * 10 ** 8"),
    _say("reply that contains itself", "x = []; x.append(x); return x"),
    _say(
        "reply of an evil type",
        """
        class Evil(str):
            def __str__(self): raise SystemExit
            __repr__ = __len__ = __iter__ = __getitem__ = encode = __str__
        return {Evil('a'): [Evil('b')]}""",
    ),
    _say(
        "reply that raises",
        """
        class Evil(dict):
            def items(self): raise KeyboardInterrupt
        return Evil(a=1)""",
    ),
    _say(
        "json replaced",
        """
        import json
        json.dumps = json.JSONEncoder.encode = json.encoder.JSONEncoder.iterencode = lambda *a, **k: 'NaN'""",
    ),
    _say("os.write replaced", "os.write = os.read = lambda *a: 10 ** 9"),
    _say(
        "builtins removed",
        "import builtins; [attempt(delattr, builtins, n) for n in dir(builtins)]",
    ),
    _say("modules removed", "sys.modules.clear()"),
    _say(
        "recursion limit of 1",
        "attempt(sys.setrecursionlimit, 5); attempt(sys.setrecursionlimit, 30)",
    ),
    _say("trace function", "sys.settrace(lambda *a: 1 / 0); sys.setprofile(lambda *a: 1 / 0)"),
    _say("standard streams closed", "sys.stdout.close(); sys.stderr = None; print('x')"),
    _say("exit handler", "import atexit; atexit.register(time.sleep, 60); raise SystemExit"),
    _raise("sys.exit", "sys.exit('bye')"),
    _raise("KeyboardInterrupt", "raise KeyboardInterrupt"),
    _raise("GeneratorExit", "raise GeneratorExit"),
    _raise(
        "__str__ raises", "class E(Exception):\n    def __str__(self): raise SystemExit\nraise E"
    ),
    _raise(
        "__str__ returns no string", "class E(Exception):\n    def __str__(self): return 3\nraise E"
    ),
    _raise("__str__ of 100 MB", "raise ValueError('x' * 10 ** 8)"),
    _raise(
        "terminal escapes",
        "raise type('\\x1b[31mE', (Exception,), {})('\\x1b]0;owned\\x07\\u202e\\x00\\ud800')",
    ),
    _raise(
        "metaclass that lies about the name",
        """
        class M(type):
            @property
            def __name__(cls): raise SystemExit
        class E(Exception, metaclass=M): pass
        raise E""",
    ),
    _raise(
        "traceback that lies",
        """
        class E(Exception):
            __traceback__ = property(lambda self: 1 / 0)
            __class__ = property(lambda self: 1 / 0)
        raise E""",
    ),
    _raise("a million notes", "e = ValueError('x'); e.__notes__ = ['y'] * 10 ** 6; raise e"),
    _raise("a file name that lies", "exec(compile('raise ValueError', '/etc/passwd', 'exec'))"),
    _raise(
        "a deep cause",
        """
        e = ValueError()
        for _ in range(10 ** 5):
            n = ValueError(); n.__cause__ = e; e = n
        raise e""",
    ),
    Attack(
        "forged reply", "write the reply oneself", _ANSWER.replace("BODY", "b'8'"), setup=_FRAME
    ),
    Attack("forged reply", "replace the function that is asked", "global after\nafter = lambda: 8"),
]
