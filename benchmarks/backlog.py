"""How long a lane takes to work off a backlog. Pure: what was measured comes in, times go out.

A lane is the consumer on one shard: one invocation at a time, on one processor.
"""

from dataclasses import dataclass

from edgewise.stream.windows import BATCH

# What a shard's partition accepts in a second.
RATE = BATCH
MINUTE, HOUR = 60.0, 3600.0
# DynamoDB Streams discards records after this.
KEPT = 24 * HOUR


@dataclass(frozen=True)
class Assumed:
    """What a request to the table takes in seconds, and how many threads of the lane wait at the same time."""

    read: float
    write: float
    threads: int


@dataclass(frozen=True)
class Lane:
    """What one record was measured to take, everything that it causes included: CPU in seconds, and requests."""

    cpu: float
    reads: float
    writes: float

    def wait(self, assumed: Assumed) -> float:
        """Seconds a record for which the lane waits for the table, if all of its threads wait at the same time."""
        return (self.reads * assumed.read + self.writes * assumed.write) / assumed.threads

    def rate(self, assumed: Assumed) -> float:
        """Records a second. As if no thread worked while others wait, so it is at least this."""
        return 1 / (self.cpu + self.wait(assumed))


def worked_off(behind: float, rate: float, share: float = 1) -> float | None:
    """Seconds until a lane that is so many seconds behind is not behind any more; None: never.

    Until now its shard brought RATE records a second, and from now on brings this share of them: less than 1 after a
    split, since whatever came before it has to be worked off first, by one lane.
    """
    gained = rate - share * RATE
    return behind * RATE / gained if gained > 0 else None


def behind_after(seconds: float, behind: float, rate: float) -> float:
    """How far behind a lane is so many seconds later, while its shard brings RATE records a second."""
    return max(0.0, behind + seconds - seconds * rate / RATE)


def lost_after(behind: float, rate: float) -> float | None:
    """Seconds until a lane that falls ever further behind meets records that are discarded; None: it doesn't."""
    growing = 1 - rate / RATE
    return (KEPT - behind) / growing if growing > 0 else None


def told(seconds: float | None) -> str:
    """A time for people; None is never."""
    if seconds is None:
        return "never"
    for unit, name in ((HOUR, "h"), (MINUTE, "min")):
        if seconds >= 1.5 * unit:
            return f"{seconds / unit:,.1f} {name}"
    return f"{seconds:,.0f} s"
