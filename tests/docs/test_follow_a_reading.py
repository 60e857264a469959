"""docs/follow-a-reading.md names what there is, and what it shows is what happens."""

import ast
import json
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from inspect import CO_GENERATOR
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from docs import drawing
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import Key
from edgewise.stream.consumer import consume
from edgewise.stream.register import register
from functions.catalog import CATALOG
from functions.web import runtime
from tests.support.http import Client
from tests.support.streams import StreamedMemory, window_event

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "follow-a-reading.md"
# In, across and out. They may become fewer.
MOST_FILES = 88
# Files, functions, and calls of them in the stream, and of the answer. They may become fewer.
MOST = {"an order": (30, 149, 431), "two readings": (45, 238, 2323), "a page of rollups": (41, 132, 211)}
PARTS = ("continuations", "open_hours", "rankings", "recounts")
TEXT = PAGE.read_text()
# [`module.name`](../path.py), or Class.name of that path; and any such name, and any path, however it is written.
LINK = re.compile(r"\[`(\w+)\.(\w+)`\]\((\S+)\)")
NAME = re.compile(r"`([A-Za-z_]+\.[A-Za-z_]+)`")
FILE = re.compile(r"\]\(([^)\s#]+)\)")
BLOCK = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", sorted(set(FILE.findall(TEXT))))
def test_every_file_is_there(path: str) -> None:
    assert (PAGE.parent / path).exists()


@pytest.mark.parametrize(("owner", "name", "path"), sorted(set(LINK.findall(TEXT))))
def test_every_function_is_defined_in_its_file(owner: str, name: str, path: str) -> None:
    file = PAGE.parent / path
    body = ast.parse(file.read_text()).body
    classes = {node.name: node.body for node in body if isinstance(node, ast.ClassDef)}
    assert owner == file.stem or owner in classes
    assert name in defined(classes.get(owner, body))


def test_every_function_that_is_named_leads_to_its_file() -> None:
    linked = {f"{owner}.{name}" for owner, name, _ in LINK.findall(TEXT)}
    assert set(NAME.findall(TEXT)) <= linked
    assert len(linked) > 20  # the patterns still find something


def test_the_page_is_one_page() -> None:
    assert len(TEXT.splitlines()) <= 120


def test_the_reading_goes_the_way_that_is_told_through_no_other_file(monkeypatch: pytest.MonkeyPatch) -> None:
    table = StreamedMemory()
    monkeypatch.setattr(runtime, "table", lambda: table)
    sent, answer = BLOCK.findall(TEXT)
    with traced() as way:
        posted = Client(groups=("ingest",)).call("POST /telemetry", None, sent)
        deliver_all(table)
        read = Client().call("GET /devices/{device}/rollups", {"metric": "temp", "grain": "hour"}, device="123")
    assert way.files - {(PAGE.parent / path).resolve() for path in FILE.findall(TEXT)} == set()
    assert len(way.files) <= MOST_FILES
    assert (posted.status, posted.body) == (202, {"accepted": 2, "rejected": []})
    items = {key_of(item): row for item, row in zip(*drawn(table), strict=True)}
    told = [re.findall(r"`(.*?)`", row) for row in TEXT.splitlines() if row.startswith("| `DEVICE#")]
    assert len(told) == 4
    assert [attribute for pk, sk, attribute in told if f"`{attribute}`" not in items[Key(pk, sk)]] == []
    assert read.body == json.loads(answer, parse_float=Decimal)


def test_an_order_meets_no_part_that_it_does_not_declare(monkeypatch: pytest.MonkeyPatch) -> None:
    table = StreamedMemory()
    monkeypatch.setattr(runtime, "table", lambda: table)
    send_order()
    with traced() as way:
        deliver_all(table)
    assert any(item["Type"]["S"] == "CUSTOMER" for item in table.all_items())
    assert {file.parent.name for file in way.files}.isdisjoint(PARTS)


def test_no_way_becomes_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    ways = dict[str, Way]()
    for _ in range(2):  # what is remembered is remembered the second time, whichever tests ran before
        for name, send in {"an order": send_order, "two readings": send_readings}.items():
            table = StreamedMemory()
            monkeypatch.setattr(runtime, "table", lambda table=table: table)
            send()
            with traced() as ways[name]:
                deliver_all(table)
        with traced() as ways["a page of rollups"]:
            Client().call("GET /devices/{device}/rollups", {"metric": "temp", "grain": "hour"}, device="123")
    lengths = {name: way.length for name, way in ways.items()}
    assert {name: tuple(map(min, length, MOST[name])) for name, length in lengths.items()} == lengths


def send_order() -> None:
    order = "POST /customers/{customer}/orders"
    assert Client(groups=("write",)).call(order, None, {"amount": 3}, customer="amy").status == 201


def send_readings() -> None:
    sent, _ = BLOCK.findall(TEXT)
    assert Client(groups=("ingest",)).call("POST /telemetry", None, sent).status == 202


@dataclass
class Way:
    """What of the engine and the application runs inside, in any thread, but for the table.

    A step of a generator or of a comprehension is no call.
    """

    files: set[Path] = field(default_factory=set)
    functions: set[CodeType] = field(default_factory=set)
    calls: int = 0

    @property
    def length(self) -> tuple[int, int, int]:
        """How many files, functions and calls."""
        return len(self.files), len(self.functions), self.calls


@contextmanager
def traced() -> Iterator[Way]:
    """The way on which something goes inside."""
    way, found, ours = Way(), set[str](), tuple(f"{ROOT / folder}/" for folder in ("edgewise", "functions"))
    in_memory = f"{ROOT / 'functions' / 'replay'}/"

    def seen(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        file = code.co_filename
        if event == "call" and code.co_name != "<module>" and file.startswith(ours) and not file.startswith(in_memory):
            found.add(file)
            if not (code.co_name.startswith("<") or code.co_flags & CO_GENERATOR):
                way.functions.add(code)
                way.calls += 1

    threading.setprofile(seen)
    sys.setprofile(seen)
    try:
        yield way
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        way.files.update(map(Path, found))


def drawn(table: StreamedMemory) -> tuple[list[Item], list[str]]:
    """The items of a table, and each as docs/the-table.md would draw it."""
    items = sorted(table.all_items(), key=key_of)
    return items, list(drawing.collections(items))[2:]


def defined(body: list[ast.stmt]) -> set[str]:
    """The functions, classes and constants of a module or class."""
    assigned = {
        target.id
        for node in body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return assigned | {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def deliver_all(table: StreamedMemory) -> None:
    """Let the consumer have every record, also of what it writes itself."""
    ((shard, records),) = table.shards.items()
    done = 0
    while done < len(records):
        batch = records[done:]
        done = len(records)
        consume(CATALOG, table, register(table), shard, window_event(shard, batch), lambda: True, None, lambda *_: ())
