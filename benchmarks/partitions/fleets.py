"""Fleets of any size: what reaches the table, the keys of carriers, and the readers of the stream, in each second."""

import math
from collections import Counter
from dataclasses import dataclass
from random import Random

from benchmarks.partitions import costs
from benchmarks.partitions.model import LIMITS
from benchmarks.workloads import place
from delivery.sizes import item_size
from edgewise.aggregates.carriers.carrying import Carrier
from edgewise.aggregates.carriers.groups import Groups
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Batch, Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Observation
from edgewise.stream import windows
from edgewise.stream.invocation import MUCH_BROUGHT
from functions.systems.places.system import PLACE

A_SITE, EVERY = 20, 60  # devices, and seconds between two readings of a device
# Write units of a reading's own item, and of its device, with the closings of its hours (docs/benchmarks.md).
OWN, OF_DEVICE = 1.0, 1.055
# Carriers come within so many seconds: not all shards learn at the same time that their windows have ended.
APART = 5
# With fewer places than that, a carrier is small enough for one group.
MOST = 2_000


@dataclass(frozen=True)
class Fleet:
    """What a fleet asks for.

    `carrier`: units of one. `key`: units a second of the partition key of a group, while its carriers come. `reader`:
    write units a second of the shard that reads a group, with its own readings. `units`: of a reading, with its own.
    """

    devices: int
    shards: int
    groups: int
    carrier: int
    key: float
    reader: float
    units: float

    @property
    def readings(self) -> float:
        """Readings a second."""
        return self.devices / EVERY

    @property
    def asked(self) -> float:
        """Write units a second of the table."""
        return self.readings * self.units


def simulate(devices: int, shards: int | None = None) -> Fleet:
    """A fleet whose table has grown with it, or has so many shards; and as many groups as the consumer makes."""
    readings = devices / EVERY
    lanes = shards or LIMITS.partitions(readings * (OWN + OF_DEVICE + 0.1))
    window = readings * windows.SECONDS
    places, taken = _places(devices), _taken(devices, max(1, round(window / lanes)), Random(1))
    groups = 2 ** max(0, math.ceil(math.log2(len(taken) / MOST)))
    while (brought := _brought(taken, groups)) * 4 / 3 * lanes > MUCH_BROUGHT and groups < 1024:
        groups *= 2
    carrier = math.ceil(brought / costs.KB)
    written = places / windows.SECONDS
    own = readings / lanes * OF_DEVICE + carrier * groups / windows.SECONDS
    units = OWN + OF_DEVICE + (places + lanes * groups * carrier) / window
    return Fleet(devices, lanes, groups, carrier, lanes * carrier / APART, written / groups + own, units)


def _places(devices: int) -> int:
    """How many places a fleet has, as benchmarks.workloads.place names them. Each has some reading in a window."""
    sites = math.ceil(devices / A_SITE)
    return sites + math.ceil(sites / 5) + math.ceil(sites / 25) + 1


def _taken(devices: int, readings: int, random: Random) -> Batch:
    """What a shard's window has for places: so many readings, each of another device."""
    counts = Counter[AggregateId]()
    for device in random.sample(range(devices), min(devices, readings)):
        path = place(device // A_SITE)
        counts.update(PLACE(path[:level]) for level in range(1, 5))
    return {
        about: [Effect(Checkpoint(number, costs.NOW), {"Events": Observation(count)}, {})]
        for number, (about, count) in enumerate(counts.items(), 1)
    }


def _brought(taken: Batch, groups: int) -> int:
    """Bytes of the shard's carrier to one group."""
    history = Groups.parse(str(groups))
    part = {about: effects for about, effects in taken.items() if history.group_of(about, costs.NOW) == 0}
    found = Carrier(0, costs.shard_id(0)).absorb(part, None, costs.NOW, {})
    return item_size(found.item) if found else 0
