"""Looks at the table's content, and at the cells of all aggregates that it should have.

Everything that an aggregate counts is an item of the table, and the declarations say which cells an item feeds. So a
cell that no item feeds should not exist, in no kind of aggregate, whether or not the API ever returns it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from demo.flights import AIRPORT, Airport, Edge, Flights
from demo.others import Sources
from edgewise.aggregates import keys
from edgewise.aggregates.open_hours.declaration import opened
from edgewise.dynamodb.attributes import Item, string
from edgewise.times import rfc_3339
from functions.catalog import CATALOG
from functions.systems.chat import codec as chat
from functions.systems.graph import codec as graph
from functions.systems.telemetry import codec as telemetry
from ops.recounting.compare import Comparison, compare
from ops.recounting.facts import Facts, Fields, Name
from ops.recounting.samples import Message, Reading

ONE: Fields = {"cells": 1}


@dataclass(frozen=True)
class Look:
    """What there was in the table: readings and messages, and the cells compared with those fed."""

    sources: Sources
    cells: Comparison

    def after(self, before: "Look") -> "Look":
        """Without the differences that an earlier look has not found: what somebody writes meanwhile is under way.

        Everything from before the first look must have been absorbed before this one.
        """
        lasting = {line.name for line in before.cells.different}
        passing = {line.name for line in self.cells.different if line.name not in lasting}
        return Look(self.sources, self.cells.without(passing))


def look(stored: Iterable[Item]) -> Look:
    """Look at all items once."""
    readings: list[Reading] = []
    messages: list[Message] = []
    edges: list[Edge] = []
    airports: dict[str, Airport] = {}
    found: Facts = {}
    fed: Facts = {}
    for item in stored:
        if string(item["Type"]) == "EVENT":
            readings.append(_reading(item))
        if string(item["Type"]) == "MESSAGE":
            messages.append(_message(item))
        if string(item["Type"]) == graph.EDGE:
            edges += _edge(item)
        if string(item["Type"]) == graph.NODE:
            airports |= _airport(item)
        found |= dict.fromkeys(_cells(item), ONE)
        fed |= dict.fromkeys(_feeds(item), ONE)
    return Look(Sources(readings, messages, Flights(airports, edges)), compare("cells stored", found, fed))


def _reading(item: Item) -> Reading:
    event = telemetry.event(item)
    return Reading(event.device, rfc_3339(event.at), event.place, event.metrics)


def _message(item: Item) -> Message:
    message = chat.message(item)
    return Message(message.room, message.user, rfc_3339(message.sent_at), message.id, message.text)


def _edge(item: Item) -> list[Edge]:
    """An edge; twice if somebody has given it another weight than the demo does."""
    found = graph.edge(item)
    (source_type, source), (target_type, target) = found.ends
    return [Edge((source_type, source), found.label, (target_type, target))] * (1 if found.weight == 1 else 2)


def _airport(item: Item) -> dict[str, Airport]:
    """How an airport is; of other nodes, nothing."""
    (of_type, name), state = graph.node(item).id, graph.state(item)
    return {name: Airport(state.name, int(dict(state.measures).get("cancelled", -1)))} if of_type == AIRPORT else {}


def _cells(item: Item) -> Iterator[Name]:
    """The cells of an aggregate, and those of others for which something is still open in it."""
    if "Seqs" in item and "Cells" in item:
        for name in item["Cells"]["M"]:
            yield Name(string(item["Type"]), (string(item["PK"]), string(item["SK"]), name))
    if "Open" in item:
        for about, changes in opened(CATALOG.aggregate_of(item), item).items():
            yield from (Name(about.kind.name, (*keys.of(about), name)) for name in changes)


def _feeds(item: Item) -> Iterator[Name]:
    """The cells that an item contributes to; an emptied edge contributes to none."""
    for aggregate_id, observations in CATALOG.contributions_of(item).items():
        for name in observations:
            yield Name(aggregate_id.kind.name, (*keys.of(aggregate_id), name))
