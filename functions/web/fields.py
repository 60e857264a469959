"""The field types that requests share: valid ids, instants, numbers, places."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any

from aws_lambda_powertools.event_handler.openapi.params import Path
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from edgewise import Millis, clock, millis, rfc_3339
from edgewise.aggregates.measures import (
    GREATEST,
    MAX_DECIMALS,
    MAX_INTEGER_DIGITS,
    MEASURABLE,
    bounded,
    measurable,
)
from edgewise.dynamodb.keys import escape
from edgewise.times import EARLIEST, HOUR, LATEST, SECOND, from_epoch_seconds, is_period, parse_instant
from functions.place import MAX_LEVELS
from functions.web import spelling

# A sort key has at most 1,024 bytes; with these limits, every key fits (tests/systems/*/test_limits.py).
ID_BYTES, SHORT_ID_BYTES, NAME_BYTES, PLACE_BYTES = 800, 190, 90, 900
# As many bytes as 64 characters can have: so much is reserved for each name (tests/systems/telemetry/test_limits.py).
METRIC_NAME_BYTES = 256

_LAYOUT = {ord(character): None for character in "\t\n\r"}
_SECONDS = re.compile(r"[+-]?\d+(\.\d*)?", re.ASCII)


class Request(BaseModel):
    """A request body: unknown fields are refused, because they are usually misspelt."""

    model_config = ConfigDict(extra="forbid")


def is_ahead(at: datetime, by: Millis) -> bool:
    """Whether an instant is ahead of the server's clock by more than that."""
    return millis(at) > clock.now() + by


@dataclass(frozen=True)
class Ahead:
    """Beside the type of an instant: it may be ahead of the server's clock by as much as this, and by no more.

    A reading of the year 2106, from a clock that is wrong, would be the last of its device for good.
    """

    by: Millis

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._checked, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(schema) | {"description": f"may {self._bound} of the server's clock"}

    @property
    def _bound(self) -> str:
        return f"be at most {self.by // HOUR} hours ahead" if self.by else "not be ahead"

    def _checked(self, at: datetime) -> datetime:
        if is_ahead(at, self.by):
            raise ValueError(
                f"may {self._bound} of the server's clock, which shows {rfc_3339(clock.now())}:"
                " correct the clock that it is from"
            )
        return at


def printable(text: str) -> str:
    """Text without control characters and without halves of surrogate pairs; raises ValueError."""
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise ValueError("must not contain control characters")
    return text


def prose(text: str) -> str:
    """Printable text that may have several lines; raises ValueError."""
    printable(text.translate(_LAYOUT))
    return text


def encodable(text: str) -> str:
    """Any text that can be stored: without halves of surrogate pairs; raises ValueError."""
    text.encode()
    return text


def _composed(value: Any) -> Any:
    return spelling.composed(value) if isinstance(value, str) else value


def _at_most(limit: int) -> Callable[[str], str]:
    def check(text: str) -> str:
        if len(escape(text).encode()) > limit:
            raise ValueError(f"must fit into {limit} bytes of a key")
        return text

    return check


def in_bytes(limit: int) -> dict[str, str]:
    """What the schema of a text says that has no more bytes."""
    return {"description": f"at most {limit} bytes in UTF-8"}


def at_most_bytes(limit: int) -> Callable[[str], str]:
    """Checks that a text has no more bytes."""

    def check(text: str) -> str:
        if len(text.encode()) > limit:
            raise ValueError(f"must not be longer than {limit} bytes in UTF-8")
        return text

    return check


def _instant(value: Any) -> datetime:
    if isinstance(value, str):
        return parse_instant(value)
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise ValueError("must be an RFC 3339 date-time or a number of seconds since 1970")
    return from_epoch_seconds(Decimal(str(value)))


def _query_instant(value: Any) -> datetime:
    return from_epoch_seconds(Decimal(value)) if _SECONDS.fullmatch(value) else parse_instant(value)


def measure(value: Any) -> Decimal:
    """A number that can be measured: every finite double, every integer of 64 bits; raises ValueError."""
    return measurable(exactly(value))


def _number(value: Any) -> Decimal:
    return bounded(exactly(value))


