"""The deployed consumer is broken as administrators may, while somebody watches what it counts."""

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest

from edgewise import rfc_3339
from functions.systems.proof.entity import Kind
from ops.processes import wait_until
from tests.e2e.conftest import Client, Deployment

SECONDS = 300
DEVICES = "proof-1", "proof-2", "proof-3"
PLACE, CUSTOMER = ("Proven",), "prue"
WATCHED: list[dict[str, Any]] = [
    {"kind": "PLACE", "dimensions": [list(PLACE)], "cell": "Events"},
    {"kind": "DEVICE", "dimensions": [DEVICES[0]], "cell": "Events"},
    {"kind": "CUSTOMER", "dimensions": [CUSTOMER], "cell": "Orders"},
]
Condition = Callable[[Any], bool]
# What the log says when it was done, and whether records come again by it: a plain ADD then counts them again.
TOLD: dict[Kind, tuple[str, bool]] = {
    "kill": (r"killed after write \d+ of \d+ or more", True),
    "lose answer": (r"killed after (one write|\d+ writes), before its answer", True),
    "slow": (r"each write waits, for 10 seconds", False),
    "repeat": (r"batch of \d+ again, all of it", True),
    "repeat half": (r"first \d+ of \d+ records came again, then the rest", True),
    "rewind": (r"read again from \d+ records? earlier on", True),
    "lose state": (r"the window's state was lost: \d+ bytes", False),
    "split": (r"shard \S+ split into \S+ and \S+", False),
}


@dataclass
class Watcher:
    """Somebody who watches three numbers, breaks what counts them, and has a count of what was posted."""

    admin: Client
    sensor: Client
    app: Client
    posted: Counter[str] = field(default_factory=Counter)
    numbers: Iterator[int] = field(default_factory=count)
    cursor: str = ""

    def look(self) -> Any:
        """What the page shows; never that a number is wrong."""
        self.admin.put("proof", "watch", body={"numbers": WATCHED, "plain": True})
        body = self.admin.get("proof", **({"cursor": self.cursor} if self.cursor else {}))
        self.cursor = body["cursor"]
        for number in body["numbers"]:
            assert not number["difference"], body
            assert number["verdict"] != "wrong", body
        return body

    def until(self, condition: Condition, what: str, meanwhile: Callable[[], object] = lambda: None) -> Any:
        """Look until it shows something, and return that look; `meanwhile` is done between two looks."""
        seen: list[Any] = []

        def shown() -> bool:
            seen.append(self.look())
            if condition(seen[-1]):
                return True
            meanwhile()
            return False

        wait_until(shown, SECONDS, what, lambda: seen[-1])
        return seen[-1]

    def post(self, *devices: str, orders: int = 0) -> None:
        """A reading of each of these devices, all at the place, and orders of the customer."""
        events = [
            {
                "device_id": each,
                "at": rfc_3339(time.time_ns() // 1_000_000),
                "event_id": f"{next(self.numbers)}",
                "place": list(PLACE),
                "metrics": {"temp": 20},
            }
            for each in devices
        ]
        assert self.sensor.post("telemetry", body={"events": events})["accepted"] == len(devices)
        for _ in range(orders):
            body = {"order_id": f"{next(self.numbers)}", "amount": 5, "opened_at": "2018-08-29T11:00:00Z"}
            self.app.post("customers", CUSTOMER, "orders", body=body)
        self.posted.update(PLACE=len(devices), DEVICE=devices.count(DEVICES[0]), CUSTOMER=orders)

    def do(self, kind: Kind) -> Any:
        """Ask for a fault, and post until the log tells of it; returns its line."""
        asked = self.admin.call("POST", "proof", "faults", body={"kind": kind}).body

        def line(body: Any) -> Any:
            return next((each for each in body["done"] if each["id"] == asked["id"]), None)

        told = line(self.until(line, f"the fault {kind}", lambda: self.post(*DEVICES, orders=1)))
        assert told["kind"] == kind
        return told

    def equal(self) -> Any:
        """Look until all numbers equal the recount and all that was posted."""

        def is_equal(body: Any) -> bool:
            return [(each["stored"], each["verdict"]) for each in body["numbers"]] == [
                (self.posted[each["kind"]], "equal") for each in WATCHED
            ]

        return self.until(is_equal, f"{dict(self.posted)}")


@pytest.fixture(scope="module")
def watcher(deployment: Deployment) -> Watcher:
    watcher = Watcher(deployment.api("admin"), deployment.api("sensor"), deployment.api("app"))
    watcher.post(*DEVICES, orders=1)
    watcher.until(lambda body: body["verdict"] == "compared", "the comparison")
    return watcher


def test_only_administrators_watch_and_break(guest: Client, app: Client) -> None:
    watch = json.dumps({"numbers": WATCHED, "plain": True})
    for client in (guest, app):
        answers = [
            client.raw("GET", "proof"),
            client.raw("PUT", "proof", "watch", data=watch),
            client.raw("POST", "proof", "faults", data=json.dumps({"kind": "kill"})),
        ]
        assert [each.status_code for each in answers] == [403] * 3
        assert {each.json()["group"] for each in answers} == {"admin"}


@pytest.mark.parametrize("kind", TOLD)
def test_numbers_are_right_whatever_is_broken(watcher: Watcher, kind: Kind) -> None:
    told, again = TOLD[kind]
    before = drift(watcher.equal())
    line = watcher.do(kind)
    while "nothing to kill between" in line["what"]:  # of that batch, there was at most one write
        line = watcher.do(kind)
    assert re.fullmatch(told, line["what"])
    watcher.equal()
    if again:
        # What was struck may have been a batch of the engine's own records, of which a plain ADD counts nothing.
        watcher.until(
            lambda body: drift(body) > before, "a plain ADD counts again what comes again", lambda: watcher.do(kind)
        )


def drift(body: Any) -> int:
    """By how much the plain sums are too high, of all numbers."""
    return sum(each["plain"]["drift"] for each in body["numbers"])


def test_what_a_release_can_not_read_is_lacking_until_it_is_applied(watcher: Watcher, admin: Client) -> None:
    watcher.equal()
    admin.call("POST", "proof", "faults", body={"kind": "poison"})
    watcher.post(DEVICES[0])

    def shown(body: Any) -> list[tuple[str, str, int]]:
        return [(each["kind"], each["verdict"], each["lacks"]) for each in body["numbers"]]

    lacking = [("PLACE", "lacks", 1), ("DEVICE", "lacks", 1), ("CUSTOMER", "equal", 0)]
    body = watcher.until(lambda body: shown(body) == lacking, "what two numbers lack")
    (line,) = (each for each in body["done"] if each["kind"] == "poison")
    assert re.fullmatch(rf"this release can't read EVENT DEVICE#{DEVICES[0]}, record …\d+", line["what"])
    (record,) = admin.get("quarantine")["records"]
    assert record["sequence"].endswith(line["what"].partition("…")[2])
    admin.call("POST", "quarantine", record["shard"], record["sequence"], "redrive")
    watcher.equal()
