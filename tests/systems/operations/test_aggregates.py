"""One aggregate opened up, and counted anew: what is told, what it costs, and who may ask."""

import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest

from edgewise import clock
from edgewise.aggregates import keys
from edgewise.aggregates.stored import aggregate, aggregate_item
from edgewise.dynamodb.attributes import n
from edgewise.stream import incomplete
from edgewise.times import HOUR, rfc_3339
from functions.catalog import CATALOG
from functions.systems.chat.system import ROOM, USER
from functions.systems.operations import aggregates
from functions.web import runtime
from ops.redrive import OF_PATHS
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

pytestmark = pytest.mark.usefixtures("handlers")

AMY, ADMIN = Client("amy", ("write", "ingest")), Client("operator", ("admin", "write"))
KINDS, ONE, COUNT, NOTED = (
    "GET /aggregates/kinds",
    "GET /aggregates",
    "POST /aggregates/count",
    "GET /aggregates/incomplete",
)


def opened(kind: str, *dimensions: Any, by: Client = AMY) -> Answer:
    return by.call(ONE, {"kind": kind, "dimensions": json.dumps(dimensions)})


def counted(kind: str, *dimensions: Any, **cursor: Any) -> Answer:
    return ADMIN.call(COUNT, body={"kind": kind, "dimensions": list(dimensions), **cursor})


@pytest.fixture
def posted(drain: Callable[[], None]) -> None:
    """Three messages of amy in one room, two in another."""
    for room, texts in (("quay", 3), ("mast", 2)):
        messages = [{"text": f"{number}", "message_id": f"{number}"} for number in range(texts)]
        assert AMY.call("POST /rooms/{room}/messages", body={"messages": messages}, room=room).status == 202
    drain()


class TestKinds:
    def test_each_says_what_names_an_aggregate_of_it(self) -> None:
        kinds = {each["kind"]: each for each in AMY.call(KINDS).body["kinds"]}
        assert kinds["POSTED_IN"]["parts"] == [{"name": "user", "form": "text"}, {"name": "room", "form": "text"}]
        assert kinds["ROLLUP_DAY"]["parts"][1] == {"name": "block", "form": "instant"}
        assert kinds["ROOM"]["sources"] == ["POSTED_IN"]
        assert kinds["ROOM"]["parts"] == [{"name": "room", "form": "text"}], "a summary is named by its entity"
        assert kinds.keys() == CATALOG.kinds.keys()

    def test_those_below_come_first(self) -> None:
        ranks = [each["rank"] for each in AMY.call(KINDS).body["kinds"]]
        assert ranks == sorted(ranks)

    def test_paths_are_those_of_the_operators_command(self) -> None:
        of_paths = {
            kind.name
            for kind in CATALOG.kinds.values()
            if any(each.written == "path" for each in kind.key.forms.values())
        }
        assert of_paths == OF_PATHS


@pytest.mark.usefixtures("posted")
class TestOpened:
    def test_its_cells_and_how_far_it_has_come(self, table: StreamedTable) -> None:
        answer = opened("POSTED_IN", "amy", "quay")
        (checkpoint,) = answer.body["checkpoints"]
        at, newest = rfc_3339(clock.now()), max(int(each.sequence) for each in _checkpoints(table, USER("amy")))
        instant = {"at": at, "value": None}
        assert answer.body["cells"] == [
            {
                "name": "Count",
                "stored": f"3 {at} {at}",
                "count": 3,
                "sum": 0,
                "least": None,
                "greatest": None,
                "first": instant,
                "last": instant,
                "known": True,
            }
        ]
        assert (answer.body["pk"], answer.body["sk"]) == ("USER#amy", "EDGE#POSTED_IN#ROOM#quay")
        assert checkpoint["missing"] == []
        assert int(checkpoint["sequence"]) < newest
        assert answer.cost[0] == 1

    def test_there_is_none_of_that_name(self) -> None:
        answer = opened("ROOM", "nowhere")
        assert answer.status == 404
        assert "ROOM" in answer.body["detail"]

    def test_what_it_lacks(self, table: StreamedTable) -> None:
        item = table.get(keys.of(ROOM("quay")))
        table.put_many([{**(item or {}), "Lacks": {"S": "a record came too late"}}])
        assert opened("ROOM", "quay").body["lacks"] == "a record came too late"

    @pytest.mark.parametrize("dimensions", ["amy", "{}", "[1]", "[]", '["a", "b"]', '[["quay"]]'])
    def test_names_that_no_room_has(self, dimensions: str) -> None:
        answer = AMY.call(ONE, {"kind": "ROOM", "dimensions": dimensions})
        assert (answer.status, answer.fields) == (400, ["dimensions"])

    def test_a_kind_that_does_not_exist(self) -> None:
        assert opened("ROOMS", "quay").fields == ["kind"]


