"""What a release computes otherwise than the one that has kept a batch. Pure.

The release at hand computes at one time from beginning to end, the kept invocation took some milliseconds. So it
computes twice, at the first and at the last of them: what is alike in both must be as it was kept, and what depends on
the time must lie in between.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from edgewise.aggregates.catalog import Catalog
from edgewise.stream.kept import KeptBatch
from ops.rehearsing.computing import Computed
from ops.rehearsing.values import NOWHERE, Place, values

# In place of an item's type: the whole of a batch that the release can't absorb.
BATCH: Final = "batch"
NOTHING: Final = "nothing"
_NUMBERS: Final = re.compile(r"(\d+)")


class Difference(NamedTuple):
    """A value that is not as it was kept."""

    place: Place
    expected: str
    computed: str


def differences(catalog: Catalog, kept: KeptBatch, early: Computed, late: Computed) -> list[Difference]:
    """What differs, item by item; `early` and `late` are computed at the batch's first and last instant."""
    for each in (early, late):
        if each.error:
            return [Difference(Place(BATCH, NOWHERE, ""), "it is absorbed", each.error)]
    return list(_differing(catalog, kept, early, late))


def _differing(catalog: Catalog, kept: KeptBatch, early: Computed, late: Computed) -> Iterator[Difference]:
    three = [values(catalog, each.written, each.answer) for each in (kept, early, late)]
    for place in sorted({place for each in three for place in each}):
        found = [each.get(place, NOTHING) for each in three]
        if not _as_kept(*found):
            yield Difference(place, found[0], found[1])


def _as_kept(kept: str, early: str, late: str) -> bool:
    """Whether a value is what was kept, or lies between what it would be earlier and later."""
    if kept in (early, late):
        return True
    return early != late and (early < kept < late or _numbers_between(kept, early, late))


def _numbers_between(kept: str, early: str, late: str) -> bool:
    """Whether three texts differ in numbers only, of which each is between those of the others."""
    parts = [_NUMBERS.split(each) for each in (kept, early, late)]
    return len({len(each) for each in parts}) == 1 and all(_is_between(*each) for each in zip(*parts, strict=True))


def _is_between(found: str, one: str, other: str) -> bool:
    if not (found.isdecimal() and one.isdecimal() and other.isdecimal()):
        return found == one == other
    bounds = sorted((int(one), int(other)))
    return bounds[0] <= int(found) <= bounds[1]
