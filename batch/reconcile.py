"""Reconciles an export: every aggregate of it is counted anew from its sources and compared with what it stores."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial, reduce
from importlib import import_module
from operator import add

from batch import comparing, exports, found, gathering, judging, marks, waiting
from batch.comparing import EQUAL, UNREADABLE, WRONG, Compared
from batch.derived import Astray
from batch.expiring import Expiring, expiring
from batch.exports import Part
from batch.found import FED, WRITTEN, Found
from batch.gathering import Gathering
from batch.rows import Rows
from batch.waiting import Links
from edgewise.aggregates.backfill import backfilled
from edgewise.aggregates.catalog import Catalog
from edgewise.derived import Derivations
from edgewise.dynamodb.keys import Key
from edgewise.stream import quarantine
from edgewise.times import Millis

# The files of an export, each with its content.
Files = Rows[tuple[Part, bytes]]
# What was found, by the key of the aggregate that it is about.
Keyed = Rows[tuple[Key, Found]]
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Declared:
    """The module whose CATALOG declares the aggregates: other processes import it, since no catalog can be sent."""

    module: str = "functions.catalog"

    @property
    def catalog(self) -> Catalog:
        """The catalog."""
        found: Catalog = import_module(self.module).CATALOG
        return found

    @property
    def derivations(self) -> Derivations:
        """What is derived from what, which the same module declares."""
        found: Derivations = import_module(self.module).DERIVATIONS
        return found


@dataclass(frozen=True)
class Check:
    """What a run found: how many sources and aggregates there are, what differs, and what would put it right.

    `late` are aggregates that had not absorbed a change by the end of the changes around the export. If there are any,
    the consumer is behind, or has lost records: what looks wrong may still be under way, so there is no plan. Nor is
    there one for kinds that are fed by items which can't be read, or expire: nobody knows whether they were counted.

    `astray` is what is derived wrongly, or was being derived; `unjudged` says of how many items of a type something
    could not be judged (Derivations.unjudged says what). `waiting` are lines that are not in the plan, because
    aggregates that they feed are not settled, or not planned (batch/waiting.py). `expiring` are kinds that may count
    what has expired.
    """

    sources: int
    aggregates: int
    differing: Sequence[Compared]
    plan: Sequence[Compared]
    late: int
    astray: Sequence[Astray] = ()
    unjudged: Mapping[str, int] = field(default_factory=dict)
    waiting: Sequence[Compared] = ()
    expiring: Set[str] = frozenset()

    def number(self, *why: str) -> int:
        """How many differ for one of these reasons."""
        return sum(each.why in why for each in self.found)

    @property
    def found(self) -> Sequence[Compared | Astray]:
        """Everything that is not as it should be, or not settled."""
        return [*self.differing, *self.astray]

    @property
    def wrong(self) -> Sequence[Compared]:
        """Those that are wrong, or can't be understood."""
        return [each for each in self.differing if each.why in comparing.REPORTED]

    @property
    def reported(self) -> Sequence[Compared | Astray]:
        """Those, and what is derived wrongly."""
        return [*self.wrong, *(each for each in self.astray if each.why == WRONG)]

    @property
    def good(self) -> bool:
        """Whether everything that is settled is as its sources say."""
        return not self.reported


@dataclass(frozen=True)
class Around:
    """The changes around an instant. Those from before `since` should have reached their aggregates at the instant."""

    files: Files
    since: Millis
    instant: Millis


def reconciled(declared: Declared, full: Files, around: Around | None, tell: Tell) -> Check:
    """Compare every aggregate of a full export with its sources; raises TornExportError.

    Without the changes `around` it, everything counts as settled. `tell` is told of the progress.
    """
    catalog, everything = declared.catalog, full.flat_map(partial(_in_files, declared))
    if around:
        changes = partial(_in_changes, declared, around.since, around.instant)
        everything = everything.with_rows(around.files.flat_map(changes))
    each = everything.merged(found.merged).kept()
    apart = each.flat_map(_apart).all()
    parts = (row.set_aside for _, row in apart if row.set_aside)
    quarantined = list(marks.of_quarantine(catalog, quarantine.records(parts)))
    late = {key for key, row in apart if _is_late(row)} - {key for key, _ in quarantined}
    each = each.with_rows(each.of(quarantined))
    astray = each.flat_map(partial(_astray, declared)).all()
    each = each.with_rows(_counted(declared, each, tell)).merged(found.merged)
    aged = expiring(catalog, frozenset().union(*(row.expiring for _, row in apart)))
    compared = each.flat_map(partial(_compared, declared, aged)).kept()
    numbers = Counter(dict(compared.flat_map(_numbers).merged(add).all()))
    tell(f"compared {numbers.total():,} aggregates")
    differing = comparing.settled(compared.flat_map(_differing).all(), _ranks(catalog))
    unreadable = {row.of_type for _, row in apart if row.unreadable}
    incomplete = _fed_by(catalog, unreadable - (declared.derivations.anew.keys() - catalog.source_types)) | aged.direct
    plan, wait = ([], []) if late else _plan(catalog, compared, differing, incomplete)
    sources = sum(row.sources for _, row in apart)
    unjudged = reduce(add, (Counter(row.derived.unjudged) for _, row in apart), Counter[str]())
    compared_ones = numbers.total() - numbers[UNREADABLE]
    return Check(sources, compared_ones, differing, plan, len(late), astray, unjudged, wait, aged.direct | aged.above)


