"""The requests and answers of docs/api.md, one after the other, for whoever can send them."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote

from tests.support.http import Answer

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text()
# Who sends what names nobody.
GUESTS_NAME = "guest"
_BLOCK = re.compile(r"^```http\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADER = re.compile(r"([A-Za-z-]+): (.*)")
_USER = re.compile(r"Bearer \$\(token (\w+)\)")
_ANYTHING = "…"


@dataclass(frozen=True)
class Half:
    """A request or an answer: its first line, its headers, its body."""

    line: str
    headers: dict[str, str]
    body: str

    @classmethod
    def of(cls, text: str) -> "Half":
        line, *rest = text.strip().splitlines()
        headers = {found[1]: found[2] for each in rest if (found := _HEADER.fullmatch(each))}
        return cls(line, headers, "\n".join(rest[len(headers) :]))

    @property
    def user(self) -> str:
        """The demo's user who sends the request."""
        token = _USER.fullmatch(self.headers.get("Authorization", ""))
        return token[1] if token else GUESTS_NAME


def exchanges() -> Iterator[tuple[Half, Half]]:
    for block in _BLOCK.findall(TEXT):
        request, answer = block.split("\n\n")
        yield Half.of(request), Half.of(answer)


def parts(address: str) -> tuple[str, str, dict[str, str]]:
    """The method, the path and the parameters in the first line of a request."""
    method, _, rest = address.partition(" ")
    path, _, query = rest.partition("?")
    return method, path, dict(parse_qsl(query))


def follow(ask: Callable[[Half, str], Answer]) -> None:
    """Ask all in their order, each by its first line with the cursor of the last answer that had one."""
    cursor = ""
    for request, expected in exchanges():
        line = request.line.replace(_ANYTHING, quote(cursor, safe=""))
        answer = ask(request, line)
        if "x-consumed-requests" in expected.headers:
            # A process of a function that has just started reads the list of shards, too.
            answer = ask(request, line)
        status, _, _ = expected.line.partition(" ")
        assert answer.status == int(status), (request.line, answer)
        headers = {name: answer.headers[name] for name in expected.headers if name in answer.headers}
        assert told(expected.headers, headers), (request.line, answer.headers)
        body = json.loads(expected.body, parse_float=Decimal) if expected.body else None
        assert told(body, answer.body), (request.line, answer.body)
        cursor = (answer.body or {}).get("cursor") or cursor


def told(expected: Any, found: Any) -> bool:
    """Whether an answer is as the page says; it may have members that the page leaves out."""
    if expected == _ANYTHING:
        return found is not None
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(name in found and told(expected[name], found[name]) for name in expected)
    if isinstance(expected, list):
        return len(expected) == len(found) and all(map(told, expected, found))
    return bool(expected == found)
