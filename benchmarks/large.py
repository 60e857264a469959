"""The largest events that Lambda delivers, against the memory and the time of the consumer's function."""

import json
import os
import subprocess
import sys
import tempfile
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate, takewhile

from benchmarks import engine
from benchmarks.report import Table
from benchmarks.stream import Record, insertions, window_event
from delivery.mapping import PAYLOAD
from delivery.sizes import item_size
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.measures import COUNT, Cell, Observation
from edgewise.aggregates.stored import aggregate_item
from edgewise.dynamodb.attributes import Item
from functions.systems.chat import codec as chat_codec
from functions.systems.chat.entity import Message
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry.entity import Reading
from functions.systems.telemetry.system import REPORTED_FROM
from ops.paths import ROOT

MOST, ITEM_BYTES, AT = 10_000, 400 * 1024, 1_535_544_000_000
LEVELS, EDGES = 8, 1_000
# In a separate process: CDK starts Node when it is imported.
_LIMITS = "from infra.functions import FUNCTIONS as all; f = all['edge_aggregator']; print(f.memory_mb, f.timeout_s)"


@dataclass(frozen=True)
class Large:
    """One event, and how many aggregates it changes."""

    name: str
    records: Sequence[Record]
    aggregates: int


def cases() -> Iterator[Large]:
    """As many records of each kind as fit into one event; of the third kind, as many as the default batch has."""
    yield Large("readings of one device", _fitting(insertions([_reading("d", n) for n in range(MOST)])), 3)
    each_its_own = _fitting(insertions([_reading(f"{n}", 0) for n in range(MOST)]))
    yield Large("readings, each of its own device", each_its_own, 3 * len(each_its_own))
    edges = insertions([*map(_edge, range(EDGES))])
    yield Large(f"edges to places {LEVELS} levels deep, none in common", edges, EDGES * (LEVELS + 1))
    changes = [_change(record) for record in insertions([_message(n) for n in range(7)])]
    yield Large("changed items of 400 KB", changes, 1)


CASES = 4


def measure(done: Callable[[int], None]) -> Table:
    """Handle each event in a fresh process; calls `done` after each."""
    limits = _python("-c", _LIMITS).split()
    memory, timeout = (int(number) for number in limits)
    rows = []
    for number, large in enumerate(cases()):
        rows.append(_row(large, f"large-{number}", memory, timeout))
        done(1)
    return Table(
        "Large events",
        ("one event", "records", "MB", "aggregates", "peak MB", "of its memory", "s", "of its time", "CPU s", "calls"),
        rows,
        (
            f"The function has {memory:,} MB and {timeout} s (infra/functions.py).",
            "peak MB and CPU s: of a fresh process, interpreter and libraries included. s: the longest call.",
            f"An edge changes its device and the edges from {LEVELS} places, {LEVELS + 1} in all; "
            f"{EDGES:,} records are the largest batch.",
            "A changed item comes with both images: seven records come close to Lambda's 6 MB.",
        ),
    )


def text_of(large: Large) -> str:
    """The event as it reaches the function."""
    return _json(window_event(large.records))


def _row(large: Large, table: str, memory: int, timeout: int) -> tuple[str, ...]:
    text = text_of(large)
    engine.create(table)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(text)
        file.flush()
        spent = json.loads(_python("-m", "benchmarks.one_event", file.name, str(timeout), TABLE_NAME=table))
    peak = spent["peak"] / 2**20
    return (
        large.name,
        f"{len(large.records):,}",
        f"{len(text) / 2**20:.1f}",
        f"{large.aggregates:,}",
        f"{peak:.0f}",
        f"{peak / memory:.0%}",
        f"{spent['longest']:.1f}",
        f"{spent['longest'] / timeout:.0%}",
        f"{spent['cpu']:.1f}",
        str(spent["invocations"]),
    )


def _reading(device: str, number: int) -> Item:
    return telemetry_codec.event_item(Reading(device, AT + number, f"{number}", (), {"t": Decimal(number)}))


def _edge(number: int) -> Item:
    place = tuple(f"{number}-{level}" for level in range(LEVELS))
    cell = Cell()
    cell.add(Observation(at=AT))
    about = REPORTED_FROM(f"d{number}", place)
    return aggregate_item(Aggregate(about, 1, {COUNT: cell}, {f"{AT:020}-1a2b3c4d": Checkpoint(number, AT)}))


def _message(number: int) -> Item:
    item = chat_codec.message_item(Message("room", 1, "amy", AT, f"{number}", ""))
    return item | {"Text": {"S": "x" * (ITEM_BYTES - item_size(item))}}


def _change(record: Record) -> Record:
    """The insertion of an item, turned into a change that counts it for the first time: another room, another user."""
    change = record["dynamodb"]
    old = change["NewImage"] | {"Type": {"S": "OTHER"}}
    return record | {"eventName": "MODIFY", "dynamodb": change | {"OldImage": old}}


def _fitting(records: Sequence[Record]) -> Sequence[Record]:
    """As many of the first records as Lambda delivers at once."""
    sizes = accumulate((len(_json(record)) + 1 for record in records), initial=len(_json(window_event([]))))
    return records[: sum(1 for _ in takewhile(PAYLOAD.__ge__, sizes)) - 1]


def _json(value: object) -> str:
    return json.dumps(value, default=_in_base64, separators=(",", ":"))


def _in_base64(binary: bytes) -> str:
    return b64encode(binary).decode()


def _python(*arguments: str, **environment: str) -> str:
    """The last line that Python prints."""
    command = [sys.executable, *arguments]
    ran = subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=True, capture_output=True, text=True)
    return ran.stdout.splitlines()[-1]
