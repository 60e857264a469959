"""What releases count otherwise than the ones before them, on purpose. Whoever changes that adds a line at the end.

A batch that is kept names the last change that its release had announced. So a line excuses differences from what was
kept before it, and none from what is kept by the release that has it (docs/rehearsing.md).
"""

from typing import Final, NamedTuple


class Announced(NamedTuple):
    """A change of what is counted: why, and of which types the items are that differ because of it, as in `Type`."""

    why: str
    types: frozenset[str]


CHANGES: Final[tuple[Announced, ...]] = ()
# How many have been announced: the number of the last one, which kept batches name.
COUNTS: Final = len(CHANGES)
