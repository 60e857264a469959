"""docs/api.md: every request that stands there is sent, in order, and gets the answer that stands there."""

import re

import pytest

from docs.openapi import FAILURES
from functions.routes import REQUIRED_GROUP
from functions.settings import HTTP_TIMEOUT_SECONDS
from functions.systems.chat.models import MAX_MESSAGES, MAX_TEXT
from functions.systems.telemetry.models import MAX_EVENTS, MAX_METRICS
from functions.web import fields
from functions.web.paging import MAX_LIMIT
from functions.web.problems import STATUS
from ops.passwords import DEMO_USERS
from tests.docs.exchanges import GUESTS_NAME, TEXT, Half, exchanges, follow, parts, told
from tests.support.http import Answer, Client, http_event, route_of, send

GUEST = Client(GUESTS_NAME)


def asked(request: Half, address: str, by: Client) -> Answer:
    """The answer of the functions to a request; its address is that of the page, with a cursor of now."""
    method, path, query = parts(address)
    route, ids = route_of(method, path)
    event = http_event(route, ids, query, request.body or None, by.claims)
    return send(event | {"headers": {name.lower(): text for name, text in request.headers.items()}})


def test_every_request_gets_the_answer_that_stands_there(handlers: None) -> None:
    """From the user that it names, who is in no group but that of the route; from one in none, no answer but a 403."""

    def ask(request: Half, address: str) -> Answer:
        group = DEMO_USERS[request.user]
        assert group == REQUIRED_GROUP.get(route_of(*parts(address)[:2])[0]), request.line
        if group:
            assert asked(request, address, GUEST).status == 403, request.line
        return asked(request, address, Client(request.user, (group,) if group else ()))

    follow(ask)


def test_the_page_has_examples_and_what_differs_is_seen() -> None:
    assert len(list(exchanges())) > 15
    assert not told({"a": [1]}, {"a": [1, 2]})
    assert not told({"a": 1}, {"a": 2})


def rows(title: str) -> dict[str, str]:
    """The first two columns of the table in a section."""
    section = TEXT.partition(f"## {title}\n")[2].partition("\n## ")[0]
    table = re.findall(r"^\| (.*?) \| (.*?) \|", section, re.MULTILINE)
    return dict(table[1:] if table[0][0] == "status" else table)


def test_every_status_of_a_failure_is_told() -> None:
    statuses = {status for status, _ in FAILURES.values()} | {str(status.value) for status in STATUS.values()}
    assert set(re.findall(r"^\| (\d{3}) \|", TEXT, re.MULTILINE)) == statuses


@pytest.mark.parametrize(
    ("limit", "value"),
    [
        ("characters of an id", 200),
        ("bytes of an id in a key", fields.ID_BYTES),
        ("entries of a page", MAX_LIMIT),
        ("events of one request", MAX_EVENTS),
        ("messages of one request", MAX_MESSAGES),
        ("metrics of an event", MAX_METRICS),
        ("characters of a metric's name", fields.METRIC_NAME_BYTES),
        ("characters of a message", MAX_TEXT),
        ("seconds of one request", HTTP_TIMEOUT_SECONDS),
    ],
)
def test_the_limits_are_those_of_the_code(limit: str, value: int) -> None:
    assert rows("Limits")[limit] == f"{value:,}"
