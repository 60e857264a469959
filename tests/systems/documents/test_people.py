"""Whom an owner names: nobody learns who exists, and whoever asks for many pays for it."""

from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ConnectTimeoutError
from botocore.stub import Stubber

from edgewise.dynamodb.table import Table
from functions import rates, users
from functions.systems.documents.people import LOOK_UP, MOST_NEW
from functions.users import sub_of
from tests.support import leasing
from tests.support.clocks import Clock
from tests.support.documents import OWNER, all_items, get, put
from tests.support.http import Answer, Client
from tests.support.limits import item_size

pytestmark = pytest.mark.usefixtures("handlers")

A_SUB = "11111111-2222-4333-8444-555555555555"


class Pool:
    """A user pool: `subs` by name, in which case does not count; `asked`: for which names."""

    def __init__(self) -> None:
        self.subs: dict[str, str] = {}
        self.asked: list[str] = []

    def sub_of(self, _: str, name: str) -> str | None:
        self.asked.append(name)
        return self.subs.get(name.lower())


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Pool:
    pool = Pool()
    monkeypatch.setattr(users, "sub_of", pool.sub_of)
    return pool


@pytest.fixture(autouse=True)
def documents(handlers: None) -> None:
    for name in "de":
        put(OWNER, "metadata", name=name)


def name_readers(*readers: str, writers: tuple[str, ...] = (), document: str = "d") -> Answer:
    return put(OWNER, "permissions", {"readers": list(readers), "writers": list(writers)}, name=document)


def may_read(sub: str, document: str = "d") -> bool:
    return get(Client("somebody", sub=sub), name=document).status == 200


def notes(table: Table) -> list[Any]:
    """What searches read of withdrawals."""
    return [item for item in all_items(table) if item["Type"]["S"] == "WITHDRAWAL"]


class TestNobodyLearnsWhoExists:
    @pytest.mark.parametrize("readers", [("amy",), ("amy", "Amy", "AMY"), ("a" * 200,), tuple("abcdefghij")])
    def test_the_answer_is_the_same_to_the_byte(self, readers: tuple[str, ...], pool: Pool, table: Table) -> None:
        """And so are what it took, what is read later, and how much is stored."""
        told = []
        for document, known in (("d", True), ("e", False)):
            pool.subs = {name.lower(): A_SUB[:-1] + str(n % 10) for n, name in enumerate(readers)} if known else {}
            answer = name_readers(*readers, writers=readers[:1], document=document)
            read = get(OWNER, name=document)
            items = sorted(item_size(item) for item in all_items(table) if item["PK"]["S"] == f"DOCUMENT#{document}")
            body = read.body | {"document": None}
            told.append((answer.status, answer.headers, answer.body, read.headers, body, items))
        assert told[0] == told[1]
        assert told[0][2] == {"owner": "olga", "readers": sorted(readers), "writers": [readers[0]]}

    @pytest.mark.parametrize("names", [("amy",), ("amy", "Amy", "AMY"), ("amy", "olga"), tuple("abcdefghij")])
    def test_nor_by_what_it_takes_to_take_a_permission_away(
        self, names: tuple[str, ...], pool: Pool, table: Table
    ) -> None:
        """Whether they are one user's names, the owner's own, or nobody's; and whether that user has another left."""
        told = []
        for document, known in (("d", True), ("e", False)):
            pool.subs = {name.lower(): "olga" if name == "olga" else A_SUB for name in names} if known else {}
            name_readers(*names, "left", document=document)
            before = {item["PK"]["S"] for item in notes(table)}
            answers = [name_readers("left", *names[:1], document=document), name_readers("left", document=document)]
            left = [item for item in notes(table) if item["PK"]["S"] not in before]
            told.append(([(a.status, a.headers, a.body) for a in answers], sorted(map(item_size, left))))
        assert told[0] == told[1]
        assert len(told[0][1]) == len(names)

    def test_a_name_that_nobody_had_stays_nobodys_until_it_is_named_anew(self, pool: Pool) -> None:
        name_readers("amy")
        pool.subs["amy"] = A_SUB
        name_readers("amy", "bob")
        assert (may_read(A_SUB), pool.asked) == (False, ["amy", "bob"])
        name_readers("bob")
        name_readers("amy", "bob")
        assert (may_read(A_SUB), pool.asked) == (True, ["amy", "bob", "amy"])

    def test_two_spellings_of_one_user_each_give_the_right_that_they_are_named_for(self, pool: Pool) -> None:
        pool.subs["amy"] = A_SUB
        assert name_readers("amy", writers=("AMY",)).body["writers"] == ["AMY"]
        amy = Client("amy", sub=A_SUB)
        assert put(amy, "metadata").status == 200

    def test_nobody_means_nobody(self, pool: Pool) -> None:
        """Not even whoever has the name as `sub`, or is named likewise in another document."""
        for document in "de":
            name_readers("amy", document=document)
        assert not may_read("amy")
        subs = {document: get(OWNER, name=document).body["permissions"]["readers"] for document in "de"}
        assert subs == {"d": ["amy"], "e": ["amy"]}


