"""Conclusions about writes and responses: conditions, write units, sizes. Pure."""

from collections.abc import Iterator

from verify.probing import Seen, seen, unseen
from verify.scratch import WRITERS, Scratch


def of_writes(scratch: Scratch) -> Iterator[Seen]:
    """Conclude from conditional and transactional writes of one small item, and from their write units."""
    with_item = "Item" in scratch.refusal
    told = f"{scratch.winners} of {WRITERS} concurrent writes won; refusals {'carry' if with_item else 'lack'} the item"
    yield seen("conditional-write", scratch.winners == 1 and with_item, told)
    yield seen("statement-alone", scratch.statements == (None, "ConditionalCheckFailed"), _statements(scratch))
    plain = f"a plain write took {scratch.one_write_units:g}"
    yield _units("transaction-units", scratch.transaction_units, 2 * scratch.one_write_units, plain)
    yield _units("refused-units", scratch.refused_units, scratch.one_write_units, plain)


def _statements(scratch: Scratch) -> str:
    taken, refused = ("was accepted" if code is None else f"got {code}" for code in scratch.statements)
    return f"of two statements in one request, the valid one {taken}, the other one {refused}"


def of_size(written: int, arrived: int, bytes_each: int) -> Seen:
    """Conclude from the number of letters that were stored and that came in one response, with their size there."""
    text = f"{arrived:,} of {written:,} letters came in one response, {arrived * bytes_each:,} bytes as JSON"
    return seen("answer-size", arrived == written, text)


def _units(name: str, units: float | None, expected: float, plain: str) -> Seen:
    if units is None:
        return unseen(name, "the response does not state the consumed capacity")
    return seen(name, units == expected, f"{units:g} write units; {plain}")
