"""The checkpoints of an aggregate as one binary value: an update pays for every byte, and hot aggregates have many.

    length, newest time in milliseconds, then for each checkpoint
    4 bits: length of the age            4 bits: length of the shard's number, or 15: the shard is a text
    3 bits: whether records are missing  5 bits: length of the sequence number
    shard:   the shard's number, 4 bytes of its random part; or 2 bytes of length, UTF-8
    sequence number
    age:    milliseconds between this checkpoint's time and the newest
    2 bytes: how many records are missing; for each, a length and its distance before the sequence number

Numbers are big-endian, without leading zeros. The checkpoint of a shard such as `00000001541011234567-1a2b3c4d`, with
a sequence number of 28 digits, takes at most 28 bytes. The times of checkpoints are exact, so none is dropped early.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from functions.aggregates.checkpoints import Checkpoint
from functions.times import Millis

_SHARD = re.compile("([0-9]{20})-([0-9a-f]{8})")
_TEXT, _LOW, _MISSING, _SEQUENCE = 15, 0x0F, 0x20, 0x1F
_RANDOM = 4  # bytes


def pack(checkpoints: Mapping[str, Checkpoint]) -> bytes:
    """The checkpoints as they are stored."""
    if not checkpoints:
        return b""
    newest = max([checkpoint.at for checkpoint in checkpoints.values()])
    packed = bytearray(_counted(newest))
    for shard, (sequence, at, missing) in checkpoints.items():
        form, name = _packed_shard(shard)
        number, age = _bytes(sequence), _bytes(newest - at)
        packed += bytes((len(age) << 4 | form, len(number) | (_MISSING if missing else 0)))
        packed += name + number + age
        if missing:
            packed += len(missing).to_bytes(2)
            packed += b"".join(_counted(sequence - each) for each in sorted(missing))
    return bytes(packed)


def unpack(packed: bytes) -> dict[str, Checkpoint]:
    """The inverse of pack."""
    if not packed:
        return {}
    checkpoints, position = {}, _first(packed)
    newest = int.from_bytes(packed[1:position])
    while position < len(packed):
        shard, checkpoint, position = _unpacked(packed, position, newest)
        checkpoints[shard] = checkpoint
    return checkpoints


def are_several(packed: bytes) -> bool:
    """Whether there is more than one checkpoint; only the first is unpacked."""
    return bool(packed) and _unpacked(packed, _first(packed), 0)[2] < len(packed)


def _first(packed: bytes) -> int:
    """The position of the first checkpoint, behind the newest time."""
    return 1 + packed[0]


def _unpacked(packed: bytes, position: int, newest: Millis) -> tuple[str, Checkpoint, int]:
    """The shard and the checkpoint that begin at this position, and the position after them."""
    integer = int.from_bytes
    lengths, more = packed[position], packed[position + 1]
    form = lengths & _LOW
    start = position + 2
    name = start + (form + _RANDOM if form != _TEXT else 2 + integer(packed[start : start + 2]))
    number = name + (more & _SEQUENCE)
    position = number + (lengths >> 4)
    sequence, at = integer(packed[name:number]), newest - integer(packed[number:position])
    missing: frozenset[int] = frozenset()
    if more & _MISSING:
        missing, position = _missing(packed, position, sequence)
    return _shard(form, packed[start:name]), Checkpoint(sequence, at, missing), position


def _missing(packed: bytes, position: int, sequence: int) -> tuple[frozenset[int], int]:
    """The sequence numbers of the missing records, which begin at this position, and the position after them."""
    count, position = int.from_bytes(packed[position : position + 2]), position + 2
    missing = []
    for _ in range(count):
        start = position + 1
        position = start + packed[position]
        missing.append(sequence - int.from_bytes(packed[start:position]))
    return frozenset(missing), position


# Few shards are active at a time, and each is in the checkpoints of thousands of aggregates.
@lru_cache(maxsize=4096)
def _packed_shard(shard: str) -> tuple[int, bytes]:
    """The form of a shard's name (15 for text, else the length of its number), and the bytes of the name."""
    found = _SHARD.fullmatch(shard)
    if found is None:
        name = shard.encode()
        return _TEXT, len(name).to_bytes(2) + name
    number = _bytes(int(found[1]))
    return len(number), number + bytes.fromhex(found[2])


@lru_cache(maxsize=4096)
def _shard(form: int, name: bytes) -> str:
    if form == _TEXT:
        return name[2:].decode()
    return f"{int.from_bytes(name[:form]):020}-{name[form:].hex()}"


def _counted(number: int) -> bytes:
    """The length of a number, then the number."""
    digits = _bytes(number)
    return bytes((len(digits),)) + digits


def _bytes(number: int) -> bytes:
    return number.to_bytes((number.bit_length() + 7) // 8)
