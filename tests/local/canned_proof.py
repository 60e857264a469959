"""A stage that is broken on purpose, as its API tells of it, at a second that the test chooses."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, NamedTuple
from unittest.mock import patch

from functions.systems.proof import replaying

BEGUN = datetime(2026, 11, 29, 12, 2, 17, tzinfo=UTC)
# Between two answers, so that a run of some minutes is soon told.
STEP_SECONDS = 3
KINDS = ("kill", "lose answer", "poison", "slow", "repeat", "repeat half", "rewind", "lose state", "split")
SHARDS = ("shardId-000000017c1", "shardId-00000000e80")
NUMBERS: tuple[tuple[str, list[Any], str, int], ...] = (
    ("DEVICE", ["JFK"], "Events", 6451),
    ("PLACE", [["US", "New York"]], "Events", 4301),
    ("ROOM", ["harbour"], "Events", 9511),
    ("CUSTOMER", ["Customer-7"], "Events", 12),
)
POISON = "it has no readable SK"


class Event(NamedTuple):
    """What was done, how many seconds after the watch began; and how many records came again."""

    second: int
    kind: str
    what: str
    again: int = 0


EVENTS = (
    Event(14, "repeat", "batch of 3 again, all of it", 3),
    Event(26, "repeat", "batch of 7 again, all of it", 7),
    Event(37, "kill", "killed after write 3 of 7", 5),
    Event(52, "repeat half", "first half of a batch of 18 again", 9),
    Event(60, "slow", "2 s before each write, for 10 s"),
    Event(74, "repeat", "batch of 8 again, all of it", 8),
    Event(83, "poison", "record 12834 of 31 can't be read"),
    Event(92, "lose answer", "killed after all of its 11 writes, before its answer", 11),
    Event(101, "rewind", "read again from 13 records before", 13),
    Event(112, "repeat", "batch of 9 again, all of it", 9),
    Event(120, "split", "splits in two"),
    Event(124, "repeat", "batch of 10 again, all of it", 10),
    Event(131, "kill", "killed after write 2 of 4", 12),
)
SLOW = (60, 70)
SCRIPT = "12k,25d,40p,55r"


@cache
def simulated() -> Any:
    """A run that is really simulated: the consumer killed, a batch delivered again, a record poisoned and redriven."""
    # A busy machine needs longer than a request may take.
    with patch.object(replaying, "PATIENCE_SECONDS", 120):
        return json.loads(replaying.run(41, SCRIPT))


class Broken:
    """`second`: when answers are made. `watched`: what was last asked to be watched, if anything."""

    def __init__(self, second: int = 0) -> None:
        self.second, self.told = second, second - STEP_SECONDS
        self.redriven = 0
        self.watched: Any = None
        self.asked: list[Any] = []

    @property
    def answers(self) -> Mapping[str, Callable[[Any], Any]]:
        """What the API answers, by path."""
        return {
            "/proof": self._proof,
            "/proof/watch": self._watch,
            "/proof/faults": self._ask,
            "/proof/run": lambda _: simulated(),
            "/quarantine": self._quarantine,
            f"/quarantine/{SHARDS[0]}/12834/redrive": self._redrive,
        }

    def _proof(self, _: Any) -> Any:
        now = self.second
        past = [each for each in EVENTS if each.second <= now]
        last = [each for each in past if each.second > self.told]
        self.told = now
        drift = sum(each.again for each in past)
        numbers = [self._number(place, drift) for place in self._watched_places()]
        return {
            "at": _at(now),
            "kinds": KINDS,
            "watchable": [kind for kind, *_ in NUMBERS],
            "watch": self.watched and self._told(),
            "slow_until": _at(SLOW[1]) if SLOW[0] <= now < SLOW[1] else None,
            "asked": self.asked,
            "verdict": "compared" if self.watched and now >= STEP_SECONDS else "begins",
            "why": "The first records are on their way.",
            "quarantined": int(self.poisoned),
            "numbers": numbers,
            "shards": [
                {
                    "shard": SHARDS[0],
                    "delivered": 4 + now % 5,
                    "again": sum(each.again for each in last),
                    "at": _at(now),
                },
                {"shard": SHARDS[1], "delivered": 7 if now % 4 else 0, "again": 0, "at": _at(now)},
            ],
            "done": [
                {
                    "id": str(each.second),
                    "kind": each.kind,
                    "at": _at(each.second),
                    "shard": SHARDS[0],
                    "what": each.what,
                }
                for each in reversed(past)
            ],
            "cursor": str(now),
        }

    @property
    def poisoned(self) -> bool:
        """Whether a record is in quarantine."""
        return bool(not self.redriven and self.second >= max(each.second for each in EVENTS if each.kind == "poison"))

    def _number(self, place: int, drift: int) -> Any:
        kind, dimensions, cell, stored = NUMBERS[place]
        begins, lacks = self.second < STEP_SECONDS, int(self.poisoned and place == 1)
        off = [drift // 2, drift, 0, 0][place]
        return {
            "kind": kind,
            "dimensions": dimensions,
            "cell": cell,
            "stored": stored,
            "expected": None if begins else stored,
            "difference": None if begins else 0,
            "lacks": lacks,
            "verdict": "begins" if begins else "lacks" if lacks else "equal",
            "plain": {"added": self.second + off, "drift": off} if self.watched["plain"] else None,
        }

    def _watched_places(self) -> list[int]:
        named = [
            [each["kind"], each["dimensions"], each["cell"]] for each in (self.watched or {"numbers": []})["numbers"]
        ]
        return [place for place, (kind, dimensions, cell, _) in enumerate(NUMBERS) if [kind, dimensions, cell] in named]

    def _told(self) -> Any:
        name = f"{len(self.watched['numbers'])} {self.watched['plain']}"
        return {"id": name, "since": _at(0), "until": _at(self.second + 30), "plain": self.watched["plain"]}

    def _watch(self, body: Any) -> Any:
        self.watched = body
        return {"watch": self._told()}

    def _ask(self, body: Any) -> Any:
        return {"id": str(self.second), "kind": body["kind"], "at": _at(self.second), "shard": "", "status": 202}

    def _quarantine(self, _: Any) -> Any:
        record = {"shard": SHARDS[0], "sequence": "12834", "at": _at(83), "error": POISON}
        return {"records": [record] * self.poisoned, "count": int(self.poisoned), "cursor": None}

    def _redrive(self, _: Any) -> Any:
        self.redriven = self.second
        return {}


def _at(second: int) -> str:
    return (BEGUN + timedelta(seconds=second)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
