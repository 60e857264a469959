"""Evaluates the SQL of our rules as AWS IoT does, by its developer guide; anything else of it is refused.

Pages of https://docs.aws.amazon.com/iot/latest/developerguide/, each with what it says:

- iot-sql-reference.html: `SELECT expression AS name, ... FROM 'topic filter'`.
- iot-sql-literals.html: `{'name': expression}` and `[expression]`. It shows none inside another.
- iot-sql-data-types.html: what a message lacks is Undefined; a member that is Undefined is left out of the JSON; with
  SQL 2016-03-23, 10.0 is 10.
- iot-sql-functions.html: `topic(n)`, from 1; `get(array, index)`, Undefined outside of it, and of what is no array;
  `concat` of strings; `parse_time(pattern, milliseconds)`, in UTC, by a pattern of Joda-Time; a function that is called
  with an argument of another type returns Undefined.
- iot-sql-nested-queries.html: `(SELECT VALUE n FROM e WHERE m = 'text')` is an array of what the members of e have.
  In the guide of IoT SiteWise (query-notification-messages.html), an attribute of the name `value` is in parentheses.
- iot-basic-ingest.html: `$aws/rules/NAME/` before a topic invokes the rule, and is not counted by `topic(n)`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Final

UNDEFINED: Final = object()
_TOKEN: Final = re.compile(r"""\s*('[^']*'|"[^"]*"|[A-Za-z_]\w*|\d+|[][{}(),:=])""")
_JODA: Final = {"yyyy": "%Y", "MM": "%m", "dd": "%d", "HH": "%H", "mm": "%M", "ss": "%S"}


class UnknownSqlError(Exception):
    """This is SQL that no rule of ours uses, so this model does not know what AWS makes of it."""


def evaluated(sql: str, topic: str, payload: str) -> str | None:
    """What a rule's action gets of a message, as JSON; None if the rule is not for its topic."""
    reader = _Reader(sql)
    reader.take("SELECT")
    selected = [reader.parsed()]
    reader.take("AS")
    names = [reader.word()]
    reader.take("FROM")
    topic = re.sub("^[$]aws/rules/[^/]+/", "", topic)
    if not _matches(reader.text(), topic):
        return None
    reader.end()
    message = json.loads(payload, parse_float=_number)
    out = {name: _of(each, message, topic) for name, each in zip(names, selected, strict=True)}
    return _json(out)


def _matches(topics: str, topic: str) -> bool:
    parts, given = topics.split("/"), topic.split("/")
    return len(parts) == len(given) and all(part in ("+", each) for part, each in zip(parts, given, strict=True))


def _number(text: str) -> Decimal | int:
    found = Decimal(text)
    return int(found) if found == found.to_integral_value() else found


def _json(value: Any) -> str:
    """As JSON: members that are undefined are left out; numbers keep their digits."""
    match value:
        case dict():
            return "{" + ", ".join(f"{json.dumps(k)}: {_json(v)}" for k, v in value.items() if v is not UNDEFINED) + "}"
        case list() if UNDEFINED in value:
            raise UnknownSqlError("AWS does not say what becomes of an undefined item of an array")
        case list():
            return f"[{', '.join(map(_json, value))}]"
        case Decimal():
            return str(value)
    return json.dumps(value)


@dataclass(frozen=True)
class Call:
    """A function with its arguments."""

    name: str
    given: tuple[Any, ...]


@dataclass(frozen=True)
class Attribute:
    """An attribute of the message, or of the item that a nested query looks at."""

    name: str


@dataclass(frozen=True)
class Nested:
    """The attribute `value` of each item of `among` whose attribute `where` is this text."""

    value: str
    among: str
    where: str
    text: str


def _of(each: Any, message: Mapping[str, Any], topic: str) -> Any:
    match each:
        case dict():
            return {name: _of(value, message, topic) for name, value in each.items()}
        case list():
            return [_of(value, message, topic) for value in each]
        case Attribute(name):
            return message.get(name, UNDEFINED)
        case Nested(value, among, where, text):
            items = message.get(among, UNDEFINED)
            if not isinstance(items, list):
                return UNDEFINED
            return [one.get(value, UNDEFINED) for one in items if one.get(where, UNDEFINED) == text]
        case Call(name, given):
            return _called(name, [_of(one, message, topic) for one in given], topic)
    return each


