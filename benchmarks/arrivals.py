"""A fleet as it arrives: each device in a rhythm of its own, at any millisecond, some of it late or from elsewhere."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from benchmarks.workloads import Workload, metrics, place
from edgewise.times import HOUR, SECOND, Millis, rfc_3339
from ops.recounting import samples


@dataclass(frozen=True)
class Arrivals:
    """Devices that report every so many seconds, `a_site` of them at each site, of places of four levels.

    `late`: this share of the readings comes up to an hour after its instant. `moving`: this share of the readings comes
    from another site than the device's reading before: any site, or one of so many that the device `knows`, in turn.
    """

    devices: int
    metrics: int = 3
    a_site: int = 20
    every: int = 60
    late: float = 0.0
    moving: float = 0.0
    knows: int = 0

    def second(self, at: Millis) -> Workload:
        """What arrives in the second that begins at this instant, in order."""
        turn, offset = divmod(at // SECOND, self.every)
        due = self._due.get(offset, ())
        return Workload("fleet", [self._reading(device, turn, at + after) for after, device in due], ())

    @cached_property
    def _due(self) -> dict[int, list[tuple[Millis, int]]]:
        """By second of their rhythm, the devices and the millisecond in which they report."""
        chance, found = random.Random(self.devices), dict[int, list[tuple[Millis, int]]]()
        for device in range(self.devices):
            second, after = divmod(chance.randrange(self.every * SECOND), SECOND)
            found.setdefault(second, []).append((after, device))
        return {second: sorted(due) for second, due in found.items()}

    def _reading(self, device: int, turn: int, arrives: Millis) -> samples.Reading:
        chance = random.Random(f"{device} {turn}")
        measured = metrics(chance, self.metrics)
        at = arrives - (chance.randrange(HOUR) if chance.random() < self.late else 0)
        site = next(self._moves(device, turn), device // self.a_site)
        return samples.Reading(f"fleet-{device:06d}", rfc_3339(at), place(site), measured)

    def _moves(self, device: int, turn: int) -> Iterator[int]:
        """The sites to which a device has moved, the last one first."""
        for before in range(turn, turn - self._memory, -1):
            chance = random.Random(f"{device} moves {before}")
            if chance.random() < self.moving:
                yield self._next(device, before, chance)

    def _next(self, device: int, turn: int, chance: random.Random) -> int:
        sites = max(1, self.devices // self.a_site)
        return (device // self.a_site + turn % self.knows) % sites if self.knows else chance.randrange(sites)

    @property
    def visiting(self) -> "Arrivals":
        """The same devices while they come to know their sites: each goes to the next one with every reading."""
        return replace(self, moving=1.0) if self.knows else self

    @property
    def _memory(self) -> int:
        """How many turns back a move is looked for: nearly every device has moved since."""
        return round(5 / self.moving) if self.moving else 0
