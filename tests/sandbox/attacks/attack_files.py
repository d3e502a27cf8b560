"""Reading, listing and changing files; the scene's files are open to every user."""

from kit import Attack


def _read(name: str, body: str) -> Attack:
    return Attack("files: read", name, body, control=True)


def _change(name: str, body: str, control: bool = True) -> Attack:
    return Attack("files: change", name, body, control=control)


ATTACKS = [
    _read("open", "return open(P['secret_file']).read()"),
    _read("os.open", "return os.read(os.open(P['secret_file'], os.O_RDONLY), 999).decode()"),
    _read("io.FileIO", "import io; return io.FileIO(P['secret_file']).read().decode()"),
    _read("linecache", "import linecache; return linecache.getlines(P['secret_file'])"),
    _read("open(2)", "return drain(raw(2, path(P['secret_file']), 0, 0))"),
    _read("openat(2)", "return drain(raw(257, -100, path(P['secret_file']), 0, 0))"),
    _read(
        "openat2(2)",
        "return drain(raw(437, -100, path(P['secret_file']), (ctypes.c_uint64 * 3)(), 24))",
    ),
    _read("libc open", "return drain(libc.open(path(P['secret_file']), 0))"),
    _read(
        "O_PATH and /proc/self/fd",
        """
        fd = raw(257, -100, path(P['secret_file']), 0o10000000, 0)
        return drain(raw(2, path('/proc/self/fd/%d' % fd), 0, 0))""",
    ),
    _read("list with listdir", "return os.listdir(P['folder'])"),
    _read("list with scandir", "return [e.name for e in os.scandir(P['folder'])]"),
    _read(
        "list with getdents64",
        """
        fd = raw(2, path(P['folder']), 0o200000, 0)
        data = ctypes.create_string_buffer(8192)
        n = raw(217, fd, data, 8192)
        return data.raw[:max(n, 0)].decode('latin-1')""",
    ),
    _read("stat", "return os.stat(P['secret_file']).st_mtime_ns"),
    _read(
        "statx(2)",
        """
        data = (ctypes.c_uint64 * 32)()
        raw(332, -100, path(P['secret_file']), 0, 0x7ff, data)
        return [x for x in data]""",
    ),
    _read(
        "newfstatat(2)",
        """
        data = (ctypes.c_uint64 * 24)()
        raw(262, -100, path(P['secret_file']), data, 0)
        return [x for x in data]""",
    ),
    _read("readlink", "return os.readlink(P['link'])"),
    _read("getxattr", "return os.getxattr(P['secret_file'], 'user.secret').decode()"),
    _read("access", "return {'got': os.access(P['secret_file'], os.R_OK)}"),
    _read("chdir and a relative path", "os.chdir(P['folder']); return open('secret.txt').read()"),
    _read("/etc/passwd", "return {'got': 'root' in open('/etc/passwd').read()}"),
    _change("append", "open(P['file'], 'a').write('x')"),
    _change("overwrite with raw open and write", "raw(1, raw(2, path(P['file']), 1, 0), b'x', 1)"),
    _change("create", "open(P['new'], 'w').write('x')"),
    _change("creat(2)", "raw(85, path(P['new']), 0o666)"),
    _change("create in /dev/shm", "open(P['shm'], 'w').write('x')"),
    _change("delete", "os.remove(P['file'])"),
    _change("unlinkat(2)", "raw(263, -100, path(P['file']), 0)"),
    _change("rmdir", "os.rmdir(P['subfolder'])"),
    _change("rename", "os.rename(P['file'], P['new'])"),
    _change("renameat2(2)", "raw(316, -100, path(P['file']), -100, path(P['new']), 0)"),
    _change("truncate", "os.truncate(P['file'], 1)"),
    _change("truncate(2)", "raw(76, path(P['file']), 1)"),
    _change("chmod", "os.chmod(P['file'], 0o600)"),
    _change("fchmodat(2)", "raw(268, -100, path(P['file']), 0o600)"),
    _change("chown", "os.chown(P['file'], 1, 1)", control=False),
    _change("utime", "os.utime(P['file'], (1, 1))"),
    _change("utimensat(2)", "raw(280, -100, path(P['file']), (ctypes.c_long * 4)(1, 0, 1, 0), 0)"),
    _change("setxattr", "os.setxattr(P['file'], 'user.x', b'x')"),
    _change("hard link", "os.link(P['file'], P['new'])"),
    _change("symbolic link", "os.symlink(P['file'], P['new'])"),
    _change("fifo", "os.mkfifo(P['new'])"),
    _change("mkdir", "os.mkdir(P['new'])"),
    _change("block device", "os.mknod(P['new'], 0o60666, os.makedev(7, 0))", control=False),
    _change(
        "io_uring-free copy by copy_file_range",
        """
        a, b = raw(2, path(P['secret_file']), 0, 0), raw(2, path(P['new']), 0o101, 0o666)
        raw(326, a, 0, b, 0, 9, 0)""",
    ),
    _change("chroot", "raw(161, path(P['folder'])); open('/new', 'w').write('x')", control=False),
    _change("umask and cwd", "raw(80, path(P['folder'])); open('new', 'w').write('x')"),
]
