"""What is revised again and again: its revisions are numbered from 1, and counted by a free text."""

import hashlib
from collections.abc import Mapping

from functions.aggregates.measures import Cell

# Nine digits in a key, so that revision 10 sorts after revision 9.
VERSION_DIGITS = 9
MAX_VERSION = 10**VERSION_DIGITS - 1

_LONGEST, _HEAD = 64, 47


def counted_by(group: str, text: str) -> str:
    """The cell that counts what carries this text, such as `Result.passed`.

    A longer text ends in a digest after 47 characters: a summary with the most cells must still fit its item.
    """
    if len(text) > _LONGEST:
        text = f"{text[:_HEAD]}…{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    return f"{group}.{text}"


def counts_by(group: str, cells: Mapping[str, Cell]) -> dict[str, int]:
    """The counts of such a group's cells, by text."""
    return {name.removeprefix(f"{group}."): cell.count for name, cell in cells.items() if name.startswith(f"{group}.")}


def unlisted(every: int, listed: Mapping[str, int]) -> int:
    """How many of all are not among the listed counts; those that are on their way may be missing for a moment."""
    return max(0, every - sum(listed.values()))
