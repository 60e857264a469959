"""Recounts in steps: in whatever order sources change, records arrive and steps are read and kept, the end is exact."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple

import pytest

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.measures import Cell, Extremes, Observation, Observations
from edgewise.aggregates.recounts import candidates, progress
from edgewise.aggregates.recounts.candidates import Changed, Least
from edgewise.aggregates.recounts.progress import START, Position, Progress, Recount
from edgewise.aggregates.recounts.unknown import Unknown
from edgewise.aggregates.stored import aggregate, aggregate_item
from edgewise.dynamodb.keys import Key, digest
from functions.systems.chat.system import POSTED_IN
from tests.delivery.mutants.changes import Edit

SHARD = "a"
KEYS = range(6)
NOW = 1_535_544_000_000
# How much happens in a history; how many histories must be exact, and in how many a mutant must show itself.
STEPS, EXACT, TRIED = 40, 1_000, 10_000


class Change(NamedTuple):
    """A source, by its key, had one value and then another; None: it was not there."""

    key: int
    old: int | None
    new: int | None


class Taken(NamedTuple):
    """A step that was read for a recount, and not kept yet."""

    recount: Recount
    step: Progress


class History:
    """Sources in the order of their keys, the records of their changes, and one aggregate that absorbs them.

    The seed decides what happens, step by step; at the end, all that is left to be done is done.
    """

    nothing: Mapping[str, Changed] = {}

    def seen(self, key: int, value: int | None) -> Observations:
        """Every second source has a cell of its own kind; values are the same for many."""
        return {} if value is None else {"ab"[key % 2]: Observation(1, Decimal(value), key)}

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.sources: dict[int, int] = {}
        self.log: list[Change] = []
        self.absorbed = 0
        self.quarantined: set[int] = set()
        self.stored = Aggregate(POSTED_IN("amy", "seattle"))
        self.taken: list[Taken] = []

    def is_exact(self) -> bool:
        """Let it happen; whether the aggregate is what its sources say in the end."""
        for _ in range(STEPS):
            self.random.choice(self.possible())()
        self.finish()
        expected: dict[str, Cell] = {}
        for key, value in self.sources.items():
            for name, observation in self.seen(key, value).items():
                expected.setdefault(name, Cell()).add(observation)
        return not self.stored.unknown.names and self.stored.cells == expected

    def possible(self) -> list[Callable[[], None]]:
        """What may happen next."""
        known = self.stored.unknown
        return [
            self.change,
            self.absorb,
            *([self.redrive] if self.quarantined else []),
            *([self.read] if known.recount else []),
            *([self.keep] if self.taken else []),
            *([self.begin] if known.queued and not known.recount else []),
        ]

    def change(self) -> None:
        key, value = self.random.choice(KEYS), self.random.choice([0, 1, 2, 3, None])
        old = self.sources.pop(key, None)
        if value is not None:
            self.sources[key] = value
        if old != value:
            self.log.append(Change(key, old, value))

    def absorb(self) -> None:
        """A batch; the first of its records may be in quarantine."""
        records, items = self.random.randint(1, 3), self.random.randint(0, 3)
        first, self.absorbed = self.absorbed, min(self.absorbed + records, len(self.log))
        numbers = list(range(first, self.absorbed))
        if len(numbers) > 1 and self.random.random() < 0.5:
            self.quarantined.add(numbers.pop(0))
        self.take_in(numbers, items)

    def redrive(self) -> None:
        number = self.random.choice(sorted(self.quarantined))
        self.take_in([number], self.random.randint(0, 3))
        self.quarantined.remove(number)

    def read(self) -> None:
        recount = self.stored.unknown.recount
        assert recount
        items = self.random.randint(1, 4)
        self.taken.append(Taken(recount, self.step(recount.found.keys(), recount.position, items)))

    def keep(self) -> None:
        """A step that was read a while ago is put, as edgewise/aggregates/recounts/going_on.py does."""
        taken = self.taken.pop(self.random.randrange(len(self.taken)))
        recount = self.stored.unknown.recount
        if recount and recount.is_at(taken.recount):
            self.put(self.stored.with_next_step(taken.step))

    def begin(self) -> None:
        self.put(self.stored, begins=True)

    def take_in(self, numbers: list[int], items: int) -> None:
        effects = [
            Effect(
                Checkpoint(100 + number, NOW),
                self.seen(change.key, change.new),
                self.seen(change.key, change.old),
                source=source(change.key),
            )
            for number in numbers
            for change in [self.log[number]]
        ]
        found = (
            self.stored.absorb(SHARD, effects, NOW, {SHARD: {100 + number for number in self.quarantined}})
            if effects
            else None
        )
        if found:
            after = found.aggregate
            if found.stale:
                after = after.with_first_step(found.stale, self.step(found.stale, START, items))
            self.stored = stored(after)

    def step(self, names: frozenset[str] | set[str] | object, position: Position, items: int) -> Progress:
        """Strongly consistent: the sources as they are now."""
        after = int(position.after or -1)
        page = [key for key in sorted(self.sources) if key > after][:items]
        found: dict[str, Extremes] = {}
        sources = {name: dict(each) for name, each in self.nothing.items()}
        for key in page:
            for name, observation in self.seen(key, self.sources[key]).items():
                found.setdefault(name, Extremes()).widen(observation)
                if name in sources:
                    sources[name][digest(*source(key))] = observation.value
        at_end = items > 0 and len(page) < items
        place = None if at_end else Position(0, str(page[-1]) if page else position.after)
        return Progress(found, place, sources=sources)

    def put(self, after: Aggregate, *, begins: bool = False) -> None:
        version = self.stored.version + 1
        self.stored = stored(Aggregate(after.id, version, after.cells, after.checkpoints, unknown=after.unknown))
        if begins:
            nothing = Progress({}, START, sources=self.nothing)
            self.stored = stored(self.stored.with_first_step(self.stored.unknown.queued, nothing))

    def finish(self) -> None:
        """Deliver and redrive all records, and take all steps."""
        self.take_in(list(range(self.absorbed, len(self.log))), 2)
        for number in sorted(self.quarantined):
            self.take_in([number], 2)
            self.quarantined.remove(number)
        for _ in range(100):
            if not self.stored.unknown.recounting:
                break
            if recount := self.stored.unknown.recount:
                self.put(self.stored.with_next_step(self.step(recount.found.keys(), recount.position, 2)))
            else:
                self.put(self.stored, begins=True)


class OfValues(History):
    """Sources without instants, so recounts in steps find candidates: two for each extreme, which are soon used up."""

    nothing: Mapping[str, Changed] = {"a": {}}

    def seen(self, key: int, value: int | None) -> Observations:
        """All have the same cell."""
        return {} if value is None else {"a": Observation(1, Decimal(value))}


def source(key: int) -> Key:
    return Key("SOURCE", str(key))


def stored(after: Aggregate) -> Aggregate:
    """The aggregate as it is read again."""
    return aggregate(after.id, aggregate_item(after))


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "MOST", 2)
    monkeypatch.setattr(progress, "MEANWHILE", 2)


@pytest.mark.parametrize("history", [History, OfValues])
def test_a_recount_in_steps_is_exact(history: type[History]) -> None:
    assert [seed for seed in range(EXACT) if not history(seed).is_exact()] == []


def _mutant(history: type[History], target: Any, before: str, after: str) -> Any:
    return pytest.param(history, Edit(target, before, after), id=f"{history.__name__}, {target.__name__}: {after}")


@pytest.mark.parametrize(
    ("history", "mutant"),
    [
        _mutant(History, Recount.follows, "joined(removed.get(name, Extremes()), deltas[name].removed)", "Extremes()"),
        _mutant(History, Recount.follows, "joined(found[name], deltas[name].added)", "found[name]"),
        _mutant(History, Recount.is_at, "(self.begun, self.position) == (other.begun, other.position)", "True"),
        _mutant(
            History,
            Unknown.after,
            "(stale - self.names) | doubted",
            "(stale | doubted) - self.names",
        ),
        _mutant(History, Unknown.with_next_step, "queued=after.overtaken()", "queued=frozenset()"),
        _mutant(
            OfValues,
            Recount.with_step,
            "without(self.meanwhile.get(name, {}), step.sources[name])",
            "step.sources[name]",
        ),
        _mutant(
            OfValues,
            Unknown.after,
            "following(among(counting - stale, self.candidates), effects)",
            "self.candidates, 0",
        ),
        _mutant(
            OfValues,
            Least.after,
            "Least({source: value for value, source in first}, bound)",
            "Least({source: value for value, source in first}, self.bound)",
        ),
        _mutant(OfValues, Least.after, "if source not in changed", ""),
        _mutant(OfValues, Least.after, "(value, source) < self.bound", "True"),
    ],
)
def test_without_any_of_it_the_end_is_wrong(history: type[History], mutant: Edit) -> None:
    with mutant.made():
        assert any(not history(seed).is_exact() for seed in range(TRIED))
