"""The six states of a page, pictured: those of a room, by answers that a stage that is well doesn't give."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tests.e2e.console import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Route


class Answer(NamedTuple):
    """What is answered instead; without a status, nothing ever."""

    status: HTTPStatus | None = None
    body: Mapping[str, Any] = {}


class State(NamedTuple):
    """A state: what shows that the page is in it, and what is answered by address. All else is as it is."""

    shown: str
    answers: Mapping[str, Answer]


_NUMBERS, _MESSAGES = "**/api/rooms/*", "**/api/rooms/*/messages*"
_TOLD: Final = {"room": "harbour", "messages": 9511, "users": 42, "shards": 4, "as_of": "2026-11-30T12:03:43.000Z"}
_MISSING = Answer(HTTPStatus.NOT_FOUND, {"title": "Not Found", "detail": "there is no room"})
_BUSY = Answer(HTTPStatus.SERVICE_UNAVAILABLE, {"title": "Service Unavailable", "detail": "the table is busy"})
_REFUSED = Answer(
    HTTPStatus.FORBIDDEN, {"title": "Forbidden", "detail": "only members of 'read' may call it", "group": "read"}
)
STATES: Mapping[str, State] = {
    "waiting": State(".waiting", {_NUMBERS: Answer(), _MESSAGES: Answer()}),
    "nothing": State(
        "text=Nobody has written here yet.",
        {_NUMBERS: _MISSING, _MESSAGES: Answer(HTTPStatus.OK, {"messages": [], "cursor": None})},
    ),
    "failed": State("text=again in", {_NUMBERS: _BUSY, _MESSAGES: _BUSY}),
    "forbidden": State("text=This needs the group", {_NUMBERS: _REFUSED, _MESSAGES: _REFUSED}),
    "behind": State("text=Behind: numbers", {_NUMBERS: Answer(HTTPStatus.OK, _TOLD | {"behind": True})}),
    "lacks": State("text=lacks a record", {_NUMBERS: Answer(HTTPStatus.OK, _TOLD | {"incomplete": True})}),
}


def picture_states(visitor: Visitor, room: str, folder: Path) -> None:
    """Picture a room in each of its states, once it shows that it is in it."""
    held = list["Route"]()
    for name, state in STATES.items():
        for address, answer in state.answers.items():
            visitor.page.route(address, _answering(answer, held))
        visitor.open(f"/rooms/{room}")
        visitor.page.locator(state.shown).first.wait_for()
        visitor.page.screenshot(path=folder / f"room-{name}.png")
        while held:
            held.pop().abort()
        visitor.page.unroute_all(behavior="wait")


def _answering(answer: Answer, held: "list[Route]") -> Callable[["Route"], None]:
    def handle(route: "Route") -> None:
        if answer.status:
            route.fulfill(status=answer.status, json=answer.body)
        else:
            held.append(route)

    return handle
