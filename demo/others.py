"""Tells what the demo has posted from what others wrote into its table while it ran: whoever knows the address may."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from demo.flights import NOTHING, Flights
from demo.recount_flights import concerned
from ops.recounting.facts import Facts, Name
from ops.recounting.recount import recount, with_milliseconds
from ops.recounting.samples import Message, Reading

# So many senders of others' are named.
NAMED = 5


@dataclass(frozen=True)
class Sources:
    """Readings, messages and a graph, as they were posted or as they are stored; of others, what they changed of it."""

    readings: Sequence[Reading]
    messages: Sequence[Message]
    graph: Flights = NOTHING

    def told_from(self, posted: "Sources") -> "tuple[Sources, Sources]":
        """Those with the content of something posted, and the others."""
        readings, messages = set(map(_measured, posted.readings)), set(map(_written, posted.messages))
        own = Sources(
            [each for each in self.readings if _measured(each) in readings],
            [each for each in self.messages if _written(each) in messages],
        )
        others = Sources(
            [each for each in self.readings if _measured(each) not in readings],
            [each for each in self.messages if _written(each) not in messages],
            posted.graph.changed(self.graph),
        )
        return own, others

    @property
    def numbers(self) -> Facts:
        """How many there are."""
        numbers = {"EVENT": len(self.readings), "MESSAGE": len(self.messages)}
        return {Name(kind, ()): {"items": number} for kind, number in numbers.items()}

    def counted_by(self, posted: "Sources") -> Facts:
        """The aggregates that count any of them, beside what was posted."""
        return recount(self.readings, self.messages) | concerned(posted.graph, self.graph)

    def __str__(self) -> str:
        """How many, and of whom; empty if there are none."""
        readings = Counter(each.device for each in self.readings)
        messages = Counter(f"{each.user} in {each.room}" for each in self.messages)
        edges = Counter("/".join(edge.source) for edge in self.graph.edges)
        states = Counter(self.graph.airports.keys())
        told = {"readings": readings, "messages": messages, "edges": edges, "states": states}
        return ", ".join(filter(None, [_told(what, by) for what, by in told.items()]))


def _measured(reading: Reading) -> object:
    return reading.device, with_milliseconds(reading.at), reading.place, frozenset(reading.metrics.items())


def _written(message: Message) -> object:
    return message.room, message.user, with_milliseconds(message.sent_at), message.text


def _told(what: str, by: Counter[str]) -> str:
    named = [f"{name}: {number:,}" for name, number in by.most_common(NAMED)] + ["…"] * (len(by) > NAMED)
    return f"{by.total():,} {what} ({', '.join(named)})" if by else ""
