"""How much of the table a caller may use: in one request, and in all requests of a time."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from edgewise.times import SECOND
from functions import rates
from functions.web import runtime
from functions.web.leases import Leases, Rated
from tests.conftest import fresh_table, local_client
from tests.support import leasing
from tests.support.clocks import Clock
from tests.support.http import Answer, Client
from tests.support.told import counted

AMY, BOB = Client("amy", sub="sub-a"), Client("bob", sub="sub-b")
SENSOR = Client("sensor", ("ingest",))
RATE, FLEET, MOST = 50, 4_000, 2_500
READING = {"device_id": "d", "metrics": {"temp": 21.5}}


@pytest.fixture
def table(dynamodb_local: str, aws_env: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """An empty table on DynamoDB Local, which tells true units."""
    made = fresh_table(local_client(dynamodb_local))
    plain = Table(made.name, made.client)
    monkeypatch.setattr(runtime, "table", lambda: plain)
    yield plain
    plain.client.delete_table(TableName=plain.name)


@pytest.fixture(autouse=True)
def limited(handlers: None, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rates of production, without what the session's fixture replaces."""
    monkeypatch.setenv("RATES", rates.to_text({rates.EVERYBODY: RATE, "ingest": FLEET}))
    monkeypatch.setenv("REQUEST_UNITS", str(MOST))
    leasing.begin(monkeypatch)


def post(client: Client, number: int, characters: int = 5, key: str = "") -> Answer:
    messages = [{"text": "a" * characters} | ({"message_id": f"{key}{n}"} if key else {}) for n in range(number)]
    return client.call("POST /rooms/{room}/messages", body={"messages": messages}, room="lobby")


def readings(number: int, **more: Any) -> Answer:
    events = [READING | {"at": f"2018-08-29T11:{n // 60:02}:{n % 60:02}Z"} | more for n in range(number)]
    return SENSOR.call("POST /telemetry", body={"events": events})


def families(table: Table) -> set[str]:
    found = table.client.scan(TableName=table.name)["Items"]
    return {item["PK"]["S"].partition("#")[0] for item in found}


