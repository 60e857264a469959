"""Chat: rooms, their messages, and their users."""

from functools import partial
from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path, Query

from edgewise import Cell, InvalidInputError, Member, NotFoundError, clock, millis, rfc_3339
from edgewise.aggregates import collections
from edgewise.times import EARLIEST
from functions.systems.chat import codec, keys, messages, patterns, posting, rooms, widening
from functions.systems.chat.entity import Room
from functions.systems.chat.messages import Name
from functions.systems.chat.models import (
    MessageOut,
    MessagesAccepted,
    MessagesIn,
    MessagesOut,
    RoomIn,
    RoomOut,
    RoomShards,
    RoomsOut,
    RoomUsers,
    ShardsSince,
    UserMessage,
    UserMessages,
    UserRoom,
    UserRooms,
    UserSummary,
)
from functions.systems.chat.posting import Post
from functions.systems.chat.system import NEW_MESSAGES, POSTED_IN, ROOM, ROOM_CHANGES, SYSTEM, USER
from functions.web import answers, charges, http, once, runtime, spelling
from functions.web.fields import Id, PathId, Period, QueryInstant, SpelledShortId
from functions.web.paging import (
    DEFAULT_LIMIT,
    Beginning,
    CursorText,
    Limit,
    Order,
    Paging,
    directory_page,
    edges_page,
    items_page,
    span,
)
from functions.web.ranges import From, To, bounds

app = http.resolver(SYSTEM)


@http.route(
    app,
    "POST /rooms/{room}/messages",
    "Post messages; with a message_id or an Idempotency-Key, repeating a message changes nothing",
    responses=answers.described(MessagesAccepted, HTTPStatus.ACCEPTED) | answers.FORBIDDEN | answers.CONFLICT,
    status_code=HTTPStatus.ACCEPTED,
)
def post_messages(room: PathId, body: MessagesIn, key: once.Key = None) -> Response[str]:
    """Validate each message separately and store the valid ones; 400 if there are none."""
    caller = http.caller(app)
    post = Post(caller, key, clock.now, partial(charges.reserve, caller, "messages"))
    out = posting.store(runtime.table(), post, room, body)
    return answers.accept(out, "messages")


