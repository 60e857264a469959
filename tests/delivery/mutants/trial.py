"""A short history under chosen faults, and whether the aggregates are exact after it."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from random import Random
from unittest.mock import patch

from delivery import NONE, Faults
from delivery.reader import Reader
from functions.catalog import CATALOG
from tests.delivery.consuming import READS_ALL, Consume, Release, in_steps_of, released
from tests.delivery.mutants.lagging import LaggingMemory
from tests.delivery.simulated import SimulatedMemory
from tests.delivery.stories import STORIES, audits, billing, chat, places, telemetry
from tests.delivery.stories.story import Story
from tests.delivery.world import EndlessError, ForgottenError, World

Happening = Callable[[World], None]
COME_AND_GO: tuple[Happening, ...] = (World.store, World.store, World.remove, World.deliver)


@dataclass(frozen=True)
class Trial:
    """A history of these systems: 40 of these happenings, with these faults of the delivery and no others.

    `checkpoints_anywhere`: a lost one may also lie within a window, although Lambda takes them between windows.
    `lags`: reads that are eventually consistent show it.
    `statements`: aggregates are written by statements, many in a request.
    `items_a_step`: how many items recounts read at a time.
    """

    stories: tuple[Story, ...] = STORIES
    happenings: tuple[Happening, ...] = COME_AND_GO
    faults: Faults = NONE
    checkpoints_anywhere: bool = False
    table: Callable[[int], SimulatedMemory] = SimulatedMemory
    lags: bool = False
    statements: bool = False
    items_a_step: int = 1000

    def is_exact(self, seed: int, consume: Consume) -> bool:
        """Whether the aggregates are what a recount says, when everything is delivered and redriven.

        They count as exact where failures took so long that nothing can be said.
        """
        random, table = Random(seed), (LaggingMemory if self.lags else self.table)(2)
        table.faults, table.statements = self.faults, self.statements
        within = patch.object(Reader, "_window_start", lambda _, position: position)
        anywhere = within if self.checkpoints_anywhere else nullcontext()
        with released() as releases, in_steps_of(self.items_a_step), anywhere:
            world = World(random, table, consume, releases, self.stories)
            for _ in range(40):
                random.choice(self.happenings)(world)
            try:
                outcome = world.outcome()
            except ForgottenError:
                return True
            except EndlessError:
                return False
            except (KeyError, AttributeError):  # so wrong that they can't even be read: a number without another
                return False
        return bool(outcome.found == outcome.expected)

    @property
    def undisturbed(self) -> "Trial":
        """The same without any fault."""
        return replace(self, faults=NONE, lags=False)

    @property
    def by_statements(self) -> "Trial":
        """The same with aggregates that are written by statements."""
        return replace(self, statements=True)

    def under(self, **rates: float) -> "Trial":
        """The same with some faults, of these rates."""
        return replace(self, faults=Faults(**rates, rewind=15))


def misread(world: World) -> None:
    """A release runs that can't read every second item."""
    world.releases.current = Release(frozenset(CATALOG.source_types), some=True)


def fix(world: World) -> None:
    """A release runs that reads everything, and somebody redrives a record."""
    world.releases.current = READS_ALL
    world.redrive()


def fix_at_leisure(world: World) -> None:
    """The same, and nothing disturbs the redrive."""
    world.releases.current = READS_ALL
    world.redrive((None,))


def remove_some(world: World) -> None:
    """Sources are taken away, often all of a cell's."""
    for _ in range(5):
        world.remove()


CHAT = Trial((chat.STORY,))
# What no carrier has a part in.
AUDITS, BILLS = Trial((audits.STORY,)), Trial((billing.STORY,))
READINGS = Trial((telemetry.STORY,))
# Two shards feed the same places.
RESIDENTS = Trial((places.STORY,))
REDRIVEN: tuple[Happening, ...] = (*COME_AND_GO, misread, fix, fix)
