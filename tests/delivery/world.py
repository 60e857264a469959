"""One history of all systems together, under any delivery, and the recount of what it leaves behind."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

from delivery import Fault, KilledError, Mapping, Shard, Simulator, WriteHook
from delivery.history import History
from delivery.invocation import Invocation
from edgewise import clock
from edgewise.aggregates.checkpoints import shard_name
from edgewise.aggregates.rankings.codec import REFILLING
from edgewise.aggregates.recounts.attributes import RECOUNTING
from edgewise.dynamodb.attributes import Item, integer, key_of, string
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.throttling import ThrottledError
from edgewise.errors import MalformedRecordError, NotFoundError
from edgewise.freshness.shards import Heartbeat, heartbeat_item
from edgewise.stream.dispatch import position
from edgewise.stream.follow_ups import SHARD as FOLLOW_UPS_SHARD
from edgewise.stream.quarantine import page
from edgewise.stream.redrive import redrive
from edgewise.stream.register import register
from edgewise.stream.sweep import sweep
from functions.catalog import CATALOG, FOLLOW_UPS, SYSTEMS
from functions.handlers import cascade
from functions.owned import Withdrawal, tombstone
from tests.delivery.consuming import READS_ALL, ROOMS, Consume, Release, Releases, in_steps_of, released
from tests.delivery.simulated import SimulatedTable, Undisturbed
from tests.delivery.stories import STORIES
from tests.delivery.stories.story import EXTREMES, Story

HOUR = 3600
DAY = 24 * HOUR
# The types of items that people may take back.
OWNED = frozenset(each.type for system in SYSTEMS for each in system.owned)
EXPIRING = tuple(story for story in STORIES if story.expires)
REDRIVE_FAULTS = (
    None,
    Fault.KILLED_BEFORE,
    Fault.KILLED_AFTER,
    Fault.WRITE_REPEATED,
    Fault.THROTTLED,
    Fault.RACED,
)
# How many items recounts read at a time.
STEPS = (1, 2, 3, 1000)
# How often one reader's write is preceded by a delivery to the other.
BESIDE = 0.3
# What the cascade is sent here: what it does else has tests of its own.
RECOUNTS = Mapping(
    batch_size=4,
    filters=[{"dynamodb": {"NewImage": {name: {"S": [{"exists": True}]}}}} for name in (RECOUNTING, REFILLING)],
)
# Far below what fits into the quarantine: beyond it, nothing is passed over any more.
MANY_QUARANTINED = 200
# A record, by its shard and its number.
Named = tuple[str, str]


class ForgottenError(Exception):
    """The stream forgot records before they were delivered: failures took more than a day, and excuse wrong numbers."""


class EndlessError(Exception):
    """A batch came again for more than a day although nothing new was written: no fault lasts so long."""


@dataclass(frozen=True)
class Outcome:
    """What the aggregates and rankings say in the end, and what they must say: equal, if they are exact."""

    found: Any
    expected: Any
    deliveries: int
    history: History


class Stored(NamedTuple):
    """A source in the table, and what it is in plain Python."""

    story: Story
    fact: Any
    item: Item


class World:
    """A table, its consumer, and all that may happen to them; what is drawn at random is drawn from `random`.

    What expired stays counted. A record that its stream forgot before it was delivered would be an excuse for wrong
    numbers, so long times pass only when everything has been delivered.
    """

    def __init__(
        self,
        random: Random,
        table: SimulatedTable,
        consume: Consume,
        releases: Releases,
        stories: Sequence[Story] = STORIES,
    ) -> None:
        self.table, self.releases = table, releases
        self.simulator: Simulator = table.delivered_to(consume(table), random)
        self.recounts = Simulator(cascade.handler, table.stream, RECOUNTS, table.faults, seed=random)
        self._random, self._stories = random, stories
        self._stored: dict[Key, Stored] = {}
        self._expired: list[Stored] = []
        self._began, self._beaten = table.stream.clock.now, 0
        self._aside, self._left, self._returned = set[Named](), set[Named](), set[Named]()
        table.meanwhile = self._meanwhile  # type: ignore[method-assign]
        for story in self._stories:
            table.put_many(story.setting)

    def store(self) -> None:
        """A source is written, often in place of another one."""
        story = self._random.choice(self._stories)
        source = story.source(self._random)
        self._stored[key_of(source.item)] = Stored(story, source.fact, source.item)
        self.table.put_many([source.item])

    def store_many(self) -> None:
        """So many at once that batches become large."""
        for _ in range(self._random.randint(20, 200)):
            self.store()

    def rewrite(self) -> None:
        """A source is written once more as it is, which leaves no record."""
        if self._stored:
            self.table.put_many([self._random.choice(list(self._stored.values())).item])

    def remove(self) -> None:
        """A source is taken away."""
        if self._stored:
            key = self._random.choice(list(self._stored))
            del self._stored[key]
            self.table.delete(key)

    def withdraw(self) -> None:
        """A source is taken back: a tombstone takes its place."""
        if owned := [key for key, stored in self._stored.items() if string(stored.item["Type"]) in OWNED]:
            item = self._stored.pop(self._random.choice(owned)).item
            self.table.put_many([tombstone(item, Withdrawal("amy", clock.now()))])

    def expire(self) -> None:
        """The time to live takes a source away."""
        if alive := [key for key, stored in self._stored.items() if stored.story.expires]:
            key = self._random.choice(alive)
            self._expired.append(self._stored.pop(key))
            self.table.delete(key, expired=True)

    def deliver(self) -> None:
        """Some time passes, and there are some deliveries."""
        self.table.stream.clock.advance(self._random.choice((0, 1, 5, 20, 60)))
        for _ in range(self._random.randint(1, 4)):
            self._random.choice((self.simulator.step, self.simulator.step, self.recount))()

    def recount(self) -> bool:
        """One delivery to the stream's second reader, for recounts and refills; the first one runs beside it."""
        hook = self.table.hook
        self.table.hook = _Beside(self.recounts.writes, self._random, self._step_beside)
        try:
            return self.recounts.step()
        finally:
            self.table.hook = hook

    def wait(self) -> None:
        """Everything is delivered, then a long time passes: shards roll over, checkpoints lapse."""
        self.drain()
        self.table.stream.clock.advance(self._random.choice((1, 5, 26, 51)) * HOUR)

    def renew_mapping(self) -> None:
        """Somebody makes the mapping anew: windows come again with no state, also in shards that are quiet by then."""
        self.simulator.renew()

    def sweep(self) -> None:
        """Emptied aggregates leave whose checkpoints nobody will ask any more."""
        with patch.object(self.table, "hook", Undisturbed()):
            sweep(self.table, CATALOG, lambda: True)

    def lapse(self) -> None:
        """The time to live removes an item whose time has come, whoever may be reading or writing it."""
        if lapsed := self._lapsed():
            self.table.delete(self._random.choice(lapsed), expired=True)

    def count_on(self) -> None:
        """Sequence numbers, of which other tables take most, get a digit more."""
        self.table.stream.lengthen_numbers()

    def release(self) -> None:
        """From now on a release runs that can't read some kinds of items, or one that reads all."""
        if register(self.table).count > MANY_QUARANTINED:
            self.settle()
        unreadable = {self._random.choice(CATALOG.delivered_types) for _ in range(self._random.randint(0, 3))}
        some, room = self._random.choice((False, True)), self._random.choice(ROOMS)
        self.releases.current = Release(frozenset(unreadable), some, room)

    def redrive(self, faults: Sequence[Fault | None] = REDRIVE_FAULTS) -> None:
        """Somebody redrives a record; the process dies at a write, or others run beside it."""
        if found := page(self.table, 1000, None)[0]:
            quarantined = self._random.choice(found)
            fault, write = self._random.choice(faults), self._random.randint(1, 12)
            hook, self.table.hook = self.table.hook, Invocation(fault, write, lambda _: self._beside(quarantined))
            self._watch_quarantine()
            try:
                self._attempt(quarantined)
            except (KilledError, ThrottledError):
                pass
            finally:
                self.table.hook = hook
            self._watch_quarantine()

    def drain(self) -> None:
        """Deliver until neither reader has anything left, and each shard has had a heartbeat since a window was lost.

        Raises EndlessError.
        """
        self._deliver_all()
        while self._beaten < self.simulator.windows_lost:
            self._beaten = self.simulator.windows_lost
            self._beat()
            self._deliver_all()

    def _deliver_all(self) -> None:
        began = self.table.stream.clock.now
        while self.simulator.step() or self.recount():
            if self.table.stream.clock.now - began > DAY:
                raise EndlessError

    def _beat(self) -> None:
        """Each open shard of which nothing was taken on yet gets a record: what its parent has lost is noticed then."""
        for shard in self.table.stream.open_shards:
            if position(self.table, shard_name(shard.id)) is None:
                beats = (heartbeat_item(Heartbeat(f"{name}", clock.now())) for name in range(1000))
                in_shard = (each for each in beats if self.table.stream.shard_of(each) in (shard, self._child(shard)))
                self.table.put_many([next(in_shard)])

    def _child(self, shard: Shard) -> Shard | None:
        """The shard that continues a shard, which is closed when it is old, as soon as something comes."""
        return next((each for each in self.table.stream.shards if each.parent == shard.id), None)

    def settle(self) -> None:
        """All can be read, and is delivered and redriven till nothing is left: what is redriven may write edges."""
        self.releases.current = READS_ALL
        self.drain()
        self._watch_quarantine()
        while register(self.table).count:
            for quarantined in page(self.table, 1000, None)[0]:
                redrive(self.table, FOLLOW_UPS, quarantined.shard, quarantined.sequence)
            self.drain()
        if self.simulator.forgotten + self.recounts.forgotten:
            raise ForgottenError

    def outcome(self) -> Outcome:
        """Everything read and recounted, once it has settled."""
        self.settle()
        items, facts, lasting = self.table.all_items(), self._facts(), self._facts(expired=True)
        found: dict[str, Any] = {story.name: story.actual(items) for story in self._stories}
        expected: dict[str, Any] = {story.name: story.recount(lasting[story.name]) for story in self._stories}
        found["recounts without an end"] = [key_of(item) for item in items if RECOUNTING in item]
        expected["recounts without an end"] = []
        found["set aside once more"], expected["set aside once more"] = self._returned, set()
        for name in {stored.story.name for stored in self._expired}:
            found[name], expected[name] = _without_extremes(found[name]), _without_extremes(expected[name])
        for story in self._stories:
            if story.rankings:
                found[f"{story.name}, ranked"] = story.rankings.read(self.table)
                expected[f"{story.name}, ranked"] = story.rankings.sort(facts[story.name])
        return Outcome(found, expected, self.simulator.deliveries, self.simulator.history)

    def _watch_quarantine(self) -> None:
        """Notice what has left quarantine, and what has come back. What the cascade sets aside is of many shards."""
        shards = register(self.table).shards.items()
        now = {(shard, sequence) for shard, names in shards if shard != FOLLOW_UPS_SHARD for sequence in names}
        self._left |= self._aside - now
        self._returned |= self._left & now
        self._aside = now

    def _facts(self, *, expired: bool = False) -> dict[str, list[Any]]:
        facts: dict[str, list[Any]] = defaultdict(list)
        for stored in [*self._stored.values(), *(self._expired if expired else ())]:
            facts[stored.story.name].append(stored.fact)
        return facts

    def _meanwhile(self) -> None:
        """Between a read and a write, items leave too; nothing is drawn if none can."""
        if self.table.stream.clock.now - self._began > DAY and self._random.randrange(4) == 0:
            self.lapse()
            with patch.object(self.table, "meanwhile"):
                self.sweep()

    def _lapsed(self) -> list[Key]:
        now = self.table.stream.clock.now
        items = self.table.all_items()
        return [key_of(item) for item in items if "ExpiresAt" in item and integer(item["ExpiresAt"]) < now]

    def _step_beside(self) -> None:
        interrupted, self.table.hook = self.table.hook, self.simulator.writes
        try:
            self.simulator.step()
        finally:
            self.table.hook = interrupted

    def _beside(self, quarantined: Any) -> None:
        """What runs before a write of a redrive: another one of the same record, or deliveries."""
        interrupted, self.table.hook = self.table.hook, self.simulator.writes
        try:
            if self._random.choice((False, True)):
                self._attempt(quarantined)
            else:
                self.simulator.step()
        finally:
            self.table.hook = interrupted

    def _attempt(self, quarantined: Any) -> None:
        try:
            redrive(self.table, FOLLOW_UPS, quarantined.shard, quarantined.sequence)
        except MalformedRecordError:
            assert register(self.table).has(quarantined.shard, quarantined.sequence), "what can't be understood stays"
        except NotFoundError:
            assert not register(self.table).has(quarantined.shard, quarantined.sequence), (
                "what is quarantined can be found"
            )