class TestWhatItCosts:
    def test_too_many_new_names_are_refused_and_nobody_is_asked(self, pool: Pool) -> None:
        names = [f"n{number}" for number in range(MOST_NEW + 1)]
        answer = name_readers(*names[:10], writers=tuple(names[10:]))
        assert (answer.status, answer.fields, pool.asked) == (400, ["readers", "writers"], [])
        assert "name the others in the next" in answer.body["detail"]

    def test_the_rest_follow_in_the_next_requests(self, pool: Pool) -> None:
        names = [f"n{number:03d}" for number in range(100)]
        for most in range(MOST_NEW, 101, MOST_NEW):
            assert name_readers(*names[:most]).body["readers"] == names[:most]
        assert pool.asked == names

    def test_look_ups_are_charged_before_anybody_is_asked(
        self, pool: Pool, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rate = 50
        monkeypatch.setenv("RATES", rates.to_text({rates.EVERYBODY: rate}))
        leasing.begin(monkeypatch)
        statuses = []
        for attempt in range(6):
            names = [f"a{attempt}n{number}" for number in range(MOST_NEW)]
            answer = name_readers(*names)
            statuses.append(answer.status)
        # A burst is a minute's units. Beside the look-ups each request takes some units of the table.
        affordable = rate * 60 // (MOST_NEW * LOOK_UP)
        assert statuses == [200] * (affordable - 1) + [429] * (6 - affordable + 1)
        assert len(pool.asked) == (affordable - 1) * MOST_NEW
        assert "Retry-After" in answer.headers

    def test_the_answer_says_what_was_charged_besides(self, pool: Pool) -> None:
        """The look-ups, the edge of each user whose right has changed, and the note on each who has lost it."""
        asked = [("amy", "bob"), ("amy", "bob"), ("amy",)]
        told = [int(name_readers(*readers).headers.get("x-caused-units", 0)) for readers in asked]
        assert told == [2 * LOOK_UP + 2, 0, 2]
        assert name_readers(writers=("amy",)).headers["x-caused-units"] == "1"


class TestCognito:
    @pytest.fixture
    def cognito(self, aws_env: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stubber]:
        monkeypatch.setattr(users, "sub_of", sub_of)
        users.client.cache_clear()
        with Stubber(users.client()) as stub:
            yield stub
        users.client.cache_clear()

    def test_whoever_has_the_name_may_read(self, cognito: Stubber) -> None:
        found = {"Username": "amy", "UserAttributes": [{"Name": "sub", "Value": A_SUB}]}
        cognito.add_response("admin_get_user", found, {"UserPoolId": "us-east-1_EXAMPLE", "Username": "Amy"})
        assert name_readers("Amy").body["readers"] == ["Amy"]
        assert may_read(A_SUB)

    @pytest.mark.parametrize("code", ["UserNotFoundException", "InvalidParameterException"])
    def test_a_name_that_nobody_has_or_can_have_is_no_failure(self, code: str, cognito: Stubber) -> None:
        cognito.add_client_error("admin_get_user", code)
        assert name_readers("no such name").status == 200

    @pytest.mark.parametrize("code", ["TooManyRequestsException", "InternalErrorException"])
    def test_a_busy_pool_is_told_and_nothing_is_changed(self, code: str, cognito: Stubber) -> None:
        cognito.add_client_error("admin_get_user", code)
        answer = name_readers("amy")
        assert (answer.status, answer.headers["Retry-After"]) == (503, "10")
        assert get(OWNER).body["permissions"]["readers"] == []

    def test_so_is_one_that_does_not_answer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Silent:
            def admin_get_user(self, **_: Any) -> Any:
                raise ConnectTimeoutError(endpoint_url="https://cognito")

        monkeypatch.setattr(users, "sub_of", sub_of)
        monkeypatch.setattr(users, "client", Silent)
        assert name_readers("amy").status == 503