@http.route(
    app,
    "GET /rooms/{room}/messages",
    "A room's messages by user, by time or by both, in order across all shards",
    responses=answers.described(MessagesOut),
    live=NEW_MESSAGES,
)
def get_messages(
    room: PathId,
    user: Annotated[Id | None, Query()] = None,
    period: Annotated[Period | None, Query(description="such as 2018, 2018-08 or 2018-08-29:12")] = None,
    start: From = None,
    end: To = None,
    order: Order = "asc",
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """One query per shard, in parallel: of the table for one user, of the index by time for all users."""
    if period is not None and (start or end):
        raise InvalidInputError.of("period", "can't be combined with from or to")
    first, last = bounds(start, end)
    paging = Paging({"route": "messages", "of": [room, user, period, first, last, order]}, cursor)
    after, found, forward = paging.after, rooms.find(runtime.table(), room), order == "asc"
    if found is None:
        return answers.reply(MessagesOut(messages=[], cursor=None))
    if first is None and last is None:
        shards = patterns.messages_during(found, period or "", user, forward=forward)
    else:
        shards = patterns.messages_between(found, first, last, user, forward=forward)
    page, position = messages.page(runtime.table(), shards, limit, after)
    out = [MessageOut(**codec.shown(message)) for message in page]
    return answers.reply(MessagesOut(messages=out, cursor=paging.next(position)))


@http.route(
    app,
    "DELETE /rooms/{room}/messages/{id}",
    "Withdraw a message, as its author or as an administrator; sent again, it is refused",
    responses=answers.removal() | answers.FORBIDDEN | answers.NOT_FOUND | answers.CONFLICT | answers.GONE,
    status_code=HTTPStatus.NO_CONTENT,
)
def delete_message(
    room: PathId,
    message_id: Annotated[SpelledShortId, Path(alias="id")],
    sent_at: Annotated[QueryInstant, Query(description="the message's, as answers show it")],
    user: Annotated[Id | None, Query(description="the message's; by default the caller")] = None,
) -> Response[str]:
    """Two reads and one write; repeating it changes nothing."""
    caller = http.caller(app)
    author = user or spelling.composed(caller.name)
    name = Name(room, author, millis(sent_at), message_id)
    messages.withdraw(runtime.table(), name, caller, clock.now())
    return answers.no_content()


@http.route(
    app,
    "PUT /rooms/{room}",
    "Create a room, or widen it while it is in use",
    responses=answers.described(RoomShards) | answers.CONFLICT,
    group="admin",
)
def put_room(room: PathId, body: RoomIn) -> Response[str]:
    """More shards take effect at an instant after all requests in flight have ended; fewer shards are refused."""
    return answers.reply(_shards(widening.widen(runtime.table(), room, body.shards, clock.now())))


@http.route(app, "GET /rooms", "All rooms, by name", responses=answers.described(RoomsOut))
def get_rooms(begins_with: Beginning = None, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query of the index by value."""
    found, next_cursor = directory_page(keys.ROOMS, begins_with, limit, cursor)
    return answers.reply(RoomsOut(rooms=found, cursor=next_cursor))


@http.route(
    app,
    "GET /rooms/{room}",
    "A room's numbers",
    responses=answers.described(RoomOut) | answers.NOT_FOUND,
    shows=(ROOM,),
    live=ROOM_CHANGES,
)
def get_room(room: PathId) -> Response[str]:
    """One query: the room's item collection consists of its metadata and its summary."""
    found, cells = rooms.with_summary(runtime.table(), room)
    if found is None:
        raise NotFoundError("room", room)
    numbers = {name.lower(): cells.get(name, Cell()).count for name in ("Messages", "Users")}
    return answers.reply(RoomOut(room=room, shards=found.shards, **numbers))


@http.route(app, "GET /rooms/{room}/users", "The users who posted in a room", responses=answers.described(RoomUsers))
def get_room_users(room: PathId, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query of the inverted index: the edges that point at the room."""
    users, next_cursor = items_page(patterns.room_users(room), limit, cursor, collections.source)
    return answers.reply(RoomUsers(room=room, users=users, cursor=next_cursor))


@http.route(
    app,
    "GET /users/{user}/rooms",
    "A user's numbers and the rooms the user posted in",
    responses=answers.described(UserRooms),
    shows=(USER, POSTED_IN),
)
def get_user_rooms(user: PathId, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query: the summary sorts before the edges."""
    page = edges_page((USER, POSTED_IN), patterns.user_rooms(user), limit, cursor)
    summary = _user_summary(page.summary) if page.summary else None
    return answers.reply(
        UserRooms(user=user, summary=summary, rooms=[_user_room(edge) for edge in page.edges], cursor=page.cursor)
    )


@http.route(
    app,
    "GET /users/{user}/messages",
    "A user's messages in all rooms, by instant",
    responses=answers.described(UserMessages),
)
def get_user_messages(
    user: PathId,
    start: From = None,
    end: To = None,
    order: Order = "desc",
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """One query of the inverted index: the messages that point at the user."""
    query = patterns.user_messages(user, *bounds(start, end), forward=order == "asc")
    found, next_cursor = items_page(query, limit, cursor, codec.message)
    out = [UserMessage(room=message.room, **codec.shown(message)) for message in found]
    return answers.reply(UserMessages(user=user, messages=out, cursor=next_cursor))


handler = http.handler(app)


def _shards(room: Room) -> RoomShards:
    history = [
        ShardsSince(since=None if step.since == EARLIEST else rfc_3339(step.since), shards=step.shards)
        for step in room.history
    ]
    return RoomShards(room=room.name, shards=room.shards, history=history)


def _user_summary(member: Member) -> UserSummary:
    return UserSummary(messages=member.count("Messages"), rooms=member.count("Rooms"))


def _user_room(member: Member) -> UserRoom:
    seen = member.cells["Count"]
    return UserRoom(room=member.target[0], messages=seen.count, **span(seen))
