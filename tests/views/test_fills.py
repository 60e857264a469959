"""Filled views count what was stored before they were declared, whatever is written and delivered meanwhile."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from delivery import KilledError
from edgewise import OwnTable
from edgewise.aggregates.catalog import Catalog
from edgewise.own import filling, fills
from edgewise.stream import sweep
from edgewise.views import NotYetFilledError
from edgewise.views import view as declaring
from tests.support.own_tables import Shop
from tests.views.agreeing import Views, disagreements
from tests.views.drawing import counted, declare, draw, fields
from tests.views.writing import TABLES, change, orders

DECLARATIONS, SEEDS, BEFORE, CHANGES = 2, 8, 8, 10
# How many items a page of a fill has; how often others run beside it, and it dies, around one of its writes.
PAGES, BESIDE, KILLED = (3, 10), 0.3, 0.1


def drawn(random: Random, own: OwnTable, number: int) -> Views:
    """Views of orders that can be filled, and views of these."""
    found, of = Views(), fields(own)
    while len(found) < number:
        each, *uppers = draw(random, len(found))
        measures = {name: made for name, made in each.measures.items() if made[0] != "distinct"}
        if measures:
            filled = replace(each, measures=measures, ranked=None, fill=True)
            below = declare(filled, of)
            found.append((filled, below))
            for upper in uppers:
                with suppress(AttributeError):  # it would count different values, of which there are none here
                    made = replace(upper, of=filled, fill=True)
                    found.append((made, declare(made, below)))
    return found


class History:
    """A shop that had orders already when its views were declared; the fill of these, and what happens beside it."""

    def __init__(self, kept: Views, own: OwnTable, seed: int) -> None:
        self.kept, self.random, self.shop = kept, Random(seed), Shop(own, seed)
        self.seen: dict[str, set[tuple[str, ...]]] = {each.name: set() for each, _ in kept}
        self.deaths = 0
        with self.shop.before():
            for _ in range(BEFORE):
                self.change()

    def change(self) -> None:
        change(self.shop, self.random)
        for each, _ in self.kept:
            self.seen[each.name] |= counted(each, orders(self.shop)).keys()

    def live(self) -> list[str]:
        """What is wrong in the end."""
        self.shop.deploy(*(view for _, view in self.kept))
        with self.shop.delivered(), self.disturbed():
            for _ in range(CHANGES):
                self.happen()
            assert self.raising(), "nobody has asked for a fill yet"
            complete = False
            while not complete:
                complete = self.fill()
                for _ in range(self.random.randint(0, 2)):
                    self.happen()
            self.shop.wait(filling.SETTLING)
            for _ in range(CHANGES):
                self.happen()
            self.shop.drain()
            return disagreements(self.shop, self.kept, self.seen)

    def happen(self) -> None:
        """The owner writes something, or there are deliveries, or time passes."""
        self.random.choice([*[self.change] * 3, *[self.shop.step] * 4, self.wait, self.sweep])()

    def wait(self) -> None:
        self.shop.wait(self.random.choice((0.5, 5, 60)))

    def sweep(self) -> None:
        kinds = (kind for _, view in self.kept for kind in declaring.kept(view.declared).kinds)
        sweep.sweep(self.shop.table, Catalog(kinds), lambda: True)

    def fill(self) -> bool:
        """Whether an operator who asks for the fill, or the schedule that goes on with it, sees its end."""
        asked: Mapping[str, Any] = {"do": "fill", "per_second": self.random.choice((1, 2, 5000))}
        asked = self.random.choice([asked, asked, {"do": "sweep"}])
        with suppress(KilledError):
            return bool(self.shop.command(self.random.choice((3, 10, 50)), **asked).get("fills") and self.is_over())
        return False

    def is_over(self) -> bool:
        return all(each["complete"] for each in self.shop.command(do="list")["fills"])

    def raising(self) -> bool:
        """Whether none of the views can be read yet."""
        for each, view in self.kept:
            asked: Any = dict.fromkeys(each.keys, "a")
            with suppress(NotYetFilledError):
                view.get(self.shop.table, **asked)
                return False
        return True

    @contextmanager
    def disturbed(self) -> Iterator[None]:
        """Others run before and after writes of the fill, and it may die there."""
        put, store = filling._put, fills.store
        with (
            patch.object(filling, "PAGE", self.random.choice(PAGES)),
            patch.object(filling, "_put", self._around(put)),
            patch("edgewise.own.filling.store", self._around(store)),
        ):
            yield

    def _around(self, write: Callable[..., Any]) -> Callable[..., Any]:
        def disturbed(*arguments: Any) -> Any:
            self._beside()
            done = write(*arguments)
            self._beside()
            return done

        return disturbed

    def _beside(self) -> None:
        if self.random.random() < KILLED:
            self.deaths += 1
            raise KilledError
        while self.random.random() < BESIDE:
            self.happen()


@pytest.mark.parametrize("seed", range(SEEDS))
def test_each_row_equals_a_plain_count_of_all_that_is_stored(seed: int) -> None:
    own = TABLES[seed % len(TABLES)]
    assert History(drawn(Random(seed), own, DECLARATIONS), own, seed).live() == []