def _checkpoints(table: StreamedTable, about: Any) -> Any:
    return aggregate(about, table.get(keys.of(about))).checkpoints.values()


def test_what_another_aggregate_has_not_passed_on_waits(drain: Callable[[], None]) -> None:
    """Readings of the present hour wait in their device; until then the hours of the device are not stored."""
    at = clock.now()
    readings = [{"device_id": "d", "at": rfc_3339(at + ms), "metrics": {"temp": 20}} for ms in (0, 1)]
    assert AMY.call("POST /telemetry", body={"events": readings}).status == 202
    drain()
    block = rfc_3339(at - at % (4 * HOUR))
    body = opened("ROLLUP_HOUR", "d", block).body
    hour = at % (4 * HOUR) // HOUR
    assert (body["version"], body["cells"], body["waiting"]) == (0, [], {f"{hour}.temp": 2})
    assert body["dimensions"] == ["d", block]


class TestPrivate:
    @pytest.fixture(autouse=True)
    def document(self, drain: Callable[[], None]) -> None:
        AMY.call("PUT /documents/{document}/metadata", body={"title": "Plan"}, document="plan")
        AMY.call("POST /documents/{document}/versions", body={"content": "secret"}, document="plan")
        drain()

    def test_what_needs_a_permission_is_for_administrators_only(self) -> None:
        assert opened("DOCUMENT", "plan").status == 403
        assert opened("DOCUMENT", "plan", by=ADMIN).body["cells"][0]["name"] == "Author.amy"


