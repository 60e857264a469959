"""Items of push. Each has a time to live."""

from edgewise import Item, Key, Millis
from edgewise.dynamodb.attributes import integer, key_item, n, s, string
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from edgewise.times import DAY, SECOND
from functions.push import keys
from functions.push.entity import Connection, Listener, Subscription, Ticket

TICKET, CONNECTION, SUBSCRIPTION, LISTENER = TYPES = ("TICKET", "CONNECTION", "SUBSCRIPTION", "LISTENER")


def ticket_item(text: str, ticket: Ticket) -> Item:
    """A ticket."""
    return key_item(keys.ticket(text)) | {
        "Type": s(TICKET),
        "Sub": s(ticket.sub),
        "Expires": n(ticket.expires),
        "Issued": n(ticket.issued),
        "Ends": n(ticket.ends),
        "Rate": n(ticket.rate),
        TTL_ATTRIBUTE: _until(ticket.expires),
    }


def ticket(item: Item) -> Ticket:
    """The inverse of ticket_item."""
    return Ticket(string(item["Sub"]), *(integer(item[name]) for name in ("Expires", "Issued", "Ends", "Rate")))


def connection_item(connection: Connection) -> Item:
    """A connection, with its entry in the list of all."""
    return key_item(keys.connection(connection.id)) | {
        "Type": s(CONNECTION),
        "Sub": s(connection.sub),
        "Issued": n(connection.issued),
        "Ends": n(connection.ends),
        "Rate": n(connection.rate),
        "GSI1PK": s(keys.OPEN),
        "GSI1SK": s(keys.instant(connection.ends)),
        # It outlives its end: whoever closes the socket must still find it.
        TTL_ATTRIBUTE: _until(connection.ends + DAY),
    }


def connection(item: Item) -> Connection:
    """The inverse of connection_item."""
    name = keys.parse_connection(string(item["PK"]))
    return Connection(name, string(item["Sub"]), *(integer(item[name]) for name in ("Issued", "Ends", "Rate")))


def listener_item(listener: Listener) -> Item:
    """A user's connections: of each, when it ends, and the keys of its subscriptions. The version is the next one."""
    return key_item(keys.listener(listener.sub)) | {
        "Type": s(LISTENER),
        "Ends": {"M": {name: n(ends) for name, ends in listener.ends.items()}},
        "Subscriptions": {
            "M": {
                name: {"L": [{"L": [s(key.pk), s(key.sk)]} for key in own]}
                for name, own in listener.subscriptions.items()
            }
        },
        "Version": n(listener.version + 1),
        TTL_ATTRIBUTE: _until(listener.last + DAY),
    }


def listener(item: Item) -> Listener:
    """The inverse of listener_item."""
    return Listener(
        keys.parse_listener(string(item["PK"])),
        {name: integer(ends) for name, ends in item["Ends"]["M"].items()},
        {
            name: tuple(Key(*map(string, each["L"])) for each in own["L"])
            for name, own in item["Subscriptions"]["M"].items()
        },
        integer(item[TTL_ATTRIBUTE]) * SECOND - DAY,
        integer(item["Version"]),
    )


def key_of_subscription(subscription: Subscription) -> Key:
    """Where a subscription is stored."""
    return keys.subscription(subscription.topic, subscription.connection, subscription.address)


def subscription_item(subscription: Subscription) -> Item:
    """A subscription, with its entry in the list of all."""
    return key_item(key_of_subscription(subscription)) | {
        "Type": s(SUBSCRIPTION),
        "Connection": s(subscription.connection),
        "Sub": s(subscription.sub),
        "Address": s(subscription.address),
        "Since": n(subscription.since),
        "Ends": n(subscription.ends),
        "Rate": n(subscription.rate),
        "GSI1PK": s(keys.SUBSCRIBED),
        "GSI1SK": s(keys.instant(subscription.since)),
        TTL_ATTRIBUTE: _until(subscription.ends),
    }


def subscription(item: Item) -> Subscription:
    """The inverse of subscription_item."""
    return Subscription(
        keys.topic_of(string(item["PK"])),
        string(item["Connection"]),
        string(item["Sub"]),
        string(item["Address"]),
        *(integer(item[name]) for name in ("Since", "Ends", "Rate")),
    )


def _until(at: Millis) -> dict[str, str]:
    """DynamoDB's times to live are in whole seconds."""
    return {"N": str(-(-at // SECOND))}