def _called(name: str, given: list[Any], topic: str) -> Any:
    match name, given:
        case "topic", [int(segment)]:
            return topic.split("/")[segment - 1]
        case "get", [list(items), int(index)]:
            return items[index] if 0 <= index < len(items) else UNDEFINED
        case "get", [_, int()]:
            return UNDEFINED
        case "concat", [_, *_] if all(isinstance(each, str) for each in given):
            return "".join(given)
        case "parse_time", [str(pattern), int(at)] if not isinstance(at, bool):
            return "".join(_formatted(pattern, datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at)))
        case "parse_time", [str(), at] if not isinstance(at, str):  # of a text, it may make a number
            return UNDEFINED
    raise UnknownSqlError(f"{name} of {given}")


def _formatted(pattern: str, at: datetime) -> Iterator[str]:
    for text, letters, other in re.findall(r"'([^']*)'|([A-Za-z]+)|([^A-Za-z'])", pattern):
        if letters == "SSS":
            yield f"{at.microsecond // 1000:03}"
        elif letters:
            yield at.strftime(_JODA[letters])
        else:
            yield text or other


class _Reader:
    """Reads SQL from the left to the right."""

    def __init__(self, sql: str) -> None:
        self._tokens = list(self._split(sql))
        self._at = 0

    @staticmethod
    def _split(sql: str) -> Iterator[str]:
        at = 0
        while at < len(sql):
            found = _TOKEN.match(sql, at)
            if not found:
                raise UnknownSqlError(sql[at:])
            yield found[1]
            at = found.end()

    def next(self) -> str:
        """The next token."""
        self._at += 1
        return self._tokens[self._at - 1]

    def take(self, expected: str) -> None:
        """Pass this one."""
        if (found := self.next()) != expected:
            raise UnknownSqlError(f"{found} where {expected} was expected")

    def ahead(self, *expected: str) -> bool:
        """Whether these are next."""
        return self._tokens[self._at : self._at + len(expected)] == list(expected)

    def end(self) -> None:
        """Nothing must be left."""
        if self._at < len(self._tokens):
            raise UnknownSqlError(" ".join(self._tokens[self._at :]))

    def word(self) -> str:
        """The next token, a name."""
        if not (found := self.next()).isidentifier():
            raise UnknownSqlError(found)
        return found

    def text(self) -> str:
        """The next token, a text."""
        if (found := self.next())[0] not in "'\"":
            raise UnknownSqlError(found)
        return found[1:-1]

    def parsed(self) -> Any:
        """The next expression."""
        if self.ahead("(", "SELECT"):
            return self._nested()
        first = self._tokens[self._at]
        if first == "{":
            return dict(self._listed("{", "}", self._member))
        if first == "[":
            return self._listed("[", "]", self.parsed)
        if first[0] in "'\"":
            return self.text()
        if first.isdigit():
            return int(self.next())
        name = self.word()
        return Call(name, tuple(self._listed("(", ")", self.parsed))) if self.ahead("(") else Attribute(name)

    def _member(self) -> tuple[str, Any]:
        name = self.text()
        self.take(":")
        return name, self.parsed()

    def _listed(self, begins: str, ends: str, each: Any) -> list[Any]:
        self.take(begins)
        found = [] if self.ahead(ends) else [each()]
        while self.ahead(","):
            self.take(",")
            found.append(each())
        self.take(ends)
        return found

    def _nested(self) -> Nested:
        for each in ("(", "SELECT", "VALUE", "("):
            self.take(each)
        value = self.word()
        self.take(")")
        self.take("FROM")
        among = self.word()
        self.take("WHERE")
        where = self.word()
        self.take("=")
        text = self.text()
        self.take(")")
        return Nested(value, among, where, text)
