"""The versions of things that are revised: they are numbered from 1, and counted by a free text."""

import hashlib
from collections.abc import Mapping

from edgewise import Cell

# Nine digits in a key, so that revision 10 sorts after revision 9.
VERSION_DIGITS = 9
MAX_VERSION = 10**VERSION_DIGITS - 1

_LONGEST, _HEAD = 64, 47


def counted_by(group: str, text: str) -> str:
    """The name of the cell that counts the revisions with this text, such as `Result.passed`.

    A text of more than 64 characters is cut to 47 and a digest: a summary with the most cells must still fit its item.
    """
    if len(text) > _LONGEST:
        text = f"{text[:_HEAD]}…{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    return f"{group}.{text}"


def counts_by(group: str, cells: Mapping[str, Cell]) -> dict[str, int]:
    """The counts of the cells of such a group, by text."""
    return {name.removeprefix(f"{group}."): cell.count for name, cell in cells.items() if name.startswith(f"{group}.")}


def unlisted(every: int, listed: Mapping[str, int]) -> int:
    """How many of `every` are not among the listed counts, which may lag behind for a moment."""
    return max(0, every - sum(listed.values()))
