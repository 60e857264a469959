"""What posting costs: full requests through the HTTP handlers."""

from collections.abc import Callable, Mapping, Sequence

from benchmarks import engine, http
from benchmarks.deployment import working_on
from benchmarks.http import Request
from benchmarks.meter import Meter
from benchmarks.report import Table, per
from benchmarks.workloads import Workload
from functions.web import runtime
from ops.recounting.feed import BATCH, batches, event
from ops.recounting.samples import Message, Reading

REQUESTS = 6
ITEMS = REQUESTS * BATCH
METHODS = 5
# The row of requests that carry one reading each.
ALONE = "POST /telemetry, one item"


def measure(weather: Workload, chat: Workload, done: Callable[[int], None]) -> Table:
    """Post some full requests by each method, into an empty table; calls `done` after each method."""
    engine.create("ingestion")
    rows = []
    with working_on("ingestion"):
        for name, requests in _ways(weather.readings[: ITEMS + BATCH], chat.messages[:ITEMS]).items():
            rows.append(_row(name, requests))
            done(1)
    return Table(
        f"Ingestion, {BATCH} items per request",
        ("", "write units per item", "read units", "requests to the table", "CPU ms", "wall ms"),
        rows,
        (
            "All figures after the first are per HTTP request.",
            "A message costs two units more for its entries in indexes: by time in its room, and by time of its user.",
            "A live message with the sender's own id costs one more, for the guard that remembers the id's instant.",
        ),
    )


def _ways(readings: Sequence[Reading], messages: Sequence[Message]) -> Mapping[str, Sequence[Request]]:
    events = list(map(event, readings))
    numbered = list(enumerate(messages))
    imported = [_posted(message, number) for number, message in numbered]
    with_ids = [{"text": message.text, "message_id": str(number)} for number, message in numbered]
    return {
        "POST /telemetry": [Request("POST /telemetry", body={"events": batch}) for batch in batches(events[:ITEMS])],
        ALONE: [Request("POST /telemetry", body={"events": [each]}) for each in events[ITEMS:]],
        "POST messages, import": _to_room("import", imported),
        "POST messages, live": _to_room("live", [{"text": message.text} for message in messages]),
        "POST messages, live, own ids": _to_room("ids", with_ids),
    }


def _posted(message: Message, number: int) -> object:
    return {"user": message.user, "sent_at": message.sent_at, "message_id": str(number), "text": message.text}


def _to_room(room: str, messages: Sequence[object]) -> Sequence[Request]:
    route = "POST /rooms/{room}/messages"
    return [Request(route, path={"room": room}, body={"messages": batch}) for batch in batches(list(messages))]


def _row(name: str, requests: Sequence[Request]) -> tuple[str, ...]:
    meter = Meter()
    meter.watch(runtime.table().client)
    for request in requests:
        with meter.measuring():
            answer = http.call(request)
        if answer.status != 202 or answer.body["rejected"]:
            raise RuntimeError(f"{name}: {answer}")
    spent, count, items = meter.spent, len(requests), sum(map(_items, requests))
    return (
        name,
        per(spent.write_units, items),
        per(spent.read_units, count, 1),
        per(spent.requests, count, 1),
        f"{spent.cpu / count * 1e3:.1f}",
        f"{spent.wall / count * 1e3:.1f}",
    )


def _items(request: Request) -> int:
    (items,) = request.body.values()
    return len(items)
