"""Items of push. Each has a time to live."""

from functions.dynamodb.attributes import Item, integer, key_item, n, s, string
from functions.dynamodb.keys import Key
from functions.dynamodb.schema import TTL_ATTRIBUTE
from functions.push import keys
from functions.push.entity import Connection, Subscription, Ticket
from functions.times import DAY, SECOND, Millis

TICKET, CONNECTION, SUBSCRIPTION = TYPES = ("TICKET", "CONNECTION", "SUBSCRIPTION")


def ticket_item(text: str, ticket: Ticket) -> Item:
    """A ticket."""
    return key_item(keys.ticket(text)) | {
        "Type": s(TICKET),
        "User": s(ticket.user),
        "Expires": n(ticket.expires),
        "Ends": n(ticket.ends),
        TTL_ATTRIBUTE: _until(ticket.expires),
    }


def ticket(item: Item) -> Ticket:
    """The inverse of ticket_item."""
    return Ticket(string(item["User"]), integer(item["Expires"]), integer(item["Ends"]))


def connection_item(connection: Connection) -> Item:
    """A connection, with its entry in the list of all."""
    return key_item(keys.connection(connection.id)) | {
        "Type": s(CONNECTION),
        "User": s(connection.user),
        "Ends": n(connection.ends),
        "Subscriptions": {"L": [{"L": [s(key.pk), s(key.sk)]} for key in connection.subscriptions]},
        "Version": n(connection.version + 1),
        "GSI1PK": s(keys.OPEN),
        "GSI1SK": s(keys.instant(connection.ends)),
        # It outlives its end: whoever closes the socket must still find it.
        TTL_ATTRIBUTE: _until(connection.ends + DAY),
    }


def connection(item: Item) -> Connection:
    """The inverse of connection_item."""
    named = (each["L"] for each in item["Subscriptions"]["L"])
    subscriptions = tuple(Key(string(pk), string(sk)) for pk, sk in named)
    name = keys.parse_connection(string(item["PK"]))
    return Connection(name, string(item["User"]), integer(item["Ends"]), subscriptions, integer(item["Version"]))


def key_of_subscription(subscription: Subscription) -> Key:
    """Where a subscription is stored."""
    return keys.subscription(subscription.topic, subscription.connection, subscription.address)


def subscription_item(subscription: Subscription) -> Item:
    """A subscription, with its entry in the list of all."""
    return key_item(key_of_subscription(subscription)) | {
        "Type": s(SUBSCRIPTION),
        "Connection": s(subscription.connection),
        "Address": s(subscription.address),
        "Since": n(subscription.since),
        "Ends": n(subscription.ends),
        "GSI1PK": s(keys.SUBSCRIBED),
        "GSI1SK": s(keys.instant(subscription.since)),
        TTL_ATTRIBUTE: _until(subscription.ends),
    }


def subscription(item: Item) -> Subscription:
    """The inverse of subscription_item."""
    return Subscription(
        keys.topic_of(string(item["PK"])),
        string(item["Connection"]),
        string(item["Address"]),
        integer(item["Since"]),
        integer(item["Ends"]),
    )


def _until(at: Millis) -> dict[str, str]:
    """DynamoDB's times to live are in whole seconds."""
    return {"N": str(-(-at // SECOND))}
