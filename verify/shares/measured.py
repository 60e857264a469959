"""The aggregates of readings by device, place, hour and day: the expected ones, and those that the API returns."""

from collections.abc import Iterator, Sequence
from functools import partial

from ops.recounting import readback
from ops.recounting.recount import DAYS, HOURS, devices, devices_at_places, devices_below, grouped, places, rollups
from verify.corner import Corner
from verify.facts import Check
from verify.shares.readings import METRICS, Reading, root


def checks(corner: Corner, readings: Sequence[Reading]) -> Iterator[Check]:
    """The checks by device, metric and place, as the API lists them."""
    stored = [reading.stored for reading in readings]
    for device, group in grouped((reading.device, reading) for reading in stored).items():
        yield Check(devices(group) | devices_at_places(group), partial(readback.device, of=device))
        for kind in (HOURS, DAYS):
            expected = rollups(kind, group)
            for metric in METRICS:
                of_metric = {name: fields for name, fields in expected.items() if name.about[1] == metric}
                yield Check(of_metric, partial(readback.rollups, kind=kind, of=device, metric=metric))
    # A place that lost all its readings by corrections must not be listed; only the run's root place certainly exists.
    yield Check(places(stored) | devices_below(stored), partial(readback.place, path=(root(corner),)))
