"""The table as it is shown: any partition, any collection of an index, and nothing of what is private."""

from collections.abc import Callable

import pytest

from edgewise.dynamodb.attributes import n, s
from edgewise.dynamodb.schema import INDEXES
from edgewise.dynamodb.units import item_bytes
from functions.systems.operations import families
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

pytestmark = pytest.mark.usefixtures("handlers")

AMY, ADMIN = Client("amy", ("write",)), Client("operator", ("admin",))
PARTITION, INDEX, TABLE = "GET /table/partition", "GET /table/index", "GET /table"


def partition(pk: str, **query: str) -> Answer:
    return ADMIN.call(PARTITION, {"pk": pk, **query})


def index(name: str, pk: str) -> Answer:
    return ADMIN.call(INDEX, {"name": name, "pk": pk})


@pytest.fixture
def posted(drain: Callable[[], None]) -> None:
    AMY.call("POST /rooms/{room}/messages", body={"messages": [{"text": "hi", "message_id": "m1"}]}, room="quay")
    drain()


@pytest.mark.usefixtures("posted")
class TestAPartition:
    def test_its_items_by_sort_key(self) -> None:
        answer = partition("USER#amy")
        assert [(each["sk"], each["type"]) for each in answer.body["items"]] == [
            ("EDGE#", "USER"),
            ("EDGE#POSTED_IN#ROOM#quay", "POSTED_IN"),
        ]
        assert answer.cost[0] == 1

    def test_an_item_with_its_entry_in_the_inverted_index_and_why(self, table: StreamedTable) -> None:
        summary, edge = partition("USER#amy").body["items"]
        assert summary["entries"] == []
        assert edge["entries"] == [
            {"index": "GSI2", "pk": "ROOM#quay", "sk": "USER#amy", "why": families.why(INDEXES[1], "ROOM#quay")}
        ]
        assert summary["attributes"]["Cells"] == {"Messages": 1, "Rooms": 1}
        assert summary["attributes"]["Seqs"].keys() == {"bytes"}
        item = table.all_items()
        assert summary["bytes"] == next(
            item_bytes(each) for each in item if each["SK"] == s("EDGE#") and each["PK"] == s("USER#amy")
        )

    def test_pages(self) -> None:
        first = partition("USER#amy", limit="1").body
        rest = partition("USER#amy", limit="1", cursor=first["cursor"]).body
        assert [each["sk"] for each in first["items"] + rest["items"]] == ["EDGE#", "EDGE#POSTED_IN#ROOM#quay"]

    def test_an_item_of_nobody_is_shown_as_it_is(self, table: StreamedTable) -> None:
        table.put_many([{"PK": s("USER#amy"), "SK": s("A"), "Odd": {"L": [n(1), {"NULL": True}, {"B": b"ab"}]}}])
        odd = partition("USER#amy").body["items"][0]
        assert (odd["type"], odd["attributes"]) == (None, {"Odd": [1, None, {"bytes": 2}]})

    def test_the_entries_of_an_index(self) -> None:
        answer = index("GSI2", "ROOM#quay")
        assert [(each["pk"], each["sk"]) for each in answer.body["items"]] == [("USER#amy", "EDGE#POSTED_IN#ROOM#quay")]
        assert answer.cost[0] == 1

    def test_a_directory(self) -> None:
        (entry,) = index("GSI1", "ROOM").body["items"]
        assert (entry["pk"], entry["entries"][0]["why"]) == ("ROOM#quay", "a directory: all of this type by name")

    def test_numbers_are_sort_keys_too(self, table: StreamedTable) -> None:
        keys = {"GSI3PK": s("LEADERBOARD#chess"), "GSI3SK": n(960)}
        table.put_many([{"PK": s("PLAYER#p"), "SK": s("EDGE#"), "Type": s("PLAYED"), **keys}])
        (entry,) = index("GSI3", "LEADERBOARD#chess").body["items"][0]["entries"]
        assert entry["sk"] == "960"


def test_what_needs_a_permission_is_hidden() -> None:
    AMY.call("PUT /documents/{document}/metadata", body={"title": "Plan"}, document="plan")
    AMY.call("POST /documents/{document}/versions", body={"content": "the secret"}, document="plan")
    answer = partition("DOCUMENT#plan")
    hidden = {each["type"]: each["hidden"] for each in answer.body["items"]}
    assert "Content" in hidden["DOCUMENT_REVISION"]
    assert {"Title", "Attributes"} <= {*hidden["DOCUMENT_METADATA"]}
    assert hidden["DOCUMENT_PERMISSIONS"] == ["Owner", "OwnerName", "Readers", "Writers"]
    assert "secret" not in str(answer.body)
    assert "Plan" not in str(answer.body)


@pytest.mark.parametrize("pk", ["SECRET#1", "TICKET#1", "CONNECTION#1", "", "#", "user#amy", "USERS#amy"])
def test_partitions_that_do_not_exist(pk: str) -> None:
    answer = partition(pk)
    assert (answer.status, answer.fields) == (400, ["pk"])


def test_an_index_has_its_own_partitions() -> None:
    assert index("GSI1", "USER#amy").fields == ["pk"]
    assert index("GSI4", "ROOM#quay").fields == ["name"]


def test_how_everything_lies_in_it() -> None:
    body = ADMIN.call(TABLE).body
    assert [each["name"] for each in body["indexes"]] == ["GSI1", "GSI2", "GSI3"]
    assert {"telemetry", "graph", "housekeeping"} <= {each["name"] for each in body["sections"]}


def test_each_entry_leads_to_a_collection_that_is_shown() -> None:
    sections = ADMIN.call(TABLE).body["sections"]
    told = [entry for each in sections if each["name"] != "push" for item in each["items"] for entry in item["entries"]]
    assert len(told) > 20
    assert not [each for each in told if index(each["index"], each["pk"]).status != 200]


def test_each_collection_of_an_index_says_why_an_item_is_in_it() -> None:
    told = {
        (index.name, pattern if isinstance(pattern, str) else pattern.name)
        for index, of in families.QUERIED.items()
        for pattern in of
    }
    silent = [
        (i.name, name) for i in INDEXES for of, name in told if of == i.name and families.why(i, name) == i.meaning
    ]
    assert not silent, "let the system say it (System.why)"


@pytest.mark.parametrize("route", [PARTITION, INDEX, TABLE])
def test_administrators_only(route: str) -> None:
    assert AMY.call(route, {"pk": "USER#amy", "name": "GSI1"}).status == 403
