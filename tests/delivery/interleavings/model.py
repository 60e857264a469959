"""The states of a scenario's histories, and the moves that lead from one to the next."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import chain
from operator import eq
from typing import Any, NamedTuple

from edgewise.dynamodb.attributes import Item, integer, key_of
from edgewise.dynamodb.keys import Key
from edgewise.stream.register import register
from edgewise.times import HOUR, SECOND
from functions.replay.memory import MemoryTable
from tests.delivery.consuming import Consume
from tests.delivery.interleavings.asking import Answer
from tests.delivery.interleavings.points import NOBODY, Points
from tests.delivery.interleavings.programs import PAUSE, Delivery, FollowUp, Program, Redrive, Repair, Runner, Sweep
from tests.delivery.interleavings.records import CASCADE, EPOCH, Images, Records, Written, sent
from tests.delivery.interleavings.scenario import Budget, Change, Scenario
from tests.delivery.interleavings.tables import Tables


class Shard(NamedTuple):
    """A shard: its records by number, how many are delivered, the invocation that runs and how far it will come.

    `made`: how many of the scripted changes are among the records.
    """

    written: tuple[int, ...] = ()
    made: int = 0
    done: int = 0
    running: int = NOBODY
    upto: int = 0

    @property
    def delivered(self) -> bool:
        """Whether nothing is outstanding."""
        return self.done == len(self.written)

    def begun(self, point: int, upto: int) -> "Shard":
        """When an invocation has begun, or has come to another point."""
        return Shard(self.written, self.made, self.done, point, upto)

    def ended(self, done: int) -> "Shard":
        """When no invocation runs any more, and so many records are delivered."""
        return Shard(self.written, self.made, done)


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

    def after(self, number: int, shard: Shard) -> "State":
        """When one shard has gone on."""
        shards = (*self.shards[:number], shard, *self.shards[number + 1 :])
        return State(self.table, self.hour, shards, self.left, self.beside, self.failed)

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
# The state when a program has gone on from a request, or has ended with it: by the state after it, and the point.
GoingOn = Callable[[State, int], State]
Ended = Callable[[State], State]


class Model:
    """A scenario's histories. Whatever numbers stand for is in `tables` and `points`."""

    def __init__(self, scenario: Scenario, consume: Consume) -> None:
        self.scenario = scenario
        self.tables = Tables()
        self.records = Records()
        self.points = Points(self.tables, Runner(consume, self.records.form, scenario.carried))
        self._names = tuple(scenario.shards)
        self._changes = {n: (*scenario.before.get(n, ()), *changes) for n, changes in scenario.shards.items()}
        self._homes = {change.key: name for name in self._names for change in self._changes[name]}
        self._sent = cache(self._sent_of)
        self.expected = cache(self._expected)
        self.found = cache(self._found)
        self._quarantined = cache(self._quarantined_in)
        self._expiring = cache(self._expiring_in)
        self._lacking = cache(self._lacking_in)

    def begin(self) -> State:
        """The state before the first move; whatever was assumed to be constant is forgotten."""
        self.points.forget_assumed()
        table = self.tables.table({key: item for key, item in self._setting()})
        state = State(table, 0, tuple(Shard() for _ in self._names), self.scenario.budget)
        for number, name in enumerate(self._names):
            for change in self.scenario.before.get(name, ()):
                state = self._changed(state, number, change)
            state = self._delivered(state, number)
        if self.scenario.before:
            state = state._replace(hour=self.scenario.hours)
        for number, name in enumerate(self._names):
            for change in self.scenario.shards[name] if self.scenario.outstanding else ():
                state = self._changed(state, number, change)
        return state

    def wrong(self, state: State) -> bool:
        """Whether a program failed; or all is delivered and redriven, and the aggregates are not as they must be.

        One that says that it lacks something is excused, in scenarios where that may happen.
        """
        if state.failed != NOBODY:
            return True
        behind = [name for name, shard in zip(self._names, state.shards, strict=True) if not shard.delivered]
        holds = {(): eq, (CASCADE,): self.scenario.meanwhile}.get(tuple(behind))
        if holds is None or self._quarantined(state.table):
            return False
        if self._lacking(state.table):
            return not self.scenario.lacking
        made = tuple(shard.made for shard in state.shards)
        return not holds(self.found(state.table), self.expected(made))

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
        def going_on(after: State, point: int) -> State:
            return after.after(number, after.shards[number].begun(point, shard.upto))

        def ended(after: State) -> State:
            return after.after(number, after.shards[number].ended(shard.upto))

        yield from self._requests(state, shard.running, going_on, ended)
        idle = state.after(number, shard.ended(shard.done))
        if state.left.killed:
            yield Move("is killed", shard.running), idle.less("killed")
        if state.left.overlapped:
            beside = _and(state.beside, shard.running)
            yield Move("is given up", shard.running), idle._replace(beside=beside).less("overlapped")

    def _change(self, state: State, number: int, shard: Shard) -> Iterator[Step]:
        changes = self._changes[self._names[number]]
        if shard.made < len(changes):
            change = changes[shard.made]
            yield Move("changes", about=change), self._changed(state, number, change)

    def _deliveries(self, state: State, number: int, shard: Shard) -> Iterator[Step]:
        for end in range(shard.done + 1, len(shard.written) + 1):
            records = shard.written[shard.done : end]
            for unreadable in (None, *(self._sources(records) if state.left.misread else ())):
                program = self._delivery(number, records, unreadable)
                point = self.points.begun(program, state.hour, state.table)
                before = state if unreadable is None else state.less("misread")
                begun = before.after(number, shard.begun(point, end))
                ended = before.after(number, shard.ended(end))
                yield Move("begins", point), self._at(point, before, _always(begun), _always(ended))

    def _delivery(self, number: int, records: tuple[int, ...], unreadable: Key | None = None) -> Program:
        name = self._names[number]
        return FollowUp(records) if name == CASCADE else Delivery(name, records, unreadable)

    def _sources(self, records: tuple[int, ...]) -> dict[Key, None]:
        """What these records are about."""
        images = (self.records.all[record] for record in records)
        return dict.fromkeys(key_of(each.new or each.old or {}) for each in images)

    def _repetitions(self, state: State, number: int, shard: Shard) -> Iterator[Step]:
        if state.left.repeated:
            for start in range(shard.done):
                if state.hour - self.records.all[shard.written[start]].hour <= self.scenario.kept:
                    again = state.after(number, shard.ended(start))
                    yield Move("is read again", about=(self._names[number], start)), again.less("repeated")

    def _beside(self, state: State, position: int) -> Iterator[Step]:
        point = state.beside[position]
        others = (*state.beside[:position], *state.beside[position + 1 :])

        def going_on(after: State, point: int) -> State:
            return State(after.table, after.hour, after.shards, after.left, _and(others, point))

        def ended(after: State) -> State:
            return State(after.table, after.hour, after.shards, after.left, others)

        yield from self._requests(state, point, going_on, ended)
        if state.left.killed and isinstance(self.points.all[point].program, Redrive):
            yield Move("is killed", point), ended(state).less("killed")

    def _requests(self, state: State, point: int, going_on: GoingOn, ended: Ended) -> Iterator[Step]:
        """A program's request is answered; or it is carried out, and its answer is lost."""
        number = self.points.all[point].request
        assert number is not None
        request = self.tables.requests.all[number]
        if request.method == PAUSE:
            if self.scenario.lagging or all(shard.delivered for shard in state.shards):
                reached = self.points.answered(point, self.tables.answer(Answer()), state.table)
                yield Move("pauses", point), self._at(reached, state, going_on, ended)
            return
        after, answer = self._done(state, number)
        reached = self.points.answered(point, answer, after.table)
        yield Move("asks", point, answer), self._at(reached, after, going_on, ended)
        # A transaction that is sent again gets the first answer once more, by its token.
        if state.left.lost and request.method == "write" and after.table != state.table:
            yield Move("loses the answer", point, answer), after.less("lost")

    def _at(self, point: int, state: State, going_on: GoingOn, ended: Ended) -> State:
        """The state when a program has come to a point, which may be its end."""
        here = self.points.all[point]
        if here.request is not None:
            return going_on(state, point)
        return ended(state) if here.error is None else state._replace(failed=point)

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
        behind = self.scenario.lagging
        if state.left.jumps and all((behind or each.delivered) and each.running == NOBODY for each in state.shards):
            later = state._replace(hour=state.hour + self.scenario.hours, beside=())
            yield Move("passes", about=self.scenario.hours), later.less("jumps")

    def _delivered(self, state: State, number: int) -> State:
        """The state after undisturbed deliveries of a shard's records, and of those that come of them."""
        while not (shard := state.shards[number]).delivered:
            program = self._delivery(number, shard.written[shard.done :])
            point = self.points.begun(program, state.hour, state.table)
            while (request := self.points.all[point].request) is not None:
                state, answer = self._done(state, request)
                point = self.points.answered(point, answer, state.table)
            assert not self.points.all[point].failed
            state = state.after(number, state.shards[number].ended(len(shard.written)))
        return state

    def _changed(self, state: State, number: int, change: Change) -> State:
        """The state after a scripted change."""
        old = self.tables.contents.all[state.table].get(change.key)
        new = change.source.item if change.source else None
        table = self.tables.changed(state.table, change.key, new)
        after = self._recorded(state._replace(table=table), Images(self._names[number], old, new))
        shard = after.shards[number]
        return after.after(number, shard._replace(made=shard.made + 1))

    def _done(self, state: State, request: int) -> tuple[State, int]:
        """The state after a program's request is carried out, and its answer."""
        table, answer = self.tables.do(state.table, request)
        if table == state.table:
            return state, answer
        after = state._replace(table=table)
        for images in self._sent(state.table, request) if self.scenario.chained else ():
            after = self._recorded(after, images)
        return after, answer

    def _recorded(self, state: State, images: Images) -> State:
        """The state when a shard has one record more."""
        number = self._names.index(images.shard)
        shard = state.shards[number]
        record = self.records.number(Written(images.shard, len(shard.written), state.hour, images.old, images.new))
        return state.after(number, shard._replace(written=(*shard.written, record)))

    def _sent_of(self, table: int, request: int) -> tuple[Images, ...]:
        """What readers are sent when this request is carried out, in the order of its writes."""
        after, _ = self.tables.do(table, request)
        then, now = self.tables.contents.all[table], self.tables.contents.all[after]
        keys = self.tables.requests.all[request].written
        found = chain.from_iterable(sent(key, then.get(key), now.get(key), self._shard_of(key)) for key in keys)
        return tuple(each for each in found if each.shard in self._names)

    def _shard_of(self, key: Key) -> str | None:
        """The shard of an item: that of its changes; or the one with its partition's name, if any."""
        name = self._homes.get(key, key.pk)
        return name if name in self._names else None

    def _setting(self) -> Iterator[tuple[Key, Item]]:
        for item in self.scenario.story.setting:
            yield Key(item["PK"]["S"], item["SK"]["S"]), item

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
