"""The settings of a stage that takes readings from AWS IoT Core."""

from typing import Annotated, Final

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

# A reading has no more.
MAX_METRICS: Final = 100
# Without quotation marks: it stands in the rule's SQL.
_NAME = "^[A-Za-z0-9][A-Za-z0-9 _./-]{0,255}$"


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class IotSettings:
    """Which messages of things become readings, beside those that are readings already.

    `sparkplug`: the metrics that are taken out of messages of the form of Sparkplug, whose metrics are a list; other
    metrics are left out. Without any, such messages are not taken.
    """

    sparkplug: Annotated[tuple[Annotated[str, Field(pattern=_NAME)], ...], Field(max_length=MAX_METRICS)] = ()
