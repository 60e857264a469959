"""What every GET route costs on the loaded table, according to its own headers."""

import statistics
import time
from collections import Counter
from collections.abc import Sequence

from benchmarks import http
from benchmarks.deployment import working_on
from benchmarks.http import Answer, Request
from benchmarks.report import Table
from benchmarks.workloads import Workload
from edgewise.dynamodb import table as store
from functions.systems.chat import rooms
from functions.systems.chat.entity import Room

REPEATS = 15
DEVICE, METRIC, PLACE = "JFK", "temp", "US/New York"


def measure(table: store.Table, chat: Workload) -> Table:
    """Call each route several times on a table that holds the weather and this chat."""
    (room, user), _ = Counter((message.room, message.user) for message in chat.messages).most_common(1)[0]
    rooms.create(table, Room.starting_with(room, 1))
    with working_on(table.name):
        rows = [_row(request) for request in requests(room, user)]
    return Table(
        "Reads, according to the answers' own headers",
        ("", "asked for", "found", "requests", "read units", "ms"),
        rows,
        (
            "A room's messages need two requests: the first reads the room's item, which says how many shards it has.",
            f"ms: wall time, median of {REPEATS} calls of the handler.",
        ),
    )


def requests(room: str, user: str) -> Sequence[Request]:
    """A typical request for every route that reads, the lists with their default limit of 100."""
    device, in_room = {"device": DEVICE}, {"room": room}
    a_day = {"metric": METRIC, "grain": "hour", "from": "2013-03-01T00:00:00Z", "to": "2013-03-02T00:00:00Z"}
    a_month = {"metric": METRIC, "grain": "day", "from": "2013-03-01T00:00:00Z", "to": "2013-04-01T00:00:00Z"}
    return (
        Request("GET /devices"),
        Request("GET /devices/{device}", device),
        Request("GET /devices/{device}/events", device, {"order": "desc"}),
        Request("GET /devices/{device}/rollups", device, a_day),
        Request("GET /devices/{device}/rollups", device, a_month),
        Request("GET /rooms/{room}/messages", in_room),
        Request("GET /rooms/{room}/messages", in_room, {"user": user}),
        Request("GET /rooms/{room}/messages", in_room, {"period": "2018"}),
        Request("GET /rooms"),
        Request("GET /rooms/{room}", in_room),
        Request("GET /rooms/{room}/users", in_room),
        Request("GET /users/{user}/rooms", {"user": user}),
        Request("GET /users/{user}/messages", {"user": user}),
        Request("GET /places", query={"path": PLACE}),
        Request("GET /health"),
    )


def _row(request: Request) -> tuple[str, ...]:
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        answer = http.call(request)
        times.append(time.perf_counter() - started)
        if answer.status != 200:
            raise RuntimeError(f"{request.route}: {answer}")
    asked = " ".join(f"{name}={_short(value)}" for name, value in request.query.items())
    units, milliseconds = f"{answer.read_units:g}", f"{statistics.median(times) * 1e3:.1f}"
    return request.route, asked, _found(answer), str(answer.requests), units, milliseconds


def _short(value: str) -> str:
    return value if len(value) <= 12 else f"{value[:10]}…"


def _found(answer: Answer) -> str:
    lists = {name: len(value) for name, value in answer.body.items() if isinstance(value, list) and name != "path"}
    return ", ".join(f"{length} {name}" for name, length in lists.items())
