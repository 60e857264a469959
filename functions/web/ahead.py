"""How far ahead of the server's clock an instant may be: its entity says so, and others are refused at the door.

A reading of the year 2106, from a clock that is wrong, would be the last of its device for good.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from edgewise import Millis, clock, millis, rfc_3339
from edgewise.times import HOUR


def is_ahead(at: datetime, by: Millis) -> bool:
    """Whether an instant is ahead of the server's clock by more than that."""
    return millis(at) > clock.now() + by


@dataclass(frozen=True)
class Ahead:
    """Beside the type of an instant: it may be ahead of the server's clock by as much as this, and by no more."""

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
