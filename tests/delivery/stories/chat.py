"""Chat: messages that are posted, changed by hand, removed; some expire."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from random import Random
from typing import Any, NamedTuple

from edgewise.dynamodb.attributes import Item
from functions.systems.chat import codec as chat_codec
from functions.systems.chat.entity import Message, Room
from tests.delivery.stories.story import EXTREMES, Numbers, Source, Story

START = 1_535_500_800_000  # 2018-08-29T00:00:00Z
ROOMS, SHARDS = ("r1", "r2"), 2


class Post(NamedTuple):
    room: str
    user: str
    at: int


def _source(random: Random) -> Source:
    post = Post(random.choice(ROOMS), random.choice(("amy", "bob", "eve")), START + 1000 * random.randint(0, 7))
    number = random.randint(0, 3)
    text = random.choice(("hi", "hello"))
    message = Message(post.room, number % SHARDS + 1, post.user, post.at, f"m{number}", text)
    return Source(chat_codec.message_item(message), post)


def _recount(posts: list[Post]) -> Numbers:
    instants, rooms, users = defaultdict(list), defaultdict(list), defaultdict(list)
    for post in posts:
        instants["POSTED_IN", post.user, post.room].append(post.at)
        rooms["ROOM", post.room].append(post.user)
        users["USER", post.user].append(post.room)
    counts: Numbers = {about: (len(others), len(set(others))) for about, others in (rooms | users).items()}
    edges = {edge: len(at) for edge, at in instants.items()}
    return counts | edges | {(EXTREMES, *edge): (min(at), max(at)) for edge, at in instants.items()}


def _actual(items: list[Item]) -> Numbers:
    return {about: number for item in items if "Cells" in item for about, number in _read(item)}


def _read(item: Item) -> Iterator[tuple[Any, Any]]:
    kind, cells = item["Type"]["S"], item["Cells"]["M"]
    name = item["PK"]["S"].split("#")[1]
    match kind:
        case "POSTED_IN":
            # The count alone while first and last are not known.
            count, *ends = (cells["Count"].get("S") or cells["Count"]["N"]).split(" ")
            room = item["SK"]["S"].split("#")[3]
            yield (kind, name, room), int(count)
            yield (EXTREMES, kind, name, room), tuple(map(_millis, ends))
        case "ROOM" | "USER":
            distinct = cells["Users" if kind == "ROOM" else "Rooms"]
            yield (kind, name), (int(cells["Messages"]["N"]), int(distinct["N"]))


def _millis(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)


SETTING = tuple(chat_codec.room_item(Room.starting_with(room, SHARDS)) for room in ROOMS)
STORY = Story("chat", _source, _recount, _actual, setting=SETTING, expires=True)