class _Beside:
    """The hook of one reader's writes, before which the other reader may run."""

    def __init__(self, writes: WriteHook, random: Random, other: Callable[[], object]) -> None:
        self._writes, self._random, self._other = writes, random, other

    def before(self) -> None:
        if self._random.random() < BESIDE:
            self._other()
        self._writes.before()

    def after(self) -> bool:
        return self._writes.after()


Happening = Callable[[World], None]
# How often each of them happens, against the others.
HAPPENINGS: tuple[Happening, ...] = (
    *[World.store] * 10,
    *[World.deliver] * 6,
    *[World.remove] * 4,
    World.rewrite,
    World.release,
    *[World.redrive] * 3,
    World.wait,
    World.renew_mapping,
    *[World.sweep] * 2,
    World.lapse,
    World.count_on,
)


def run(
    random: Random, table: SimulatedTable, consume: Consume, happenings: int, choices: Sequence[Happening] = HAPPENINGS
) -> Outcome:
    """Let so many things happen, chosen at random, then compare.

    In one run of three, sources expire too; in one of two, aggregates are written by statements.
    """
    table.statements = random.random() < 0.5
    if random.choice((False, False, True)):
        choices = (*choices, World.expire, World.expire)
    with released() as releases, in_steps_of(random.choice(STEPS)):
        world = World(random, table, consume, releases)
        for _ in range(happenings):
            random.choice(choices)(world)
        return world.outcome()


def _without_extremes(numbers: dict[Any, Any]) -> dict[Any, Any]:
    return {about: number for about, number in numbers.items() if about[0] != EXTREMES}
