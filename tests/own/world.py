"""One history of somebody's own table: what its owner writes, releases, operators and readers, under any delivery.

Sets of its orders overlap, and orders move between them. Before a write of the engine's, a reader may ask for a row.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from edgewise.own.consumer import BEAT
from edgewise.own.freshness import Freshness, freshness_of
from edgewise.stream.follow_ups import SHARD as FOLLOW_UPS
from tests.delivery.consuming import in_steps_of
from tests.own.asking import Asker
from tests.own.counting import SETS
from tests.own.shapes import ADDRESSES, DIRECT, EDGES, GROUPS, NUMBERS, PRODUCTS, RANKED, SHARED, declared
from tests.own.simulated import Simulated, reproducible
from tests.support.http import Context
from tests.support.own_tables import NAME
from tests.support.own_tables import TOLD as TOLD_EVERYTHING

HOUR = 3600
# How many items recounts read at a time.
STEPS = (1, 3, 1000)
# How often a reader asks before a write; knows how far the stream's reader is; and has just asked for that.
ASKED, TOLD, TOLD_NOW = 0.5, 0.8, 0.6
# How often a release is strict about a set.
STRICT = 0.6
# So often what is left is tried again in the end.
TRIES = 5


class WrongError(Exception):
    """An answer says what a plain count does not say; or nothing can make it say that."""


class World(Simulated):
    """A shop with all that may happen to it."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        # In some histories, orders are spoilt: nobody will ever read their amounts, so they are discarded.
        self.spoilt, self.discarded = self.random.randrange(3) == 0, False
        self.reader = Asker(self.shape, self.random, self.streams[NAME], self.taken)
        self._told: Freshness | None = None
        self.compared, self.renewals, self.commands = 0, 0, Counter[str]()
        self._aside, self._left = set[tuple[str, str]](), set[tuple[str, str]]()
        self.release()
        self.watch()

    def live(self, happenings: int) -> None:
        """Let so many things happen, then compare; raises WrongError or EndlessError."""
        deeds = [self.store] * 12 + [self.proceed] * 10 + [self.operate] * 5 + [self.remove] * 3 + [self.release] * 2
        deeds += [self.rest, self.renew, self.lengthen, self.move, self.expire_one]
        deeds += [self.send_heartbeats] * 4 * self.shape.beats
        with self.delivered():
            for _ in range(happenings):
                self.random.choice(deeds)()
                self.ask()
                self._fail_if_wrong()
            self.settle()

    def store(self) -> None:
        """The owner puts some orders, often in place of others, and now and then as they are."""
        for _ in range(self.random.randint(1, 4)):
            item = self.shape.order(self.random, spoilt=self.spoilt)
            for _ in range(self.random.choice((1, 1, 1, 2))):
                self.owner.put_item(TableName=NAME, Item=item)

    def move(self) -> None:
        """A customer has moved."""
        self.put_address(self.random.choice(GROUPS), self.random.choice(ADDRESSES))

    def remove(self) -> None:
        """The owner removes an order."""
        self.owner.delete_item(TableName=NAME, Key=self._some_key())

    def expire_one(self) -> None:
        """The table's time to live removes an order."""
        self.expire(self._some_key())

    def proceed(self) -> None:
        """Some time passes, and there are some deliveries."""
        self.wait(self.random.choice((0, 0.2, 1, 5, 20, 60)))
        for _ in range(self.random.randint(1, 4)):
            self.step()

    def release(self) -> None:
        """From now on a release runs that can't read some orders as of some sets, or one that reads all."""
        self._deploy(frozenset(name for name in ("open", "dear") if self.random.random() < STRICT))

    def renew(self) -> None:
        """Somebody makes the mapping anew: windows come again with no state, also in shards that are quiet by then."""
        self.renewals += 1
        for simulator in self.simulators:
            simulator.renew()

    def lengthen(self) -> None:
        """Sequence numbers, of which other tables take most, get a digit more."""
        for stream in self.streams.values():
            stream.lengthen_numbers()

    def send_heartbeats(self) -> None:
        """The schedule asks for heartbeats."""
        self.handler(dict(BEAT), Context())

    def operate(self) -> None:
        """An operator asks for something."""
        aside = self._set_aside()
        kept = self.views[self.random.choice(list(SETS)), DIRECT].declared
        counted = {"kind": kept.full_name, "dimensions": [self.random.choice(self.shape.groups)]}
        commands: list[dict[str, Any]] = [
            {"do": "sweep"},
            {"do": "recount", "repair": self.random.random() < 0.7, **counted},
        ]
        commands += [{"do": "apply"}] * 3 * bool(aside)
        commands += [_discard(self.random.choice(aside))] if aside and self.spoilt else []
        began, answer = self.now, self.attempt(**self._noted(self.random.choice(commands)))
        self._set_aside()
        if answer.get("applied") and not (answer["left"] or self.discarded):
            self.reader.trusted = began

    def rest(self) -> None:
        """All is delivered and compared; then a long time passes: shards roll over, checkpoints lapse."""
        self.come_to_rest()
        self.compare()
        self.wait(self.random.choice((1, 5, 26, 51)) * HOUR)

    def settle(self) -> None:
        """All can be read, and is applied, discarded or recounted till nothing is left; then compare."""
        self._deploy(frozenset())
        self._correct()
        self.come_to_rest()
        self._put_right()
        self.wait(HOUR)  # what sweeps take up is as old
        self.command(**self._noted({"do": "sweep"}))
        self.come_to_rest()
        self._repair()
        self.come_to_rest()
        lacking = self.compare()
        if lacking and not (self.discarded and all(form != DIRECT for _, form in lacking)):
            raise WrongError(f"nothing makes these complete: {lacking}")

    def come_to_rest(self) -> None:
        super().come_to_rest()
        self.reader.rest()

    def ask(self) -> None:
        """A reader asks for something; how far the stream's reader is, he may know for long."""
        if self.shape.beats and self.random.random() < TOLD_NOW:
            self._told = freshness_of(self.table)
        self.reader.ask(self.table, self.views, self._told if self.random.random() < TOLD else None)

    def before_write(self) -> None:
        if self.random.random() < ASKED:
            self.ask()

    def run_beside(self) -> None:
        self.random.choice((self.step, self.step, self.store))()

    def compare(self) -> list[tuple[str, str]]:
        """Hold everything against the plain count, now that all is at rest; returns what is not called complete."""
        fresh, lacking = self.beat() if self.shape.beats else TOLD_EVERYTHING, list[tuple[str, str]]()
        for which in self.views:
            for values in self.shape.values(which[1]):
                self.compared += 1
                if not self.reader.ask_one(self.table, self.views, which, values, fresh):
                    lacking.append(which)
            for product in PRODUCTS if which[1] in (SHARED, EDGES) else ():
                if not self.reader.ask_listed(self.table, self.views, which, product, fresh):
                    lacking.append(which)
            if which[1] == RANKED and not self.reader.ask_first(self.table, self.views, which[0], fresh):
                lacking.append(which)
        self._set_aside()
        self._fail_if_wrong()
        return lacking

    def _deploy(self, strict: frozenset[str]) -> None:
        """A release that is strict about some sets; it declares its views in any order."""
        self.views = declared(self.own, strict)
        self.deploy(*self.random.sample(list(self.views.values()), len(self.views)))

    def _some_key(self) -> Any:
        return self.shape.key(self.random.choice(GROUPS), self.random.choice(NUMBERS))

    def _noted(self, command: dict[str, Any]) -> dict[str, Any]:
        self.commands[command["do"]] += 1
        self.reader.applied |= command["do"] in ("apply", "discard")
        self.discarded |= command["do"] == "discard"
        return command

    def _correct(self) -> None:
        """The owner puts orders right that nobody can read."""
        for item in self.all(lambda item: "S" in item.get("euros", {})):
            self.owner.put_item(TableName=NAME, Item=item | {"euros": {"N": "10"}})

    def _put_right(self) -> None:
        """Apply all that is set aside, and discard what nobody will ever read."""
        for _ in range(TRIES):
            if not self._set_aside():
                return
            for each in self.command(**self._noted({"do": "apply"}))["malformed"]:
                if not self.spoilt:
                    raise WrongError(f"a release that reads all can't read {each}")
                self.command(**self._noted(_discard(each)))
            self.wait(60)
            self.come_to_rest()
        raise WrongError("records are left in quarantine")

    def _set_aside(self) -> list[dict[str, Any]]:
        """What is in quarantine; raises WrongError if some of it has been there before, and had left."""
        records: list[dict[str, Any]] = self.command(do="list")["records"]
        now = {(each["shard"], each["sequence"]) for each in records if each["shard"] != FOLLOW_UPS}
        self._left |= self._aside - now
        if back := self._left & now:
            raise WrongError(f"set aside once more: {back}")
        self._aside = now
        return records

    def _repair(self) -> None:
        """Recount what says that it lacks something, where that can be recounted."""
        for of_set in SETS:
            view = self.views[of_set, DIRECT]
            for value in self.shape.groups:
                if not view.get(self.table, group=value).complete:
                    kind = view.declared.full_name
                    self.command(**self._noted({"do": "recount"}), kind=kind, dimensions=[value], repair=True)

    def _fail_if_wrong(self) -> None:
        if self.reader.wrong:
            raise WrongError(self.reader.wrong[0])


@contextmanager
def alone(seed: int) -> Iterator[World]:
    """Give the world of a seed, which is the same each time."""
    with reproducible():
        world = World(seed)
        with in_steps_of(world.random.choice(STEPS)):
            yield world


def _discard(record: dict[str, Any]) -> dict[str, Any]:
    return {"do": "discard", "shard": record["shard"], "sequence": record["sequence"]}
