"""Backfills: what a kind counts of the sources that were stored before it was declared."""

from collections.abc import Iterable

from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.parts import Part


class Backfilling(Part):
    """The kind was declared, or a feed of it, when sources were stored already.

    Until a backfill has added these (docs/changing-declarations.md), answers say so, and a check does not call its
    aggregates wrong; nor those that it feeds (`backfilled`).
    """

    # The release before did not count what they cover.
    checkpoints_tell = False
    costs = "while it lasts, each item that was there is counted once, as if it had just been written"


def is_backfilling(kind: Kind) -> bool:
    """Whether a kind says that its backfill is not done."""
    return kind.part(Backfilling) is not None


def backfilled(kinds: Iterable[Kind]) -> frozenset[str]:
    """The names of the kinds that are being backfilled, and of those that these feed, directly or by others."""
    known = {kind.name: kind for kind in kinds}
    ahead = [*known.values()]
    while ahead:
        below = [feed.source.kind for feed in ahead.pop().feeds if feed.source.kind]
        ahead += [kind for kind in below if kind.name not in known]
        known |= {kind.name: kind for kind in below}
    found = {name for name, kind in known.items() if is_backfilling(kind)}
    while more := {name for name, kind in known.items() if name not in found and kind.is_fed_by(found)}:
        found |= more
    return frozenset(found)
