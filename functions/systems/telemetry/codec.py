"""Items of telemetry."""

from collections.abc import Mapping

from edgewise import AggregateId, Cell, Item
from edgewise.aggregates.measures import measurable
from edgewise.dynamodb.attributes import Attribute, exact, key_item, key_of, number_of, s, string
from functions.owned import Person
from functions.place import index_keys
from functions.systems.telemetry import keys
from functions.systems.telemetry.entity import AttributeValue, Reading

# Names a number among the attributes that DynamoDB's numbers can't hold: a text alone would be one.
_NUMBER = "Number"


def event_item(event: Reading) -> Item:
    """One reading as an item: it is in no index, so it costs one write unit up to 1 KB."""
    item: Item = key_item(keys.EVENT(event.device, event.at, event.id)) | {
        "Type": s("EVENT"),
        "Metrics": {"M": {name: exact(value) for name, value in event.metrics.items()}},
    }
    if event.place:
        item["Place"] = {"L": [s(component) for component in event.place]}
    if event.attributes:
        item["Attributes"] = {"M": {name: _attribute(value) for name, value in event.attributes.items()}}
    return item


def sent_item(event: Reading, sender: str) -> Item:
    """The same with the id of its first sender, which no reader of the stream needs."""
    return event_item(event) | {"Sender": s(sender)}


def sender(item: Item) -> str | None:
    """Who sent a reading first; None if it was not sent through the API or the queue."""
    return string(item["Sender"]) if "Sender" in item else None


def is_senders(item: Item, person: Person) -> bool:
    """Whether a person has sent a reading first."""
    return sender(item) == person.sub


def event(item: Item) -> Reading:
    """The inverse of event_item; refuses numbers that can't be measured, whose sums might not be exact."""
    device, at, event_id = keys.EVENT.parse(*key_of(item))
    metrics = {name: measurable(number_of(value)) for name, value in item["Metrics"]["M"].items()}
    place = tuple(string(component) for component in item["Place"]["L"]) if "Place" in item else ()
    attributes = {name: _value(told) for name, told in item["Attributes"]["M"].items()} if "Attributes" in item else {}
    return Reading(device, at, event_id, place, metrics, attributes)


def _attribute(value: AttributeValue) -> Attribute:
    if isinstance(value, bool):
        return {"BOOL": value}
    if isinstance(value, str):
        return s(value)
    number = exact(value)
    return number if "N" in number else {"M": {_NUMBER: number}}


def _value(attribute: Attribute) -> AttributeValue:
    if "BOOL" in attribute:
        return bool(attribute["BOOL"])
    if "S" in attribute:
        return string(attribute)
    return number_of(attribute["M"][_NUMBER] if "M" in attribute else attribute)


def device_of(item: Item) -> str:
    """The device that a summary is about."""
    device: str = keys.DEVICE.parse(*key_of(item))[0]
    return device


def by_place(aggregate_id: AggregateId, _: Mapping[str, Cell]) -> Item:
    """The key of the edge from a device to a place in the index by value."""
    device, place = aggregate_id.dimensions
    assert isinstance(place, tuple)
    return index_keys("DEVICE", str(device), place)
