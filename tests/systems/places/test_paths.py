"""Paths of places in queries: what is refused, and that a component is any text."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.http import Client

pytestmark = pytest.mark.usefixtures("handlers")

DEVICE, READER = Client(groups=("ingest",)), Client()
Drain = Callable[[], None]


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ({}, "path"),
        ({"path": ""}, "path.0"),
        ({"path": "US/"}, "path.1"),
        ({"path": "US//JFK"}, "path.1"),
        ({"path": "a/b/c/d/e/f/g/h/i"}, "path"),
        ({"path": "US/\n"}, "path.1"),
        ({"path": "x" * 201}, "path.0"),
        ({"path": "/".join(["é" * 200] * 3)}, "path"),
        ({"path": "US", "limit": "0"}, "limit"),
        ({"path": "US", "cursor": "x"}, "cursor"),
    ],
)
def test_what_is_wrong_with_a_path_is_named(path: dict[str, str], field: str) -> None:
    answer = READER.call("GET /places", path)
    assert (answer.status, answer.fields) == (400, [field])
    assert "pydantic" not in answer.body["detail"]


@pytest.mark.parametrize(
    ("place", "path"),
    [
        (["a/b", "50%"], "a~2Fb/50~25"),
        (["#", "日 本"], "#/日 本"),
        (["+"], "+"),
        (["Washington, D.C."], "Washington, D.C."),
    ],
)
def test_components_of_any_text(drain: Drain, place: list[str], path: str) -> None:
    event: dict[str, Any] = {"device_id": "d3", "at": 0, "place": place, "metrics": {}}
    DEVICE.call("POST /telemetry", body={"events": [event]})
    drain()
    answer = READER.call("GET /places", {"path": path})
    assert (answer.status, answer.body["path"], answer.body["devices"]) == (200, place, ["d3"])
