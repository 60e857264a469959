"""The settings of a stage's batch side: how often the table is checked against itself, and how much may work on it."""

from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

# The sizes of a job's processes: the driver and one executor are the least that can work.
VCPUS_A_WORKER: Final = 4
WEEK_HOURS: Final = 7 * 24


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class BatchSettings:
    """The checks of a stage, and the job that makes them.

    `interval_hours`: how often a check begins, 168 is once a week, on `weekday`; `hour`: the hour of the day (UTC) of
    the first one. `vcpus`: how many processors a job may take at once: it takes what ends it in an hour (sizing.py).
    """

    # Checks fit into a day, or into the week that an alarm can watch.
    interval_hours: Literal[4, 6, 8, 12, 24, 168] = 24
    weekday: Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"] = "sun"
    hour: Annotated[int, Field(ge=0, le=23)] = 3
    # An account may use 16 unless AWS has raised its quota.
    vcpus: Annotated[int, Field(ge=2 * VCPUS_A_WORKER, le=4000, multiple_of=VCPUS_A_WORKER)] = 16

    @property
    def hours(self) -> tuple[int, ...]:
        """The hours of the day (UTC) at which a check begins."""
        return tuple(sorted((self.hour + later) % 24 for later in range(0, 24, self.interval_hours)))

    @property
    def weekdays(self) -> str | None:
        """The day of the week at which a check begins, as cron writes it; None: each."""
        return self.weekday.upper() if self.interval_hours == WEEK_HOURS else None
