"""The program's one loop: it looks what is deployed, reads what is new, and has it delivered."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from botocore.exceptions import BotoCoreError, ClientError

from delivery import Clock
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from edgewise.dynamodb.table import Table
from edgewise.errors import PassingError
from local.stream.course import Course
from local.stream.deployed import Deployed
from local.stream.expiry import Expiry
from local.stream.lane import Outside
from local.stream.misdeliveries import Misdeliveries
from local.stream.tail import Tail

# As often as Lambda polls a shard.
POLL_SECONDS = 0.25
# Between two looks at what is deployed.
LOOK_SECONDS = 1.0
# For so long records stay with the emulator while a reader is behind. Each window costs two calls, however little is in
# it: on a busy machine that would take longer than the window itself, and the reader would fall behind for ever.
HELD_SECONDS = 15.0
# After a failure, since the cloud may be stopping.
PAUSE_SECONDS = 1.0


class World(NamedTuple):
    """What the program needs of the cloud: what is deployed, the emulator's streams by ARN, and its tables."""

    deployed: Callable[[], list[Deployed]]
    tail: Callable[[str], Tail]
    dynamodb: Any
    outside: Outside


@dataclass
class _Read:
    tail: Tail
    expiry: Expiry
    course: Course
    taken_at: float = 0.0


class Program:
    """Delivers all streams that a mapping reads. `lock` is held while it or anybody else uses them.

    `woken`: set when there is something to do before the next look.
    """

    def __init__(self, world: World, woken: threading.Event, now: Callable[[], float] = time.time) -> None:
        self.lock = threading.RLock()
        self._world, self._woken, self._now = world, woken, now
        self._clock = Clock(now())
        self._read: dict[str, _Read] = {}
        self._looked_at = 0.0

    @property
    def courses(self) -> Mapping[str, Course]:
        """What is read, by the stream's ARN."""
        return {arn: each.course for arn, each in self._read.items()}

    def run(self) -> None:
        """Deliver for ever."""
        told = ""
        while True:
            try:
                self.step()
                told, pause = "", self._pause()
            except (BotoCoreError, ClientError, PassingError) as error:
                if str(error) != told:
                    self._world.outside.tell(f"not delivered: {error}")
                told, pause = str(error), PAUSE_SECONDS
            self._woken.wait(pause)
            self._woken.clear()

    def step(self) -> None:
        """Read what is new, and deliver what is due; raises botocore's errors and PassingError."""
        with self.lock:
            if self._now() - self._looked_at >= LOOK_SECONDS:
                self.look()
            self._fetch(lambda each: not (each.course.is_behind and self._clock.now - each.taken_at < HELD_SECONDS))
            for course in self.courses.values():
                course.step()
            for course in self.courses.values():
                course.write()

    def fetch(self) -> None:
        """Read all that is new; raises botocore's errors."""
        with self.lock:
            self._fetch(lambda _: True)

    def look(self) -> None:
        """Find the mappings, and remove what has expired; raises botocore's errors.

        A stream that no mapping reads any more is still there for those who read it themselves.
        """
        with self.lock:
            found = self._world.deployed()
            self._looked_at = self._now()
            for arn in {each.stream for each in found} - self._read.keys():
                self._read[arn] = self._begin(arn)
            for arn, each in self._read.items():
                each.course.map([mapping for mapping in found if mapping.stream == arn])
                each.expiry.expire(self._now())

    def _fetch(self, takes: Callable[[_Read], bool]) -> None:
        """Read what is new where that is taken. A record is in its stream from then on."""
        self._clock.wait_until(self._now())
        for each in filter(takes, self._read.values()):
            each.taken_at = self._clock.now
            for form in each.tail.news():
                own = {"ApproximateCreationDateTime": float(int(each.taken_at))}
                each.course.add({**form, "dynamodb": {**form["dynamodb"], **own}})

    def _begin(self, arn: str) -> _Read:
        world, table = self._world, arn.split("/")[1]
        tail, expiry = world.tail(arn), Expiry(world.dynamodb, table, TTL_ATTRIBUTE)
        asked = Misdeliveries(Table(table, world.dynamodb), self._clock, world.outside.tell)
        return _Read(tail, expiry, Course(tail.source(), world.outside, expiry.noted, self._clock, asked))

    def _pause(self) -> float:
        due = [at for course in self.courses.values() if (at := course.due()) is not None]
        return max(0.0, min([POLL_SECONDS, *(at - self._now() for at in due)]))
