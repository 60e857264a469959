"""The moving picture of the README is made of pictures, in the form of animated PNGs."""

import struct
import zlib

from tests.e2e.moving import animated


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def picture(*rows: bytes) -> bytes:
    """One of grey dots."""
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    dots = zlib.compress(b"".join(b"\0" + row for row in rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", dots) + chunk(b"IEND", b"")


def test_each_picture_is_a_frame_and_the_first_is_one_for_whoever_shows_no_other() -> None:
    rows = [(b"\x00\x10", b"\x20\x30"), (b"\x40\x50", b"\x60\x70")]
    made = animated([picture(*each) for each in rows], 1.5)
    found, position = list[tuple[bytes, bytes]](), 8
    while position < len(made):
        (length,) = struct.unpack(">I", made[position : position + 4])
        name, data = made[position + 4 : position + 8], made[position + 8 : position + 8 + length]
        assert made[position + 8 + length : position + 12 + length] == struct.pack(">I", zlib.crc32(name + data))
        found.append((name, data))
        position += 12 + length
    assert [name for name, _ in found] == [b"IHDR", b"acTL", b"fcTL", b"IDAT", b"fcTL", b"fdAT", b"IEND"]
    assert found[1][1] == struct.pack(">II", 2, 0)
    assert [zlib.decompress(found[3][1]), zlib.decompress(found[5][1][4:])] == [
        b"\0\x00\x10\0\x20\x30",
        b"\0\x40\x50\0\x60\x70",
    ]
    numbers = [struct.unpack(">I", data[:4])[0] for name, data in found if name in (b"fcTL", b"fdAT")]
    assert numbers == [0, 1, 2]
    assert struct.unpack(">IIIIHHBB", found[2][1][4:]) == (2, 2, 0, 0, 1500, 1000, 0, 0)
