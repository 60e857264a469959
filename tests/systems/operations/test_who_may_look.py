"""Who may look at what, asked by everybody: what needs a document's permission shows nowhere but in its own routes."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from docs.access_patterns import READS
from edgewise.aggregates.keys import AggregateId
from edgewise.dynamodb.table import Table
from edgewise.errors import InvalidInputError
from functions.catalog import CATALOG, SYSTEMS, TOPICS
from functions.handlers import live_routes
from functions.routes import ROUTES
from functions.system import GROUPS, System
from functions.systems.operations import naming
from tests.support.examples import fed
from tests.support.http import Answer, Client

pytestmark = pytest.mark.usefixtures("handlers")

# What documents count is theirs: who may read which, and how many revisions whose pen wrote.
GUARDED = {"MAY_READ", "DOCUMENT"}
OWNER, SECRET, NOBODYS = "olga", "the-will", "no-such-document"
OTHERS = [group for group in GROUPS if group != "admin"]
CALLERS = [Client(user, (group,) if group else ()) for user in ("eve", OWNER) for group in ("", *OTHERS)]
STRANGERS = [each for each in CALLERS if each.user != OWNER]
# What these say depends on the time, and they take no name.
OF_NOW = {"GET /overview", "GET /exactness", "GET /recent"}
GETS = sorted({route for routes in ROUTES.values() for route in routes if route.startswith("GET ")} - OF_NOW)


def _ask(caller: Client, kind: str, dimensions: Sequence[Any]) -> Answer:
    return caller.call("GET /aggregates", {"kind": kind, "dimensions": json.dumps(dimensions)})


@pytest.fixture
def _a_secret(drain: Callable[[], None]) -> None:
    owner = Client(OWNER)
    for route, body in (
        ("PUT /documents/{document}/metadata", {"title": "hush"}),
        ("PUT /documents/{document}/permissions", {"readers": ["rita"], "writers": ["hush"]}),
        ("POST /documents/{document}/versions", {"content": "hush"}),
    ):
        assert owner.call(route, None, body, document=SECRET).status in (200, 201)
    drain()


@pytest.mark.usefixtures("_a_secret")
@pytest.mark.parametrize("kind", sorted(CATALOG.kinds))
def test_an_aggregate_is_for_all_only_if_its_kind_says_so(kind: str) -> None:
    told = {_ask(caller, kind, naming.spelled(about)).status for caller in CALLERS for about in _stored(kind)}
    assert told == ({403} if kind in GUARDED else {404})


@pytest.mark.usefixtures("_a_secret")
def test_administrators_see_every_kind() -> None:
    admin = Client("operator", ("admin",))
    assert _ask(admin, "MAY_READ", [OWNER, SECRET]).status == 200
    assert _ask(admin, "DOCUMENT", [SECRET]).status == 200


def _stored(kind: str) -> list[AggregateId]:
    """An example of the kind; of those of documents, also the secret's."""
    examples = [about for about in fed() if about.kind.name == kind][:1]
    secret: dict[str, list[tuple[str, ...]]] = {
        "MAY_READ": [(OWNER, SECRET), ("rita", SECRET)],
        "DOCUMENT": [(SECRET,)],
    }
    return [*examples, *(CATALOG.kinds[kind](*dimensions) for dimensions in secret.get(kind, ()))]


@pytest.mark.usefixtures("_a_secret")
@pytest.mark.parametrize("route", GETS)
def test_no_route_tells_a_secret_document_from_none(route: str) -> None:
    names = {part.partition("}")[0] for part in route.split("{")[1:]}

    def told(caller: Client, document: str) -> tuple[int, str]:
        answer = caller.call(route, None, None, **dict.fromkeys(names, document))
        return answer.status, json.dumps(answer.body, default=str).replace(document, "…")

    for caller in STRANGERS:
        assert told(caller, SECRET) == told(caller, NOBODYS)
        assert "hush" not in told(caller, SECRET)[1]


EXAMPLES = {each.route: each for each in READS if "/documents" not in each.route}


@pytest.mark.usefixtures("_a_secret")
@pytest.mark.parametrize("route", EXAMPLES)
def test_no_example_of_a_read_shows_a_secret_to_who_may_not_see_it(route: str, table: Table) -> None:
    read = EXAMPLES[route]
    read.given(table)
    for group in ("", *OTHERS):
        asked = Client("eve", (group,) if group else ())
        text = json.dumps(asked.call(route, read.query, **read.path).body, default=str)
        assert SECRET not in text
        assert "hush" not in text


def _guarding() -> list[System]:
    return [system for system in SYSTEMS if system.private]


def test_nothing_private_is_for_all() -> None:
    private = {partitions for system in _guarding() for partitions in system.private}
    assert {kind.name for kind in CATALOG.kinds.values() if kind.partitions in private} == GUARDED
    assert {kind.name for kind in CATALOG.kinds.values() if not kind.readable_by_all} == GUARDED


@pytest.mark.parametrize(
    "address",
    [
        *(f"/documents/{SECRET}{more}" for more in ("", "/versions", "/versions/1", "/information/x")),
        "/documents",
        f'/aggregates?kind=MAY_READ&dimensions=["{OWNER}","{SECRET}"]',
        f"/table/partition?pk=DOCUMENT%23{SECRET}",
    ],
)
def test_nobody_can_subscribe_to_what_is_private(address: str) -> None:
    with pytest.raises(InvalidInputError):
        live_routes.parsed(address)


def test_no_change_of_a_private_item_is_news() -> None:
    for system in _guarding():
        assert not TOPICS.types & {*system.anew, *(kind.name for kind in system.kinds)}
