"""Compares what is stored of every aggregate with what was counted for it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from batch.counting import Cells, Counted
from functions.aggregates import keys
from functions.aggregates.aggregate import Aggregate
from functions.aggregates.continuations import continuations
from functions.aggregates.ids import CONTINUED, PARTIAL, AggregateId
from functions.aggregates.stored import aggregate
from functions.dynamodb.attributes import Item, key_of, string
from functions.dynamodb.keys import Key
from functions.stream.verification import Verification


@dataclass(frozen=True)
class Difference:
    """An aggregate that does not say what its sources say.

    `cause`: it also differs from what is stored one rank below; otherwise it only follows another difference. Both
    numbers are in the short form in which cells are stored; a cell that should not exist is expected to be empty.
    """

    key: Key
    kind: str
    cause: bool
    expected: Mapping[str, str]
    stored: Mapping[str, str]


@dataclass(frozen=True)
class Stored:
    """The items of all aggregates, by key."""

    items: Mapping[Key, Item]

    def whole(self, about: AggregateId) -> list[Aggregate]:
        """An aggregate and its continuations; the first may not be stored yet."""
        found = [aggregate(about, self.items.get(keys.of(about)))]
        for each in found:
            if each.full:
                rest = ((further, self.items.get(keys.of(further))) for further in continuations(each.id))
                found += [aggregate(further, item) for further, item in rest if item]
        return found

    def verification(self, about: AggregateId, cells: Cells) -> Verification:
        """The aggregate with what is open for it, beside these cells."""
        of = about.kind.opened_in
        device = self.items.get(keys.of(of(*about.dimensions))) if of else None
        opened = about.kind.opened(device, about) if device else {}
        return Verification(self.whole(about), cells, sources=0, complete=True, opened=opened)


def stored(items: Iterable[Item]) -> Stored:
    """The aggregates among some items."""
    return Stored({key_of(item): item for item in items if "Seqs" in item})


def differences(found: Stored, sources: Counted, below: Counted) -> Iterator[Difference]:
    """The aggregates that are not as the sources say, counted all the way up; then those that nothing feeds."""
    counted = {keys.of(about): about for about in (*sources.cells, *below.cells)}
    for about in counted.values():
        verified = found.verification(about, sources.counting(about))
        if not verified.equal:
            cause = not found.verification(about, below.counting(about)).equal
            yield _difference(verified, cause=cause)
    for key, item in found.items.items():
        if key not in counted and (cells := _surplus(item)):
            yield Difference(key, string(item["Type"]), True, dict.fromkeys(cells, ""), cells)


def _surplus(item: Item) -> Mapping[str, str]:
    """The cells of an item that nothing feeds; none if it is emptied, or an item of another aggregate."""
    if string(item["Type"]) in (PARTIAL, CONTINUED) or "Cells" not in item:
        return {}
    return {name: str(next(iter(cell.values()))) for name, cell in item["Cells"]["M"].items() if cell != {"N": "0"}}


def _difference(verified: Verification, *, cause: bool) -> Difference:
    about = verified.stored.id
    expected, actual = verified.packed(verified.recounted), verified.packed(verified.stored.cells)
    names = sorted(name for name in {**expected, **actual} if expected.get(name, "0") != actual.get(name, "0"))
    told = ({name: each.get(name, "") for name in names} for each in (expected, actual))
    return Difference(keys.of(about), about.kind.name, cause, *told)
