"""Backfills: what a kind counts of the sources that were stored before it was declared."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from edgewise.aggregates.kinds import Kind


class Backfilling:
    """The kind was declared, or a feed of it, when sources were stored already.

    Until a backfill has added these (docs/changing-declarations.md), answers say so, and a check does not call its
    aggregates wrong; nor those that it feeds (`backfilled`).
    """

    costs = "while it lasts, each item that was there is counted once, as if it had just been written"


def backfilled(kinds: "Iterable[Kind]") -> frozenset[str]:
    """The names of the kinds that are being backfilled, and of those that these feed, directly or by others."""
    known = {kind.name: kind for kind in kinds}
    ahead = [*known.values()]
    while ahead:
        below = [feed.source.kind for feed in ahead.pop().feeds if feed.source.kind]
        ahead += [kind for kind in below if kind.name not in known]
        known |= {kind.name: kind for kind in below}
    found = {name for name, kind in known.items() if kind.backfilling}
    while more := {name for name, kind in known.items() if name not in found and found & {*kind.source_types}}:
        found |= more
    return frozenset(found)
