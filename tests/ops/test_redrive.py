"""The command beside the function for people on duty."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from functions.catalog import CATALOG
from functions.handlers.commands import COMMANDS
from ops.errors import LocalError
from ops.local_cloud import Cloud
from ops.redrive import RedriveError, command, send

OPERATIONS = (Path(__file__).parents[2] / "docs" / "operations.md").read_text()
DOCUMENTED = re.findall(r"^    make redrive(?: DO=(\S+|\".*?\"))?(?: +#.*)?$", OPERATIONS, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "event"),
    [
        ("list", {"do": "list", "limit": 1000}),
        ("apply", {"do": "apply_all"}),
        ("widen 16 FIND skill", {"do": "widen", "of": ["FIND", "skill"], "shards": 16}),
        ("widen 4 AT ROOM 'New York'", {"do": "widen", "of": ["AT", "ROOM", "New York"], "shards": 4}),
        ("widen 4 OPEN_ORDERS", {"do": "widen", "of": ["OPEN_ORDERS"], "shards": 4}),
        ("apply a 1", {"do": "apply", "shard": "a", "sequence": "1"}),
        ("discard a 1", {"do": "discard", "shard": "a", "sequence": "1"}),
        ("recount USER amy/lee", {"do": "recount", "kind": "USER", "dimensions": ["amy/lee"], "repair": False}),
        ("repair PLACE US/A%2FB", {"do": "recount", "kind": "PLACE", "dimensions": [["US", "A/B"]], "repair": True}),
        (
            "recount REPORTED_FROM d/1 US",
            {"do": "recount", "kind": "REPORTED_FROM", "dimensions": ["d/1", ["US"]], "repair": False},
        ),
    ],
)
def test_commands(arguments: str, event: dict[str, Any]) -> None:
    assert command(shlex.split(arguments)) == event
    COMMANDS.validate_python(event)


@pytest.mark.parametrize(
    "arguments", ["", "dance", "apply a", "discard", "recount USER", "list all", "widen 4", "widen four FIND skill"]
)
def test_anything_else_is_answered_with_what_there_is(arguments: str) -> None:
    with pytest.raises(RedriveError, match=r"expected one of\n(.|\n)*apply \[SHARD SEQUENCE\]"):
        command(arguments.split())


def test_what_the_documentation_shows_is_a_command() -> None:
    assert len(DOCUMENTED) == 10
    for documented in DOCUMENTED:
        event = command(shlex.split(documented.strip('"') or "list"))
        asked: Any = COMMANDS.validate_python(event)
        if event["do"] == "recount":
            assert CATALOG.named_by_people(asked.kind, asked.dimensions).kind.name == asked.kind


def test_without_a_local_cloud_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Cloud, "home", tmp_path)
    with pytest.raises(LocalError, match="local cloud is not running"):
        send("local", {"do": "list"})
