"""Aggregates that are declared later are filled while the stream counts new changes: nothing is missed or doubled."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from edgewise.aggregates.backfill import Backfilling
from edgewise.aggregates.feeds import Feed
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.open_hours.declaration import OpenedIn
from edgewise.stream import repairs
from edgewise.stream.register import register
from functions.catalog import CATALOG, SYSTEMS
from functions.systems.telemetry.system import DEVICE
from tests.batch.histories import checked, happen, pass_by, settled, snapshot, world
from tests.batch.test_repairs import plan_of, repaired
from tests.support.parts import with_part

FEEDS: list[tuple[Kind, Feed | OpenedIn]] = [
    *((kind, feed) for kind in CATALOG.kinds.values() for feed in kind.feeds),
    *((kind, kind.opened_in) for kind in CATALOG.kinds.values() if kind.opened_in),
]


@contextmanager
def before_declaring(later: Sequence[tuple[Kind, Feed | OpenedIn]]) -> Iterator[None]:
    """A release that does not know these feeds of aggregates yet."""
    known = {of: [fed for fed in feeds if fed not in later] for of, feeds in CATALOG.feeds.items()}
    hours = DEVICE.open_hours
    assert hours
    closes = tuple(kind for kind in hours.closes if (kind, kind.opened_in) not in later)
    with patch.object(CATALOG, "feeds", known), with_part(DEVICE, replace(hours, closes=closes)):
        yield


@contextmanager
def backfilling(later: Sequence[tuple[Kind, Feed | OpenedIn]]) -> Iterator[None]:
    """The kinds that these feeds feed are marked."""
    with ExitStack() as marks:
        for kind, _ in later:
            marks.enter_context(with_part(kind, Backfilling()))
        yield


@pytest.mark.histories(16)
def test_what_was_declared_later_counts_everything(seed: int, tmp_path: Path) -> None:
    """The release changes in the midst of a history; records of before may come again after it.

    At no moment is a number wrong that does not say so.
    """
    random = Random(seed)
    later = random.sample(FEEDS, random.choice((1, 2, 4, random.randint(1, len(FEEDS)))))
    with world(random) as each, backfilling(later):
        with before_declaring(later):
            happen(random, each, random.randint(10, 60))
        happen(random, each, random.randint(0, 10))
        before, at, when = snapshot(each), snapshot(each), pass_by(each)
        happen(random, each, random.randint(0, 2))
        each.drain()
        found = checked(each, tmp_path, at, before, snapshot(each))
        repaired(random, each, found, when)
        happen(random, each, random.randint(0, 10))
        for _ in range(3):
            rest, then = settled(each, tmp_path)
            assert {each.kind for each in rest.differing} <= {kind for system in SYSTEMS for kind in system.backfilling}
            repairs.apply(each.table, register(each.table), then, plan_of(rest), lambda: True)
        outcome = each.outcome()
    assert outcome.found == outcome.expected
