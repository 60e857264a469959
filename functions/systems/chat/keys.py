"""Keys of chat: partition CHAT#room-n holds the messages of shard n; ROOM#room holds its metadata and numbers."""

from edgewise import Key, KeyTemplate, Millis, Partitions, from_rfc_3339, rfc_3339
from edgewise.dynamodb.keys import join, prefix, split, take

SHARDS, MESSAGE_IDS = Partitions("CHAT"), Partitions("MESSAGE-ID")
# The edge from a user to a room; the numbers of a room, and of a user.
POSTED_IN = KeyTemplate("USER#{user}", "EDGE#POSTED_IN#ROOM#{room}")
ROOM, USER = KeyTemplate("ROOM#{room}"), KeyTemplate("USER#{user}")
# The item with the history of a room's shards.
METADATA = KeyTemplate("ROOM#{room}", "META")
ROOMS, USERS = ROOM.partitions, USER.partitions


def room(name: str) -> str:
    """The partition of a room's metadata and summary."""
    return ROOMS(name)


def room_shard(name: str, shard: int) -> str:
    """The partition of one shard, such as CHAT#seattle-2; what follows the last hyphen is the number."""
    return SHARDS(f"{name}-{shard}")


def messages(name: str) -> str:
    """All messages of a room, in whichever shard: no partition has this key."""
    return SHARDS(name)


_AFTER_ALL_TIMES = ":"  # the character after 9


def _chat_time(at: Millis) -> str:
    return rfc_3339(at).replace("T", ":").removesuffix("Z")


def message(name: str, shard: int, user: str, at: Millis, message_id: str) -> Key:
    """One message: user#yyyy-MM-dd:HH:mm:ss.SSS#id, so two of one user in one second both survive."""
    return Key(room_shard(name, shard), join(user, _chat_time(at), message_id))


def message_by_time(user: str, at: Millis, message_id: str) -> str:
    """The inverted template, datetime#user#id: the sort key of the index by time."""
    return join(_chat_time(at), user, message_id)


def message_of_user(at: Millis, room_name: str, message_id: str) -> str:
    """The sort key of a message among all messages of its user, in the index by target: datetime#room#id."""
    return join(_chat_time(at), room_name, message_id)


def messages_during(period: str, user: str | None = None) -> str:
    """What keys of a period's messages (`2018-08`; empty: ever) begin with, in the table by user, else in the index."""
    return (prefix(user) if user is not None else "") + period.replace("T", ":", 1)


def messages_between(start: Millis | None, end: Millis | None, user: str | None = None) -> tuple[str, str]:
    """The first and last key of the messages from `start` on and before `end`, both optional."""
    low = "0" if start is None else _chat_time(start)
    high = _AFTER_ALL_TIMES if end is None else _chat_time(end)
    return messages_during(low, user), messages_during(high, user)


def parse_message(pk: str, sk: str) -> tuple[str, int, str, Millis, str]:
    """Room, shard, user, instant and id of a message; raises ValueError for another kind of key."""
    _, sharded = take(pk, "CHAT", 2)
    name, _, shard = sharded.rpartition("-")
    user, at, message_id = split(sk)
    return name, int(shard), user, from_rfc_3339(at.replace(":", "T", 1) + "Z"), message_id


def message_guard(name: str, user: str, message_id: str) -> Key:
    """The item that stores the instant first given to a message id; in its own partition, so that none gets hot."""
    return Key(MESSAGE_IDS(name, user, message_id), "GUARD")


def user(name: str) -> str:
    """The partition of a user."""
    return USERS(name)
