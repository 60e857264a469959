"""Items of the table to entities and back. Decoding raises KeyError, TypeError or ValueError on a foreign item."""

from collections.abc import Callable, Mapping

from functions.domain.declarations import Source
from functions.domain.entities import Edge, Event, Message, Room, Widening
from functions.domain.measures import measurable
from functions.domain.times import from_rfc_3339, rfc_3339
from functions.store import keys
from functions.store.attributes import Item, integer, n, number, s, string
from functions.store.keys import Key


def key_item(key: Key) -> Item:
    """The key attributes of an item."""
    return {"PK": s(key.pk), "SK": s(key.sk)}


def event_item(event: Event) -> Item:
    """One reading as an item: no index carries it, so it costs one write unit up to 1 KB."""
    item: Item = key_item(keys.event(event.device, event.at, event.id)) | {
        "Type": s("EVENT"),
        "Metrics": {"M": {name: n(value) for name, value in event.metrics.items()}},
    }
    if event.place:
        item["Place"] = {"L": [s(component) for component in event.place]}
    return item


def event(item: Item) -> Event:
    """The inverse of event_item; refuses numbers whose sums could not be kept exactly."""
    device, at, event_id = keys.parse_event(string(item["PK"]), string(item["SK"]))
    metrics = {name: measurable(number(value)) for name, value in item["Metrics"]["M"].items()}
    place = tuple(string(component) for component in item["Place"]["L"]) if "Place" in item else ()
    return Event(device, at, event_id, place, metrics)


def message_item(message: Message) -> Item:
    """One message as an item, with the inverted template as its entry in the index by time."""
    key = keys.message(message.room, message.shard, message.user, message.sent_at, message.id)
    return key_item(key) | {
        "Type": s("MESSAGE"),
        "Text": s(message.text),
        "GSI1PK": s(key.pk),
        "GSI1SK": s(keys.message_by_time(message.user, message.sent_at, message.id)),
    }


def message(item: Item) -> Message:
    """The inverse of message_item."""
    room, shard, user, sent_at, message_id = keys.parse_message(string(item["PK"]), string(item["SK"]))
    return Message(room, shard, user, sent_at, message_id, string(item["Text"]))


def room_item(room: Room) -> Item:
    """What is known of a room beside its numbers: the history of its shards."""
    return key_item(keys.room_metadata(room.name)) | {
        "Type": s("ROOM_METADATA"),
        "Version": n(room.version),
        "History": {
            "L": [{"M": {"Since": s(rfc_3339(step.since)), "Shards": n(step.shards)}} for step in room.history]
        },
    }


def room(item: Item) -> Room:
    """The inverse of room_item."""
    history = (step["M"] for step in item["History"]["L"])
    steps = tuple(Widening(from_rfc_3339(string(step["Since"])), integer(step["Shards"])) for step in history)
    return Room(keys.node(string(item["PK"]))[0], steps, integer(item["Version"]))


def edge(item: Item) -> Edge:
    """An edge as a source of further aggregates; one that stands for nothing any more has the count 0."""
    source, target = keys.node(string(item["PK"])), keys.edge_target(string(item["SK"]))
    count = item["Cells"]["M"]["Count"] if "Cells" in item else n(0)
    return Edge(source, target, integer(count) if "N" in count else int(string(count).partition(" ")[0]))


SOURCES: Mapping[str, Callable[[Item], Source]] = {
    "EVENT": event,
    "MESSAGE": message,
    "POSTED_IN": edge,
    "REPORTED_FROM": edge,
    "HOSTS": edge,
}
