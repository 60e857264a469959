"""What an aggregate holds open, and how it passes all of it on."""

from collections.abc import Set
from dataclasses import replace

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.open_hours.declaration import OpenedIn, OpenHours
from edgewise.aggregates.open_hours.hours import NOTHING_OPEN, OpenPart, Put
from edgewise.aggregates.parts import keeping
from edgewise.times import Millis


def opened(of: Aggregate) -> OpenPart:
    """The open part of an aggregate."""
    found: OpenPart = of.kept.get(OpenHours, NOTHING_OPEN)
    return found


def acknowledging(of: Aggregate, numbers: Set[int], now: Millis) -> Aggregate:
    """The aggregate that knows the closings with these numbers to be absorbed by all whom they feed."""
    return replace(of, kept=keeping(of.kept, OpenHours, opened(of).acknowledged(numbers, now)))


def closed(of: Aggregate) -> int:
    """The number of the last closing that an aggregate's checkpoints cover; 0 if none."""
    found: int = of.kept.get(OpenedIn, 0)
    return found


def closed_to(of: Aggregate, number: int) -> Aggregate:
    """The aggregate that has absorbed all closings up to this number."""
    return replace(of, kept=keeping(of.kept, OpenedIn, max(closed(of), number) or None))


def closing(of: Aggregate, now: Millis) -> Aggregate:
    """The aggregate after a put that passes on all that is open in it."""
    version = of.next_version(now)
    part = opened(of).closed(Put(version, now))
    kept = keeping(of.kept, OpenHours, part if part != NOTHING_OPEN else None)
    return replace(of, version=version, kept=kept)
