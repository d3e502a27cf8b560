"""Translates one module to C and the C to a shared object, in a process of its own.

Started by `compiling.py` as a script in an empty folder that holds `NAME.py`, with arguments:
name, folder to import Cython from, folder of Python.h, then the command of the C compiler. Writes
`NAME.so`. Neither step runs the module; the limits are for constants that take for ever to fold.
"""

import os
import resource
import sys

CPU_SECONDS = 120
MEMORY_BYTES = 3 << 30
FILE_BYTES = 256 << 20

OPTIMISATION = ("-O2", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-DNDEBUG", "-w")
"""-ffp-contract=off: a fused multiply-add rounds once where Python rounds twice."""
LINKING = (
    "-shared",
    "-fPIC",
    "-fvisibility=hidden",
    "-nostartfiles",
    "-Wl,-z,now",
    "-Wl,-z,relro",
    "-Wl,-z,noexecstack",
    "-Wl,--build-id=none",
)
"""-nostartfiles: no constructors, so that mapping the object runs nothing (`sandbox.objects`)."""

DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,
    "infer_types": False,
    "cdivision": False,
    "emit_code_comments": False,
}
"""Cython's settings: those that would let C arithmetic stand in for Python's are off, so that a search comes out
the same."""


def main() -> None:
    for kind, amount in (
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        ceiling = resource.getrlimit(kind)[1]
        if ceiling != resource.RLIM_INFINITY:
            amount = min(amount, ceiling)
        resource.setrlimit(kind, (amount, amount))
    name, folder, headers, *compiler = sys.argv[1:]
    sys.path.append(folder)
    from Cython.Compiler import Errors, Main, Options

    # Python looks names up when a line runs, and so must this: not an error before.
    Options.error_on_unknown_names = False
    Options.error_on_uninitialized = False
    Options.docstrings = False
    options = Options.CompilationOptions(
        Options.default_options, compiler_directives=DIRECTIVES, include_path=[], output_file=f"{name}.c"
    )
    Errors.init_thread()
    result = Main.compile(f"{name}.py", options, full_module_name=name)
    if result.num_errors or not result.c_file:
        sys.exit(1)
    os.execv(compiler[0], [*compiler, *OPTIMISATION, *LINKING, f"-I{headers}", f"{name}.c", "-o", f"{name}.so"])


if __name__ == "__main__":
    main()
