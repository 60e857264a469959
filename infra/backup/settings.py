"""The settings of a stage's copies in another region."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from infra.patterns import REGION


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class BackupSettings:
    """Where the table is copied to, how often, and how long each copy is kept there."""

    region: Annotated[str, Field(pattern=REGION)]
    interval_hours: Literal[1, 2, 3, 4, 6, 8, 12, 24] = 24
    days: Annotated[int, Field(ge=1, le=365)] = 7

    @property
    def kept(self) -> float:
        """How many copies there are, once the first ones end."""
        return self.days * 24 / self.interval_hours
