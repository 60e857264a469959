"""Where a batch ends: at its number of records, at the payload Lambda allows, or with its window."""

from bisect import bisect_left
from collections.abc import Sequence

from delivery.mapping import PAYLOAD, Mapping
from delivery.records import Record

# What an event contains besides its records: brackets, names and a window's fields without its state.
_ENVELOPE = 1024


def batch_end(records: Sequence[Record], start: int, mapping: Mapping, limit: int) -> int:
    """The position after the last record of the batch that starts here, with at most `limit` records."""
    last = _window_end(records, start, min(start + limit, len(records)), mapping.tumbling_window)
    left = PAYLOAD - _ENVELOPE
    for end in range(start, last):
        left -= records[end].size + 1
        if left < 0 and end > start:
            return end
    return last


def is_full(records: Sequence[Record], start: int, mapping: Mapping) -> bool:
    """Whether a batch that starts here has no room for more records, so that Lambda does not wait."""
    end = batch_end(records, start, mapping, mapping.batch_size)
    return end < len(records) or end - start == mapping.batch_size


def same_window(one: float, other: float, mapping: Mapping) -> bool:
    """Whether two instants are in the same tumbling window."""
    length = mapping.tumbling_window
    return not length or int(one) // length == int(other) // length


def _window_end(records: Sequence[Record], start: int, last: int, length: int) -> int:
    if not length:
        return last
    border = float((int(records[start].at) // length + 1) * length)
    return bisect_left(records, border, start, last, key=lambda record: record.at)
