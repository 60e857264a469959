"""Which aggregates may count sources that are gone: an item that expires by its time to live stays counted.

Nobody can recount these. What they count too little is wrong all the same, and what they feed must agree with them.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass

from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.measures import Cell, Extremes, joined
from edgewise.stream.verification import Verification


@dataclass(frozen=True)
class Expiring:
    """Kinds that are fed by sources with a time to live, and those that these kinds feed."""

    direct: Set[str] = frozenset()
    above: Set[str] = frozenset()

    def explain(self, below: Verification) -> bool:
        """Whether sources that have expired explain why an aggregate is not what its sources say."""
        kind = below.stored.id.kind.name
        if kind in self.direct:
            return _may_lack(below.recounted, below.stored.cells)
        return kind in self.above and below.equal


NOTHING_EXPIRES = Expiring()


def expiring(catalog: Catalog, types: Set[str]) -> Expiring:
    """The kinds concerned if sources of these types have a time to live."""
    direct = {name for of_type in types for name in catalog.fed_by(of_type) if not catalog.kinds[name].expiry_retracts}
    above, ahead = set[str](), set(direct)
    while ahead:
        fed = catalog.fed_by(ahead.pop()) - above
        above |= fed
        ahead |= fed
    return Expiring(direct, above - direct)


def _may_lack(recounted: Mapping[str, Cell], stored: Mapping[str, Cell]) -> bool:
    """Whether the stored cells count all that is recounted, and possibly more."""
    return all(_counts(stored.get(name, Cell()), cell) for name, cell in recounted.items())


def _counts(stored: Cell, recounted: Cell) -> bool:
    wide_enough = stored.extremes in (Extremes(), joined(stored.extremes, recounted.extremes))
    more = stored.count > recounted.count or (stored.count, stored.total) == (recounted.count, recounted.total)
    return more and wide_enough
