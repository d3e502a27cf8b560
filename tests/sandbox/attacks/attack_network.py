"""Sockets of every kind; the scene listens."""

from kit import Attack


def _net(name: str, body: str, control: bool = True) -> Attack:
    return Attack("network", name, body, control=control)


_ADDRESS = """
        import struct
        address = ctypes.create_string_buffer(struct.pack('<H', 2) + struct.pack('>H', P[{port!r}]) + bytes([127, 0, 0, 1]), 16)
"""

ATTACKS = [
    _net(
        "TCP",
        """
        import socket
        socket.create_connection(('127.0.0.1', P['tcp']), 1)""",
    ),
    _net(
        "TCP by raw calls",
        _ADDRESS.format(port="tcp") + """
        raw(42, raw(41, 2, 1, 0), address, 16)""",
    ),
    _net(
        "UDP",
        """
        import socket
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', P['udp']))""",
    ),
    _net(
        "UDP by raw calls",
        _ADDRESS.format(port="udp") + """
        raw(44, raw(41, 2, 2, 0), b'x', 1, 0, address, 16)""",
    ),
    _net(
        "MPTCP",
        _ADDRESS.format(port="tcp") + """
        fd = raw(41, 2, 1, 262)
        raw(42, fd, address, 16)
        return got(fd)""",
        control=False,
    ),
    _net(
        "TCP fast open",
        _ADDRESS.format(port="tcp") + """
        raw(44, raw(41, 2, 1, 0), b'x', 1, 0x20000000, address, 16)""",
    ),
    _net(
        "listen",
        """
        import socket
        s = socket.socket()
        s.bind(('127.0.0.1', 0))
        s.listen()
        return {'got': s.getsockname()[1]}""",
    ),
    _net(
        "unix socket by path",
        """
        import socket
        socket.socket(socket.AF_UNIX).connect(P['unix'])""",
    ),
    _net(
        "abstract unix socket",
        """
        import socket
        socket.socket(socket.AF_UNIX).connect('\\0' + P['abstract'])""",
    ),
    _net(
        "bind a unix socket",
        """
        import socket
        socket.socket(socket.AF_UNIX).bind(P['new'])""",
    ),
    _net("socketpair", "return got(raw(53, 1, 1, 0, (ctypes.c_int * 2)()))"),
    _net("IPv6", "return got(raw(41, 10, 2, 0))", control=False),
    _net("netlink", "return got(raw(41, 16, 3, 0))"),
    _net("packet", "return got(raw(41, 17, 3, 0x0300))", control=False),
    _net("raw IP", "return got(raw(41, 2, 3, 1))", control=False),
    _net("kernel crypto", "return got(raw(41, 38, 5, 0))", control=False),
    _net("vsock", "return got(raw(41, 40, 1, 0))", control=False),
    _net(
        "name lookup",
        """
        import socket
        return {'got': len(socket.getaddrinfo('localhost', 80))}""",
    ),
    _net(
        "descriptor passed over the channel",
        """
        import array, socket
        class Message(ctypes.Structure):
            _fields_ = [(n, ctypes.c_uint64) for n in 'name namelen iov iovlen control controllen flags'.split()]
        data = ctypes.create_string_buffer(b'x')
        iov = (ctypes.c_uint64 * 2)(ctypes.addressof(data), 1)
        control = ctypes.create_string_buffer(b'\\x14' + b'\\0' * 7 + b'\\1\\0\\0\\0\\1\\0\\0\\0' + b'\\0' * 8)
        m = Message(0, 0, ctypes.addressof(iov), 1, ctypes.addressof(control), 20, 0)
        return got(raw(46, 3, ctypes.byref(m), 0))""",
        control=False,
    ),
    _net(
        "setsockopt on the channel",
        "return got(raw(54, 3, 1, 7, (ctypes.c_int * 1)(1 << 20), 4))",
        control=False,
    ),
    _net("shutdown of the channel", "return got(raw(48, 3, 2))", control=False),
    _net("accept", "return got(raw(43, 3, 0, 0))", control=False),
]
