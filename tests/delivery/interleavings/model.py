"""The states of a scenario's histories, and the moves that lead from one to the next."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from delivery import Source as StreamSource
from delivery import make_record
from functions.dynamodb.attributes import Item, integer
from functions.dynamodb.keys import Key
from functions.stream.register import register
from functions.times import HOUR, SECOND
from tests.delivery.consuming import Consume
from tests.delivery.interleavings.asking import Answer
from tests.delivery.interleavings.points import NOBODY, Points
from tests.delivery.interleavings.programs import (
    EPOCH,
    PAUSE,
    Delivery,
    Program,
    Redrive,
    Repair,
    Runner,
    Sweep,
    Written,
)
from tests.delivery.interleavings.scenario import Budget, Change, Scenario
from tests.delivery.interleavings.tables import Tables
from tests.support.memory import MemoryTable

FIRST_SEQUENCE = 100
_STREAM = StreamSource()


class Shard(NamedTuple):
    """A shard: the hours of its records, how many are delivered, the invocation that runs and how far it will come."""

    written: tuple[int, ...] = ()
    done: int = 0
    running: int = NOBODY
    upto: int = 0

    @property
    def delivered(self) -> bool:
        """Whether nothing is outstanding."""
        return self.done == len(self.written)


class State(NamedTuple):
    """Everything on which a history's further course depends.

    `beside` are the points of what runs beside the shards' invocations, in order: redrives, a repair, and invocations
    that Lambda has given up. `failed`: the point of a program that ended as it must not.
    """

    table: int
    hour: int
    shards: tuple[Shard, ...]
    left: Budget
    beside: tuple[int, ...] = ()
    failed: int = NOBODY

    def after(self, table: int, number: int, shard: Shard) -> "State":
        """When one shard has gone on."""
        shards = (*self.shards[:number], shard, *self.shards[number + 1 :])
        return State(table, self.hour, shards, self.left, self.beside, self.failed)

    def less(self, kind: str) -> "State":
        """When something of this kind has happened."""
        return State(self.table, self.hour, self.shards, _less(self.left, kind), self.beside, self.failed)


class Move(NamedTuple):
    """What happened: `point` is that of whoever moved, before it did."""

    what: str
    point: int = NOBODY
    answer: int = NOBODY
    about: Any = None


Step = tuple[Move, State]
# The state when a program has gone on from a request, or has ended with it: by the table, and the point.
GoingOn = Callable[[int, int], State]
Ended = Callable[[int], State]


class Model:
    """A scenario's histories. Whatever numbers stand for is in `tables` and `points`."""

    def __init__(self, scenario: Scenario, consume: Consume) -> None:
        self.scenario = scenario
        self.tables = Tables()
        self.points = Points(self.tables, Runner(consume, self.form))
        self._names = tuple(scenario.shards)
        self._changes = {n: (*scenario.before.get(n, ()), *changes) for n, changes in scenario.shards.items()}
        self._old = cache(self._old_image)
        self.expected = cache(self._expected)
        self.found = cache(self._found)
        self._quarantined = cache(self._quarantined_in)
        self._expiring = cache(self._expiring_in)
        self._lacking = cache(self._lacking_in)

    def begin(self) -> State:
        """The state before the first move; whatever was assumed to be constant is forgotten."""
        self.points.forget_assumed()
        table, shards = self.tables.table({key: item for key, item in self._setting()}), []
        hour = self.scenario.hours if self.scenario.before else 0
        for name in self._names:
            written: tuple[int, ...] = ()
            for change in self.scenario.before.get(name, ()):
                table, written = self._put(table, change), (*written, 0)
            if written:
                table = self._delivered(table, name, written)
            done = len(written)
            for change in self.scenario.shards[name] if self.scenario.outstanding else ():
                table, written = self._put(table, change), (*written, hour)
            shards.append(Shard(written, done))
        return State(table, hour, tuple(shards), self.scenario.budget)

    def form(self, written: Written) -> Any:
        """A record as Lambda hands it to the consumer."""
        change = self._changes[written.shard][written.place]
        new = change.source.item if change.source else None
        old = self._old(written.shard, written.place)
        at = (EPOCH + written.hour * HOUR) / SECOND
        return make_record(_STREAM, old, new, FIRST_SEQUENCE + written.place, at).form

    def wrong(self, state: State) -> bool:
        """Whether a program failed; or all is delivered and redriven, and the aggregates are not as they must be.

        One that says that it lacks something is excused, in scenarios where that may happen.
        """
        if state.failed != NOBODY:
            return True
        if not all(shard.delivered for shard in state.shards) or self._quarantined(state.table):
            return False
        if self._lacking(state.table):
            return not self.scenario.lacking
        made = tuple(len(shard.written) for shard in state.shards)
        return bool(self.found(state.table) != self.expected(made))

    def moves(self, state: State) -> Iterator[Step]:
        """Everything that may happen next."""
        if state.failed != NOBODY:
            return
        for number, shard in enumerate(state.shards):
            yield from self._of_shard(state, number, shard)
        for position in range(len(state.beside)):
            if not position or state.beside[position] != state.beside[position - 1]:
                yield from self._beside(state, position)
        yield from self._begin_beside(state)
        yield from self._of_time(state)

    def _of_shard(self, state: State, number: int, shard: Shard) -> Iterator[Step]:
        if shard.running != NOBODY:
            return self._running(state, number, shard)
        return chain(
            self._change(state, number, shard),
            self._deliveries(state, number, shard),
            self._repetitions(state, number, shard),
        )

    def _running(self, state: State, number: int, shard: Shard) -> Iterator[Step]:
        def going_on(table: int, point: int) -> State:
            return state.after(table, number, Shard(shard.written, shard.done, point, shard.upto))

        def ended(table: int) -> State:
            return state.after(table, number, Shard(shard.written, shard.upto))

        yield from self._requests(state, shard.running, going_on, ended)
        idle = state.after(state.table, number, Shard(shard.written, shard.done))
        if state.left.killed:
            yield Move("is killed", shard.running), idle.less("killed")
        if state.left.overlapped:
            beside = _and(state.beside, shard.running)
            yield Move("is given up", shard.running), idle._replace(beside=beside).less("overlapped")

    def _change(self, state: State, number: int, shard: Shard) -> Iterator[Step]:
        changes = self._changes[self._names[number]]
        if len(shard.written) < len(changes):
            change = changes[len(shard.written)]
            written = shard._replace(written=(*shard.written, state.hour))
            yield Move("changes", about=change), state.after(self._put(state.table, change), number, written)

    def _deliveries(self, state: State, number: int, shard: Shard) -> Iterator[Step]:
        name = self._names[number]
        for end in range(shard.done + 1, len(shard.written) + 1):
            places = range(shard.done, end)
            records = tuple(Written(name, place, shard.written[place]) for place in places)
            keys = dict.fromkeys(self._changes[name][place].key for place in places)
            for unreadable in (None, *(keys if state.left.misread else ())):
                point = self.points.begun(Delivery(name, records, unreadable), state.hour, state.table)
                before = state if unreadable is None else state.less("misread")
                begun = before.after(state.table, number, Shard(shard.written, shard.done, point, end))
                ended = before.after(state.table, number, Shard(shard.written, end))
                yield Move("begins", point), self._at(point, before, _always(begun), _always(ended))

    def _repetitions(self, state: State, number: int, shard: Shard) -> Iterator[Step]:
        if state.left.repeated:
            for start in range(shard.done):
                if state.hour - shard.written[start] <= self.scenario.kept:
                    again = state.after(state.table, number, Shard(shard.written, start))
                    yield Move("is read again", about=(self._names[number], start)), again.less("repeated")

    def _beside(self, state: State, position: int) -> Iterator[Step]:
        point = state.beside[position]
        others = (*state.beside[:position], *state.beside[position + 1 :])

        def going_on(table: int, point: int) -> State:
            return State(table, state.hour, state.shards, state.left, _and(others, point))

        def ended(table: int) -> State:
            return State(table, state.hour, state.shards, state.left, others)

        yield from self._requests(state, point, going_on, ended)
        if state.left.killed and isinstance(self.points.all[point].program, Redrive):
            yield Move("is killed", point), ended(state.table).less("killed")

    def _requests(self, state: State, point: int, going_on: GoingOn, ended: Ended) -> Iterator[Step]:
        """A program's request is answered; or it is carried out, and its answer is lost."""
        number = self.points.all[point].request
        assert number is not None
        request = self.tables.requests.all[number]
        if request.method == PAUSE:
            if all(shard.delivered for shard in state.shards):
                reached = self.points.answered(point, self.tables.answer(Answer()), state.table)
                yield Move("pauses", point), self._at(reached, state, going_on, ended)
            return
        table, answer = self.tables.do(state.table, number)
        reached = self.points.answered(point, answer, table)
        yield Move("asks", point, answer), self._at(reached, state._replace(table=table), going_on, ended)
        # A transaction that is sent again gets the first answer once more, by its token.
        if state.left.lost and request.method == "write" and table != state.table:
            yield Move("loses the answer", point, answer), state._replace(table=table).less("lost")

    def _at(self, point: int, state: State, going_on: GoingOn, ended: Ended) -> State:
        """The state when a program has come to a point, which may be its end."""
        here = self.points.all[point]
        if here.request is not None:
            return going_on(state.table, point)
        return ended(state.table) if here.error is None else state._replace(failed=point)

    def _begin_beside(self, state: State) -> Iterator[Step]:
        programs = [self.points.all[point].program for point in state.beside]
        redrives = sum(isinstance(program, Redrive) for program in programs)
        if not redrives or (redrives == 1 and state.left.overlapped):
            for shard, sequence in self._quarantined(state.table):
                yield self._begun(state.less("overlapped") if redrives else state, Redrive(shard, sequence))
        if state.left.repairs and self.scenario.repaired:
            yield self._begun(state.less("repairs"), Repair(self.scenario.repaired))
        if state.left.sweeps:
            yield self._begun(state.less("sweeps"), Sweep())

    def _begun(self, state: State, program: Program) -> Step:
        point = self.points.begun(program, state.hour, state.table)
        begun = state._replace(beside=_and(state.beside, point))
        return Move("begins", point), self._at(point, state, _always(begun), _always(state))

    def _of_time(self, state: State) -> Iterator[Step]:
        if state.left.expired:
            for key, hour in self._expiring(state.table):
                if hour < state.hour:
                    table = self.tables.changed(state.table, key, None)
                    yield Move("expires", about=key), state._replace(table=table).less("expired")
        # Nobody stands for so long; and what is still to be delivered would be forgotten.
        if state.left.jumps and all(shard.delivered and shard.running == NOBODY for shard in state.shards):
            later = state._replace(hour=state.hour + self.scenario.hours, beside=())
            yield Move("passes", about=self.scenario.hours), later.less("jumps")

    def _delivered(self, table: int, name: str, written: tuple[int, ...]) -> int:
        """The table after one undisturbed delivery of these records."""
        records = tuple(Written(name, place, hour) for place, hour in enumerate(written))
        point = self.points.begun(Delivery(name, records), 0, table)
        while (request := self.points.all[point].request) is not None:
            table, answer = self.tables.do(table, request)
            point = self.points.answered(point, answer, table)
        assert not self.points.all[point].failed
        return table

    def _put(self, table: int, change: Change) -> int:
        return self.tables.changed(table, change.key, change.source.item if change.source else None)

    def _setting(self) -> Iterator[tuple[Key, Item]]:
        for item in self.scenario.story.setting:
            yield Key(item["PK"]["S"], item["SK"]["S"]), item

    def _old_image(self, name: str, place: int) -> Item | None:
        before = self._changes[name][:place]
        key = self._changes[name][place].key
        sources = [change.source for change in before if change.key == key]
        return sources[-1].item if sources and sources[-1] else None

    def _expected(self, made: tuple[int, ...]) -> Any:
        """What a recount of the sources gives when each shard has made so many of its changes."""
        sources = {}
        for name, count in zip(self._names, made, strict=True):
            for change in self._changes[name][:count]:
                sources[change.key] = change.source
        return self.scenario.story.recount([source.fact for source in sources.values() if source])

    def _found(self, table: int) -> Any:
        """What the aggregates say."""
        return self.scenario.story.actual(list(self.tables.contents.all[table].values()))

    def _lacking_in(self, table: int) -> bool:
        return any("Lacks" in item for item in self.tables.contents.all[table].values())

    def _quarantined_in(self, table: int) -> tuple[tuple[str, str], ...]:
        memory = MemoryTable()
        memory.items = self.tables.contents.all[table]
        shards: Mapping[str, frozenset[str]] = register(memory).shards
        return tuple(chain.from_iterable(((shard, name) for name in sorted(names)) for shard, names in shards.items()))

    def _expiring_in(self, table: int) -> tuple[tuple[Key, float], ...]:
        """The items with a time to live, and the hours in which they end."""
        items = self.tables.contents.all[table].items()
        return tuple((key, (integer(i["ExpiresAt"]) * SECOND - EPOCH) / HOUR) for key, i in items if "ExpiresAt" in i)


@cache
def _less(budget: Budget, kind: str) -> Budget:
    return budget._replace(**{kind: getattr(budget, kind) - 1})


def _and(points: tuple[int, ...], point: int) -> tuple[int, ...]:
    return tuple(sorted((*points, point)))


def _always(state: State) -> Callable[..., State]:
    return lambda *_: state