def _plan(
    catalog: Catalog, compared: Rows[Compared], differing: Sequence[Compared], incomplete: Set[str]
) -> tuple[Sequence[Compared], Sequence[Compared]]:
    """The lines that put right what can be put right, and those that wait."""
    planned = compared.flat_map(_planned).all()
    every = list({each.key: each for each in [*differing, *planned]}.values())
    links = Links(every, backfilled(catalog.kinds.values()))
    uncertain = compared.flat_map(partial(waiting.uncertain, links.linked, incomplete, links.backfilled)).all()
    return links.divided([each for each in planned if each.kind not in incomplete], set(uncertain))


def _counted(declared: Declared, each: Keyed, tell: Tell) -> Keyed:
    """What the aggregates, as they should be, feed: rank by rank, since what was counted for one feeds the next."""
    ahead, lifted = each.flat_map(partial(_feeding, declared)), list[Keyed]()
    for rank in found.ranks(declared.catalog):
        tell(f"counting what aggregates of rank {rank} feed")
        lifted.append(ahead.flat_map(partial(_lifted, declared, rank)).merged(found.merged).kept())
        ahead = ahead.with_rows(lifted[-1].flat_map(partial(_feeding, declared))).merged(found.merged).kept()
    return reduce(lambda some, more: some.with_rows(more), lifted)


def _in_files(declared: Declared, files: Iterable[tuple[Part, bytes]]) -> Iterator[tuple[Key, Found]]:
    items = (item for part, packed in files for item in exports.items(part, packed))
    seen = Gathering(declared.catalog, declared.derivations)
    yield from found.in_items(declared.catalog, seen.seeing(items))
    yield from seen.rows()


def _in_changes(
    declared: Declared, since: Millis, instant: Millis, files: Iterable[tuple[Part, bytes]]
) -> Iterator[tuple[Key, Found]]:
    changes = [change for part, packed in files for change in exports.changes(part, packed) if change.at >= since]
    yield from marks.of_changes(declared.catalog, since, instant, changes)
    yield from gathering.of_changes(declared.catalog, declared.derivations, changes)


def _feeding(declared: Declared, rows: Iterable[tuple[Key, Found]]) -> Iterator[tuple[Key, Found]]:
    return found.feeding(declared.catalog, rows)


def _lifted(declared: Declared, rank: int, rows: Iterable[tuple[Key, Found]]) -> Iterator[tuple[Key, Found]]:
    return found.in_counted(declared.catalog, rank, rows)


def _compared(declared: Declared, aged: Expiring, rows: Iterable[tuple[Key, Found]]) -> Iterator[Compared]:
    catalog = declared.catalog
    for key, row in rows:
        yield from comparing.compared(catalog, key, row, aged)


def _astray(declared: Declared, rows: Iterable[tuple[Key, Found]]) -> Iterator[Astray]:
    for key, row in rows:
        yield from judging.judged(declared.catalog, declared.derivations, key, row)


def _fed_by(catalog: Catalog, types: Set[str]) -> Set[str]:
    """The kinds that items of these types feed, directly or by others; all of them if a type is not known."""
    if not types <= set(catalog.source_types):
        return catalog.kinds.keys()
    fed, ahead = set[str](), set(types)
    while ahead:
        found = catalog.fed_by(ahead.pop()) - fed
        ahead |= found & set(catalog.source_types)
        fed |= found
    return fed


def _apart(rows: Iterable[tuple[Key, Found]]) -> Iterator[tuple[Key, Found]]:
    """Records in quarantine, of which there are a thousand at most, numbers, what can't be read, and what is late."""
    return ((key, row) for key, row in rows if row.set_aside or row.sources or row.unreadable or _is_late(row))


def _is_late(row: Found) -> bool:
    return FED in row.marks and WRITTEN not in row.marks


def _numbers(rows: Iterable[Compared]) -> Iterable[tuple[str, int]]:
    return Counter(row.why for row in rows).items()


def _differing(rows: Iterable[Compared]) -> Iterator[Compared]:
    return (row for row in rows if row.why != EQUAL)


def _planned(rows: Iterable[Compared]) -> Iterator[Compared]:
    return (row for row in rows if row.adds)


def _ranks(catalog: Catalog) -> Mapping[str, int]:
    return {kind.name: kind.rank for kind in catalog.kinds.values()}
