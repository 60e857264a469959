"""Whether search finds what the run has written: as many messages of each of its rooms as there are."""

from collections.abc import Sequence
from http import HTTPStatus

from ops.api import Api, ApiError
from ops.recounting.facts import Facts, Name
from verify.facts import Check

# What all messages of a run say.
WORD = "hello"


def checks(api: Api, rooms: Sequence[str]) -> list[Check]:
    """A check for each room; none on a stage without search."""
    try:
        api.get("search", q=WORD)
    except ApiError as error:
        if error.status == HTTPStatus.NOT_FOUND:
            return []
        raise
    return [_check(room, api.get("rooms", room)["messages"]) for room in rooms]


def _check(room: str, messages: int) -> Check:
    name = Name("SEARCH", (room,))

    def read(api: Api) -> Facts:
        return {name: {"messages": api.get("search", q=WORD, kind="message", where=f"room:{room}")["total"]}}

    return Check({name: {"messages": messages}}, read)
