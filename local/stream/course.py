"""One table's stream: the emulator's lane of records, spread over shards, and the mappings that deliver it."""

from collections.abc import Callable, Sequence

from delivery import Clock, Source, Stream
from delivery.records import record_of
from functions.faults.misdelivering import is_news
from local.stream.deployed import Deployed
from local.stream.lane import Lane, Outside
from local.stream.misdeliveries import Misdeliveries
from local.stream.tail import Form

# A stream begins with so many. Each costs a process of each reader.
SHARDS = 2

Note = Callable[[Form], Form]


class Course:
    """Takes a stream's records, each once, and has them delivered.

    - `noted`: what is added to a record before it is delivered
    - `asked`: what somebody wants to go wrong with it
    - `news`: the number of the last record that is news: what others cause, they cause again and again
    """

    def __init__(
        self,
        source: Source,
        outside: Outside,
        noted: Note,
        clock: Clock,
        asked: Misdeliveries,
        shards: int = SHARDS,
    ) -> None:
        self.stream = Stream(source, shards=shards, clock=clock)
        self.lanes: dict[str, Lane] = {}
        self.news = 0
        self._outside, self._noted, self._asked = outside, noted, asked

    def map(self, present: Sequence[Deployed]) -> None:
        """These are the mappings of the stream now."""
        self.lanes = {each.uuid: self._lane(each) for each in present}

    def add(self, form: Form) -> None:
        """Take the next record."""
        told = self._noted(form)
        record = record_of(told, told["dynamodb"]["ApproximateCreationDateTime"])
        self.stream.add(record, told["dynamodb"]["Keys"])
        self._asked.note(told)
        if is_news(told):
            self.news = record.sequence

    def step(self) -> None:
        """Go on behind what has ended, and begin what is due."""
        for lane in self.lanes.values():
            lane.step()

    def write(self) -> None:
        """Write down what went wrong as somebody asked; raises botocore's errors and PassingError."""
        self._asked.write()

    def due(self) -> float | None:
        """When there is something to do, in epoch seconds; None: not until something is written, or a call ends."""
        return min((due for lane in self.lanes.values() if (due := lane.due()) is not None), default=None)

    @property
    def is_behind(self) -> bool:
        """Whether windows come faster than this machine delivers them to a reader."""
        return any(lane.is_behind for lane in self.lanes.values())

    @property
    def left(self) -> int:
        """How many records are still to be delivered, to each reader."""
        return sum(lane.left for lane in self.lanes.values())

    def is_done(self, upto: int) -> bool:
        """Whether all records up to this number are delivered to all readers, and their windows have ended."""
        return all(lane.is_done(upto) for lane in self.lanes.values())

    def _lane(self, deployed: Deployed) -> Lane:
        lane = self.lanes.get(deployed.uuid)
        if lane is None:
            return Lane(self.stream, deployed, self._outside, self._asked)
        lane.change(deployed)
        return lane