class TestOneRequest:
    def test_the_attack_of_one_guest_is_refused_before_anything_is_stored(self, table: Table) -> None:
        answer = post(AMY, 500, 10_000)
        assert (answer.status, answer.headers["Content-Type"]) == (413, "application/problem+json")
        assert answer.fields == ["messages"]
        # 10,000 characters and their keys are less than 10 KB, in the table and in two indexes.
        assert (answer.body["units"], answer.body["most_units"]) == (500 * 3 * 10, MOST)
        assert families(table) == {"RATE"}, "the lease of the first request"
        assert post(AMY, 500, 10_000).cost == (0, 0, 0)

    def test_so_is_one_of_a_fleet(self, table: Table) -> None:
        answer = readings(500, attributes={f"a{n}": "b" * 2000 for n in range(4)})
        # 8 KB and some names.
        assert (answer.status, answer.fields, answer.body["units"]) == (413, ["events"], 500 * 8)
        assert families(table) == {"RATE"}

    def test_ordinary_ones_pass_also_the_largest(self) -> None:
        assert readings(500).body["accepted"] == 500
        assert post(AMY, 500).body["accepted"] == 500
        assert post(BOB, 500, key="m").body["accepted"] == 500

    @pytest.mark.parametrize(("characters", "named"), [(5, False), (5, True), (3_000, False), (10_000, True)])
    def test_what_is_said_before_is_what_is_used(
        self, characters: int, named: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """By the engine's own count; but for the room, which is there."""
        post(SENSOR, 1)
        told: list[float] = []
        need = Leases.need

        def listening(leases: Leases, caller: Rated, units: float) -> None:
            told.append(units)
            need(leases, caller, units)

        monkeypatch.setattr(Leases, "need", listening)
        used = post(SENSOR, 7, characters, key="m" if named else "").cost[2]
        assert told == [1, used]


class TestManyRequests:
    def test_three_times_the_largest_is_too_much_for_one_guest_and_nobody_else_notices(self, clock: Clock) -> None:
        """A burst is 3,000 units: less than two such requests of 1,500 units, and what they take besides."""
        assert [post(AMY, 500).status for _ in range(3)] == [202, 429, 429]
        assert [post(BOB, 500).status, readings(500).status] == [202, 202]

    def test_the_answer_says_when_to_come_again(self, clock: Clock) -> None:
        while (answer := post(AMY, 100)).status == 202:
            pass
        assert (answer.status, answer.headers["Content-Type"]) == (429, "application/problem+json")
        assert answer.body["rate"] == RATE
        pause = int(answer.headers["Retry-After"])
        clock.now += (pause - 1) * SECOND
        assert post(AMY, 100).status == 429
        clock.now += SECOND
        assert post(AMY, 100).status == 202

    def test_who_is_refused_again_costs_nothing(self) -> None:
        while post(AMY, 100).status == 202:
            pass
        assert post(AMY, 100).cost == (0, 0, 0)
        # Another environment learns it from the item: a write is refused, and one leases the hundred that are left.
        leasing.restart()
        assert [post(AMY, 100).cost for _ in range(3)] == [(2, 0, 1), (0, 0, 0), (0, 0, 0)]

    def test_reads_count_a_fifth(self) -> None:
        post(AMY, 1)
        left = held("sub-a")
        answer = AMY.call("GET /rooms/{room}", room="lobby")
        assert answer.cost[1] > 0
        assert left - held("sub-a") == pytest.approx(answer.cost[1] / 5)

    def test_refused_writes_count_by_their_size(self) -> None:
        """A caller who repeats what is stored pays for it, although DynamoDB does not tell the units."""
        assert post(SENSOR, 20, 10_000, key="m").status == 202
        left = held("sensor")
        again = post(SENSOR, 20, 10_000, key="m")
        assert (again.status, again.cost[2]) == (202, 0)
        # Twenty messages of 10 units, and twenty guards of one.
        assert left - held("sensor") == pytest.approx(20 * 10 + 20 + again.cost[1] / 5)

    def test_a_lease_serves_many_requests(self, table: Table) -> None:
        """A guest's lease is 100 units, and a short message three and a little; a fleet's is 8,000.

        Without statements a reading takes two units, in a transaction.
        """
        leased = Leased(table)
        for _ in range(60):
            post(AMY, 1)
        assert leased.number == 2
        for _ in range(3):
            readings(500)
        assert leased.number == 2 + 1

    def test_environments_share_what_a_caller_may_take(self, clock: Clock) -> None:
        spent = 0
        for _ in range(100):
            leasing.restart()
            answer = post(AMY, 1)
            spent += answer.status == 202
        # Each has leased a hundred of the 3,000 units of a burst.
        assert spent == 30
        leasing.restart()
        assert post(AMY, 1).headers["Retry-After"] == "2"

    def test_who_may_not_call_a_route_takes_nothing(self, table: Table) -> None:
        assert AMY.call("POST /telemetry", body={"events": [READING]}).status == 403
        assert families(table) == set()


def held(sub: str) -> float:
    """What is left of a caller's leases."""
    return runtime.leases()._held[sub].left


class Leased:
    """How many writes of rates a table has performed."""

    def __init__(self, table: Table) -> None:
        self.number, self._write = 0, table.write
        table.write = self.write  # type: ignore[method-assign]

    def write(self, write: Any) -> None:
        self._write(write)
        self.number += write.item.get("Type") == {"S": rates.TYPE}


class TestFaults:
    @pytest.fixture
    def broken(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
        """The items of rates can't be written; everything else can."""
        write, state = table.write, {"broken": True}

        def refuse(given: Any) -> None:
            if state["broken"] and given.item.get("Type") == {"S": rates.TYPE}:
                raise ClientError({"Error": {"Code": "InternalServerError", "Message": ""}}, "PutItem")
            write(given)

        monkeypatch.setattr(table, "write", refuse)
        return lambda now: state.update(broken=now)

    def test_callers_go_on_and_it_is_told_and_settled_later(
        self, broken: Callable[[bool], None], clock: Clock, capsys: pytest.CaptureFixture[str], table: Table
    ) -> None:
        assert post(AMY, 100).status == 202
        assert counted("LeasesFailed", capsys) == [1]
        assert post(AMY, 100).status == 202
        assert counted("LeasesFailed", capsys) == [], "nothing is tried for a second"
        broken(False)
        clock.now += 2 * SECOND
        assert post(AMY, 1).status == 202
        item = table.get(Key("RATE#sub-a", "RATE"))
        assert item
        # Two hundred messages of three units, their room of two, what was read, and the new lease.
        assert rates.until(item) - clock.now == pytest.approx((602 + 100) * SECOND / RATE, rel=0.01)

    def test_but_not_beyond_a_burst(self, broken: Callable[[bool], None]) -> None:
        statuses = [post(AMY, 400).status for _ in range(5)]
        assert statuses == [202, 202, 202, 503, 503]
