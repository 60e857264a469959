"""docs/api.md: every request that stands there is sent, in order, and gets the answer that stands there."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote

import pytest

from docs.openapi import FAILURES
from functions.settings import HTTP_TIMEOUT_SECONDS
from functions.system import GROUPS
from functions.systems.chat.models import MAX_MESSAGES
from functions.systems.telemetry.models import MAX_EVENTS
from functions.web import fields
from functions.web.paging import MAX_LIMIT
from functions.web.problems import STATUS
from tests.support.http import FUNCTION_OF, Answer, http_event, send

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text()
BLOCK = re.compile(r"^```http\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADER = re.compile(r"([A-Za-z-]+): (.*)")
ANYTHING = "…"
PATTERNS = {route: re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", route)) for route in FUNCTION_OF}
CLAIMS = {
    "sub": "amy",
    "username": "amy",
    "token_use": "access",
    "iat": "1535543000",
    "cognito:groups": f"[{' '.join(GROUPS)}]",
}


@dataclass(frozen=True)
class Half:
    """A request or an answer: its first line, its headers, its body."""

    line: str
    headers: dict[str, str]
    body: str

    @classmethod
    def of(cls, text: str) -> "Half":
        line, *rest = text.strip().splitlines()
        headers = {found[1]: found[2] for each in rest if (found := HEADER.fullmatch(each))}
        return cls(line, headers, "\n".join(rest[len(headers) :]))


def exchanges() -> Iterator[tuple[Half, Half]]:
    for block in BLOCK.findall(TEXT):
        request, answer = block.split("\n\n")
        yield Half.of(request), Half.of(answer)


def ask(request: Half, cursor: str) -> Answer:
    """The answer to a request; where it has a cursor, that of the answer before that had one."""
    method, _, address = request.line.partition(" ")
    path, _, query = address.partition("?")
    found = {route: match for route, regex in PATTERNS.items() if (match := regex.fullmatch(f"{method} {path}"))}
    # Of two that fit, the one with fewer parameters: so does the gateway.
    route = min(found, key=lambda each: len(found[each].groups()))
    ids = {name: unquote(text) for name, text in found[route].groupdict().items()}
    parameters = {name: text.replace(ANYTHING, cursor) for name, text in parse_qsl(query)}
    event = http_event(route, ids, parameters, request.body or None, CLAIMS)
    return send(event | {"headers": {name.lower(): text for name, text in request.headers.items()}})


def told(expected: Any, found: Any) -> bool:
    """Whether an answer is as the page says; it may have members that the page leaves out."""
    if expected == ANYTHING:
        return found is not None
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(name in found and told(expected[name], found[name]) for name in expected)
    if isinstance(expected, list):
        return len(expected) == len(found) and all(map(told, expected, found))
    return bool(expected == found)


def test_every_request_gets_the_answer_that_stands_there(handlers: None) -> None:
    cursor = ""
    for request, expected in exchanges():
        answer = ask(request, cursor)
        status, _, _ = expected.line.partition(" ")
        assert answer.status == int(status), request.line
        assert told(expected.headers, dict(answer.headers)), (request.line, answer.headers)
        body = json.loads(expected.body, parse_float=Decimal) if expected.body else None
        assert told(body, answer.body), (request.line, answer.body)
        cursor = (answer.body or {}).get("cursor") or cursor


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
        ("seconds of one request", HTTP_TIMEOUT_SECONDS),
    ],
)
def test_the_limits_are_those_of_the_code(limit: str, value: int) -> None:
    assert rows("Limits")[limit] == f"{value:,}"
