"""One history of views that are drawn at random: what a shop writes, its releases and operators, under any delivery."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from botocore.exceptions import ClientError

from delivery import Fault, KilledError
from delivery.invocation import Invocation
from edgewise import OwnTable
from edgewise.aggregates.catalog import DeclarationError
from edgewise.errors import PassingError
from edgewise.views import View
from tests.support.own_tables import Shop
from tests.views.agreeing import Agreement, Groups, Views
from tests.views.drawing import Drawn, counted, declare, draw, fields
from tests.views.writing import change, orders

# How many changes a history has; how often a release or an operator comes after one; how often a release is strict.
CHANGES, RELEASED, OPERATED, STRICT = 25, 0.1, 0.1, 0.5
# What strict releases take to be there always.
ASSUMED = ("status", "net")
MINUTE, HOUR = 60, 3600
# So often what is left is tried again in the end.
TRIES = 5
OF_COMMANDS = (None, Fault.KILLED_BEFORE, Fault.KILLED_AFTER, Fault.WRITE_REPEATED, Fault.THROTTLED, Fault.RACED)


def drawn(random: Random, own: OwnTable, number: int) -> list[Drawn]:
    """Views of orders, and of such views, that can be exact; those that can't are refused, and drawn anew."""
    found, of = list[Drawn](), fields(own)
    while len(found) < number:
        below: Any = of
        for each in draw(random, len(found)):
            try:
                below = declare(each, below)
            except DeclarationError:
                break
            found.append(each)
    return found


def released(views: Sequence[Drawn], own: OwnTable, strict: frozenset[str] = frozenset()) -> Views:
    """The views as a release declares them that can't read orders without these."""
    made: dict[str, type[View]] = {}
    of = fields(own, strict)
    for each in views:
        made[each.name] = declare(each, made[each.of.name] if each.of else of)
    return [(each, made[each.name]) for each in views]


class World:
    """A shop with all that may happen to it and its views."""

    def __init__(self, views: Sequence[Drawn], own: OwnTable, seed: int) -> None:
        self.shop, self.random = Shop(own, seed), Random(seed)
        self.aside, self.applied, self.compared = set[tuple[str, str]](), 0, 0
        self._views = views
        self._seen: Mapping[str, Groups] = {each.name: set() for each in views}
        self._release(frozenset())

    def live(self, changes: int = CHANGES) -> list[str]:
        """Let so many things be written, and others happen; return what is wrong in the end. Raises EndlessError."""
        with self.shop.surrounded():
            for _ in range(changes):
                self._change()
                for _ in range(self.random.randint(0, 3)):
                    self.shop.step()
                if self.random.random() < RELEASED:
                    self._release(frozenset(name for name in ASSUMED if self.random.random() < STRICT))
                if self.random.random() < OPERATED:
                    self._operate()
            self._settle()
            agreement = Agreement(self.shop)
            wrong = agreement.wrong(self.kept, self._seen)
            self.compared = agreement.compared
        return [*(["records are left in quarantine"] if self._set_aside() else []), *wrong]

    def _change(self) -> None:
        change(self.shop, self.random)
        told = orders(self.shop)
        for each in self._views:
            self._seen[each.name].update(counted(each, told))
        self.shop.wait(self.random.choice((0, 0, 0.2, 1, 5, 20)))

    def _release(self, strict: frozenset[str]) -> None:
        """From now on a release runs that can't read some orders, or one that reads all."""
        self.kept = released(self._views, self.shop.own, strict)
        self.shop.deploy(*(view for _, view in self.kept))

    def _operate(self) -> None:
        """An operator applies what is set aside, or lets the sweep run; deliveries go on beside, or it dies."""
        self._set_aside()
        self._attempt(do=self.random.choice(("apply", "apply", "sweep")))

    def _attempt(self, **command: Any) -> None:
        hook, fault = self.shop.hook, self.random.choice(OF_COMMANDS)
        self.shop.hook = Invocation(fault, self.random.randint(1, 12), lambda _: self._beside(hook))
        try:
            with suppress(KilledError, PassingError, ClientError):
                self.applied += self.shop.command(**command).get("applied", 0)
        finally:
            self.shop.hook = hook

    def _beside(self, deliveries: Any) -> None:
        interrupted, self.shop.hook = self.shop.hook, deliveries
        self.shop.step()
        self.shop.hook = interrupted

    def _settle(self) -> None:
        """All can be read, and is applied until nothing is left."""
        self._release(frozenset())
        self.shop.drain()
        for _ in range(TRIES):
            if not self._set_aside():
                break
            self.applied += self.shop.command(do="apply")["applied"]
            self.shop.wait(MINUTE)
            self.shop.drain()
        self.shop.wait(HOUR)  # what sweeps take up is as old
        self.shop.command(do="sweep")
        self.shop.drain()

    def _set_aside(self) -> bool:
        """Whether anything is in quarantine; what has ever been there is noted."""
        found = {(each["shard"], each["sequence"]) for each in self.shop.command(do="list")["records"]}
        self.aside |= found
        return bool(found)