@pytest.mark.usefixtures("posted")
class TestCounted:
    def test_all_levels_are_right(self) -> None:
        body = counted("USER", "amy").body
        assert (body["equal"], body["complete"], body["differs"]) == (True, True, None)
        assert [(each["kind"], each["compared"], each["wrong"]) for each in body["levels"]] == [
            ("USER", 1, 0),
            ("POSTED_IN", 2, 0),
        ]
        assert body["recounted"] == body["stored"] == {"Messages": "5", "Rooms": "2"}

    def test_the_lowest_level_that_is_wrong_is_named(self, table: StreamedTable) -> None:
        key = keys.of(CATALOG.named(["POSTED_IN", ["amy", "quay"]]))
        about = CATALOG.named(["POSTED_IN", ["amy", "quay"]])
        item = aggregate_item(aggregate(about, table.get(key)))
        table.put_many([{**item, "Cells": {"M": {"Count": n(7)}}}])
        body = counted("USER", "amy").body
        assert (body["equal"], body["differs"]) == (False, "POSTED_IN")
        (wrong,) = body["levels"][1]["first_wrong"]
        assert (wrong["dimensions"], wrong["stored"]) == (["amy", "quay"], {"Count": "7"})

    def test_it_says_so_when_there_was_time_for_nothing_and_it_would_be_the_same_again(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(aggregates, "COUNTING_SECONDS", -1)
        body = counted("USER", "amy").body
        assert (body["complete"], body["equal"], body["levels"], body["cursor"]) == (False, False, [], None)

    def test_nothing_is_written(self) -> None:
        assert counted("USER", "amy").cost[2] == 0

    def test_administrators_only(self) -> None:
        assert AMY.call(COUNT, body={"kind": "USER", "dimensions": ["amy"]}).status == 403


@pytest.mark.usefixtures("posted")
class TestCountedInParts:
    """A request has time for little, as if there were much to count."""

    @pytest.fixture(autouse=True)
    def time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each look at the clock takes a second."""
        seconds = itertools.count()
        monkeypatch.setattr(aggregates, "monotonic", lambda: next(seconds))
        monkeypatch.setattr(aggregates, "COUNTING_SECONDS", 3)

    def answers(self, kind: str, *dimensions: Any) -> list[Any]:
        found = [counted(kind, *dimensions).body]
        while found[-1]["cursor"]:
            assert not found[-1]["complete"]
            found.append(counted(kind, *dimensions, cursor=found[-1]["cursor"]).body)
        return found

    def test_it_goes_on_until_it_ends(self, monkeypatch: pytest.MonkeyPatch) -> None:
        (*earlier, last) = self.answers("USER", "amy")
        assert len(earlier) > 2
        monkeypatch.setattr(aggregates, "COUNTING_SECONDS", 1_000_000)
        assert last == counted("USER", "amy").body
        assert (last["equal"], last["recounted"]) == (True, {"Messages": "5", "Rooms": "2"})

    def test_each_answer_tells_how_far_it_has_come(self) -> None:
        compared = [sum(level["compared"] for level in each["levels"]) for each in self.answers("USER", "amy")]
        assert compared == sorted(compared)
        assert compared[-1] == 3

    def test_what_is_wrong_is_told_once_and_remembered(self, table: StreamedTable) -> None:
        about = CATALOG.named(["POSTED_IN", ["amy", "mast"]])
        item = aggregate_item(aggregate(about, table.get(keys.of(about))))
        table.put_many([{**item, "Cells": {"M": {"Count": n(7)}}}])
        found = self.answers("USER", "amy")
        wrong = [each["dimensions"] for body in found for level in body["levels"] for each in level["first_wrong"]]
        assert wrong.count(["amy", "mast"]) == 1
        assert (found[-1]["differs"], found[-1]["equal"], found[-1]["complete"]) == ("POSTED_IN", False, True)

    def test_nothing_is_written(self) -> None:
        cursor = counted("USER", "amy").body["cursor"]
        assert counted("USER", "amy", cursor=cursor).cost[2] == 0

    @pytest.mark.parametrize("change", ["", "x", "é", "A" * 300, "A" * 5_000_000])
    def test_what_is_no_cursor_is_refused(self, change: str) -> None:
        answer = counted("USER", "amy", cursor=change)
        assert (answer.status, answer.fields) == (400, ["cursor"])

    def test_a_cursor_that_was_changed_is_refused(self) -> None:
        cursor = counted("USER", "amy").body["cursor"]
        for changed in (cursor[:-2], cursor + "AAAA", "B" + cursor[1:], cursor[::-1]):
            assert counted("USER", "amy", cursor=changed).fields == ["cursor"]

    def test_so_is_one_of_another_count_or_list(self, table: StreamedTable) -> None:
        for number in range(2):
            incomplete.note(table, USER(f"u{number}"), "why")
        listed = ADMIN.call(NOTED, {"limit": "1"}).body["cursor"]
        of_user = counted("USER", "amy").body["cursor"]
        assert counted("USER", "amy", cursor=listed).fields == ["cursor"]
        assert counted("ROOM", "quay", cursor=of_user).fields == ["cursor"]
        assert counted("USER", "bob", cursor=of_user).fields == ["cursor"]

    @pytest.mark.parametrize("cursor", [1, True, [], {}])
    def test_a_cursor_is_a_text(self, cursor: Any) -> None:
        assert counted("USER", "amy", cursor=cursor).fields == ["cursor"]

    @pytest.mark.parametrize("left", ["{}", "[]", '{"ahead": [[["GONE", ["a"]], []]], "levels": [], "asked": {}}'])
    def test_one_of_a_release_that_kept_something_else_is_refused(self, left: str) -> None:
        query = {"route": "count", "about": USER("amy").plain}
        cursor = runtime.cursors().encode(query, {"left": left})
        assert counted("USER", "amy", cursor=cursor).fields == ["cursor"]


class TestIncomplete:
    def test_each_is_named_as_it_is_opened(self, table: StreamedTable) -> None:
        place = CATALOG.named(["PLACE", [["US", "Texas"]]])
        incomplete.note(table, place, "no invocation took it")
        answer = ADMIN.call(NOTED)
        assert answer.body == {
            "incomplete": [{"kind": "PLACE", "dimensions": [["US", "Texas"]], "why": "no invocation took it"}],
            "cursor": None,
        }
        assert answer.cost[0] == 1

    def test_a_name_that_was_cut(self, table: StreamedTable) -> None:
        incomplete.note(table, USER("ä" * 900), "why")
        (only,) = ADMIN.call(NOTED).body["incomplete"]
        assert (only["kind"], only["dimensions"]) == (None, [])

    def test_pages(self, table: StreamedTable) -> None:
        for number in range(3):
            incomplete.note(table, USER(f"u{number}"), "why")
        first = ADMIN.call(NOTED, {"limit": "2"}).body
        rest = ADMIN.call(NOTED, {"limit": "2", "cursor": first["cursor"]}).body
        names = [each["dimensions"][0] for each in first["incomplete"] + rest["incomplete"]]
        assert (sorted(names), rest["cursor"]) == (["u0", "u1", "u2"], None)

    def test_administrators_only(self) -> None:
        assert AMY.call(NOTED).status == 403
