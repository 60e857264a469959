"""The checkpoints of an aggregate as one binary value: an update pays for every byte, and hot aggregates have many.

    length, newest time in seconds, then for each checkpoint
    1 bit: whether records are missing   3 bits: length of the age   4 bits: form of the shard's name
    4 bits: length of the sequence number's high part   4 bits: length of its low part
    shard:   how many milliseconds before (forms 0 to 6) or after (8 to 14) the checkpoint's time it began, in as many
             bytes as the form, or the form less 8, says; 4 bytes of its random part. Form 15: 2 bytes of length, UTF-8
    sequence number: its digits before the last twenty, then the last twenty, which have many leading zeros
    age:     seconds between this checkpoint's time and the newest
    2 bytes: how many records are missing; for each, a length and its distance before the sequence number

Numbers are big-endian, without leading zeros. The checkpoint of a shard such as `00000001541011234567-1a2b3c4d`, which
lives for four hours, with a sequence number such as 4421584500000000017450439091, takes 21 bytes. The stream tells
times in whole seconds; any other time is rounded up, so no checkpoint is dropped early.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.times import SECOND, Millis

_SHARD = re.compile("([0-9]{20})-([0-9a-f]{8})")
_TEXT, _FORM, _AFTER, _MISSING = 15, 0x0F, 8, 0x80
_LONGEST = 6  # bytes of a distance, if it is to fit before and after the checkpoint's time
_RANDOM = 4  # bytes
_LOW_PART = 10**20


def pack(checkpoints: Mapping[str, Checkpoint]) -> bytes:
    """The checkpoints as they are stored."""
    if not checkpoints:
        return b""
    newest = max([_seconds(checkpoint.at) for checkpoint in checkpoints.values()])
    packed = bytearray(_counted(newest))
    for shard, (sequence, at, missing) in checkpoints.items():
        seconds = _seconds(at)
        form, name = _packed_shard(shard, seconds * SECOND)
        high, low = map(_bytes, divmod(sequence, _LOW_PART))
        age = _bytes(newest - seconds)
        packed += bytes(((_MISSING if missing else 0) | len(age) << 4 | form, len(high) << 4 | len(low)))
        packed += name + high + low + age
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


def _first(packed: bytes) -> int:
    """The position of the first checkpoint, behind the newest time."""
    return 1 + packed[0]


def _unpacked(packed: bytes, position: int, newest: int) -> tuple[str, Checkpoint, int]:
    """The shard and the checkpoint that begin at this position, and the position after them."""
    integer = int.from_bytes
    first, lengths = packed[position], packed[position + 1]
    form = first & _FORM
    start = position + 2
    name = start + (form % _AFTER + _RANDOM if form != _TEXT else 2 + integer(packed[start : start + 2]))
    high = name + (lengths >> 4)
    low = high + (lengths & 0x0F)
    position = low + (first >> 4 & 0x07)
    sequence = integer(packed[name:high]) * _LOW_PART + integer(packed[high:low])
    at = (newest - integer(packed[low:position])) * SECOND
    missing: frozenset[int] = frozenset()
    if first & _MISSING:
        missing, position = _missing(packed, position, sequence)
    return _shard(form, packed[start:name], at), Checkpoint(sequence, at, missing), position


def _missing(packed: bytes, position: int, sequence: int) -> tuple[frozenset[int], int]:
    """The sequence numbers of the missing records, which begin at this position, and the position after them."""
    count, position = int.from_bytes(packed[position : position + 2]), position + 2
    missing = []
    for _ in range(count):
        start = position + 1
        position = start + packed[position]
        missing.append(sequence - int.from_bytes(packed[start:position]))
    return frozenset(missing), position


def _seconds(at: Millis) -> int:
    return -(-at // SECOND)


# Few shards are active at a time, and each is in the checkpoints of thousands of aggregates.
@lru_cache(maxsize=4096)
def _packed_shard(shard: str, at: Millis) -> tuple[int, bytes]:
    """The form of a shard's name, and the bytes of the name, in a checkpoint of this time."""
    found = _SHARD.fullmatch(shard)
    distance = at - int(found[1]) if found else 0
    length = len(_bytes(abs(distance)))
    if found is None or length > _LONGEST:
        name = shard.encode()
        return _TEXT, len(name).to_bytes(2) + name
    return length + (_AFTER if distance < 0 else 0), _bytes(abs(distance)) + bytes.fromhex(found[2])


@lru_cache(maxsize=4096)
def _shard(form: int, name: bytes, at: Millis) -> str:
    if form == _TEXT:
        return name[2:].decode()
    distance = int.from_bytes(name[:-_RANDOM])
    return f"{at + distance if form >= _AFTER else at - distance:020}-{name[-_RANDOM:].hex()}"


def _counted(number: int) -> bytes:
    """The length of a number, then the number."""
    digits = _bytes(number)
    return bytes((len(digits),)) + digits


def _bytes(number: int) -> bytes:
    return number.to_bytes((number.bit_length() + 7) // 8)