def exactly(value: Any) -> Decimal:
    """A number of JSON with all its digits; raises ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise ValueError("must be a number")
    return Decimal(str(value))


def _place(components: list[str]) -> tuple[str, ...]:
    if sum(len(escape(component).encode()) + 1 for component in components) > PLACE_BYTES:
        raise ValueError(f"must fit into {PLACE_BYTES} bytes of a key")
    return tuple(components)


def _period(text: str) -> str:
    if not is_period(text):
        raise ValueError("must be a year, month, day, hour, minute or second, such as 2018-08 or 2018-08-29:12")
    return text


def _spelled(characters: int, limit: int) -> dict[str, str]:
    """The schema of a name in a URL, whose limits are those of what it spells."""
    how = "spelled as docs/api.md says: ~2F for /, ~25 for %, ~3F for ?, ~7E for ~"
    return _SPELLED | {"description": f"{how}; at most {characters} characters, and {limit} bytes in a key"}


# OpenAPI can express which characters are printable, but not how many bytes a text takes.
_PRINTABLE = {"pattern": r"^[^\u0000-\u001f\u007f-\u009f]*$"}
_PROSE = {"pattern": r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$"}
_SPELLED = {
    "type": "string",
    "pattern": r"^([^~/%?\ufffd\u0000-\u001f\u007f-\u009f]|~7E|~2F|~25|~3F|~2E|~[89A-F][0-9A-F])+$",
}
_SECOND = {"type": "number", "minimum": EARLIEST / SECOND, "maximum": LATEST / SECOND}
_TIME_SCHEMA = {"anyOf": [{"type": "string", "format": "date-time"}, _SECOND]}
_LIMIT = 10**MAX_INTEGER_DIGITS
_NUMBER_SCHEMA = {
    "type": "number",
    "exclusiveMinimum": -_LIMIT,
    "exclusiveMaximum": _LIMIT,
    "description": f"at most {MAX_INTEGER_DIGITS} digits before the point and {MAX_DECIMALS} after it",
}
MEASURE_SCHEMA = {
    "type": "number",
    "minimum": -float(GREATEST),
    "maximum": float(GREATEST),
    "description": MEASURABLE,
}

Line = Annotated[str, Field(min_length=1, max_length=200, json_schema_extra=_PRINTABLE), AfterValidator(printable)]
Prose = Annotated[str, Field(json_schema_extra=_PROSE), AfterValidator(prose)]
ShortLine = Annotated[str, Field(min_length=1, max_length=64, json_schema_extra=_PRINTABLE), AfterValidator(printable)]
AnyMetric = Annotated[
    str,
    Field(min_length=1, max_length=256, json_schema_extra=_PRINTABLE | in_bytes(METRIC_NAME_BYTES)),
    AfterValidator(printable),
]
MetricName = Annotated[AnyMetric, AfterValidator(at_most_bytes(METRIC_NAME_BYTES))]
# What people call somebody or something: of canonically equivalent spellings, the composed one.
Called = Annotated[Line, BeforeValidator(_composed)]
# An id just as it is written, also one that was stored before ids were composed.
ExactId = Annotated[Line, AfterValidator(_at_most(ID_BYTES))]
Id = Annotated[ExactId, BeforeValidator(_composed)]
ShortId = Annotated[Line, AfterValidator(_at_most(SHORT_ID_BYTES))]
SpelledId = Annotated[ExactId, BeforeValidator(spelling.read), WithJsonSchema(_spelled(200, ID_BYTES))]
SpelledShortId = Annotated[ShortId, BeforeValidator(spelling.read), WithJsonSchema(_spelled(200, SHORT_ID_BYTES))]
PathId = Annotated[SpelledId, Path()]
Name = Annotated[ShortLine, AfterValidator(_at_most(NAME_BYTES))]
SpelledName = Annotated[Name, BeforeValidator(spelling.read), WithJsonSchema(_spelled(64, NAME_BYTES))]
PathName = Annotated[SpelledName, Path()]
Instant = Annotated[datetime, BeforeValidator(_instant), WithJsonSchema(_TIME_SCHEMA)]
QueryInstant = Annotated[datetime, BeforeValidator(_query_instant), WithJsonSchema(_TIME_SCHEMA)]
# What is paid, and weights.
Number = Annotated[Decimal, BeforeValidator(_number), WithJsonSchema(_NUMBER_SCHEMA)]
Measured = Annotated[Decimal, BeforeValidator(measure), WithJsonSchema(MEASURE_SCHEMA)]
PlacePath = Annotated[list[Called], Field(min_length=1, max_length=MAX_LEVELS), AfterValidator(_place)]
ExactPlace = Annotated[list[Line], Field(min_length=1, max_length=MAX_LEVELS), AfterValidator(_place)]
Period = Annotated[str, AfterValidator(_period)]
