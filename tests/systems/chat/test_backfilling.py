"""While an aggregate is backfilled, answers with its numbers say so."""

from dataclasses import replace

import pytest

from edgewise.aggregates.backfill import Backfilling
from edgewise.dynamodb.table import Table
from functions.systems.chat import routes
from functions.systems.chat.system import ROOM, SYSTEM
from tests.support.http import Answer, Client


def numbers() -> Answer:
    client = Client("amy")
    client.call("POST /rooms/{room}/messages", body={"messages": [{"text": "hi"}]}, room="r")
    return client.call("GET /rooms/{room}", room="r")


def test_answers_name_what_is_being_backfilled(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        routes.app, "system", replace(SYSTEM, kinds=(replace(ROOM, parts=(*ROOM.parts, Backfilling())),))
    )
    answer = numbers()
    assert answer.body["incomplete"] is True
    assert answer.headers["x-backfilling"] == "ROOM"


def test_other_answers_say_nothing_of_it(table: Table) -> None:
    answer = numbers()
    assert "incomplete" not in answer.body
    assert "x-backfilling" not in answer.headers
