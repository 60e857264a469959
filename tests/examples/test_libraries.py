"""Views of tables that others' libraries write: by the requests that these have sent, under faults, a plain count.

`tests/examples/written` has the requests, and the programs that have sent them. Beside the engine's, the table has a
local index and another reader of its stream.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import pytest
from botocore import xform_name
from botocore.exceptions import ClientError
from moto import mock_aws

from delivery import Simulator
from edgewise.testing import delivered, requests
from examples.libraries import electrodb, onetable, pynamodb, toolbox
from tests.project.wheel import ROOT
from tests.support.own_tables import NAME, TOLD, Shop

WRITTEN = Path(__file__).parent / "written"
PAGE = (ROOT / "docs" / "views.md").read_text()
CHANGES = 40


class Sold(NamedTuple):
    """What an order says; `several`: the groups that it is in by a set."""

    customer: str
    product: str
    net: Decimal
    several: Sequence[tuple[str, ...]]
    at: datetime


class Library(NamedTuple):
    """What a library tells its items by, its local index is sorted by, and how one of its orders is read by hand."""

    declared: ModuleType
    told_by: str
    sorted_by: str
    read: Callable[[Any], Sold]


def _of_electrodb(item: Any) -> Sold:
    at = datetime.fromtimestamp(int(item["placed"]["N"]) // 1000, UTC)
    net = Decimal(item["net"]["S"])
    return Sold(item["customer"]["S"].lower(), item["product"]["S"], net, [(tag,) for tag in item["tags"]["SS"]], at)


def _of_onetable(item: Any) -> Sold:
    at = datetime.fromisoformat(item["placed"]["S"])
    net = Decimal(item["net"]["N"])
    return Sold(item["customer"]["S"], item["product"]["S"], net, [(tag,) for tag in item["tags"]["SS"]], at)


def _of_toolbox(item: Any) -> Sold:
    customer, at = item["pk"]["S"].split("#")[1], datetime.fromisoformat(item["_ct"]["S"])
    tags = item.get("tags", {"SS": []})["SS"]
    return Sold(customer, item["p"]["S"], Decimal(item["price"]["M"]["net"]["N"]), [(tag,) for tag in tags], at)


def _of_pynamodb(item: Any) -> Sold:
    city, at = (
        json.loads(item["address"]["S"])["city"],
        datetime.strptime(item["placed"]["S"], "%Y-%m-%dT%H:%M:%S.%f%z"),
    )
    several = [(size, city) for size in item["sizes"]["NS"]]
    return Sold(item["customer"]["S"], item["product"]["S"], Decimal(item["net"]["N"]), several, at)


LIBRARIES = {
    "electrodb": Library(electrodb, "__edb_e__", "lsi1sk", _of_electrodb),
    "onetable": Library(onetable, "_type", "ls1sk", _of_onetable),
    "pynamodb": Library(pynamodb, "cls", "product", _of_pynamodb),
    "toolbox": Library(toolbox, "_et", "p", _of_toolbox),
}


@pytest.fixture(autouse=True)
def aws(aws_env: pytest.MonkeyPatch) -> Iterator[None]:
    with mock_aws():
        yield


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Library:
    """A library, whose table has a local index from the beginning: there is no other time for it."""
    found, without = LIBRARIES[request.param], requests.table_request

    def with_index(own: Any, name: str, indexes: Any) -> Any:
        made = without(own, name, indexes)
        if name == NAME:
            keys = [made["KeySchema"][0], {"AttributeName": found.sorted_by, "KeyType": "RANGE"}]
            projection = {"ProjectionType": "ALL"}
            made["LocalSecondaryIndexes"] = [{"IndexName": "local", "KeySchema": keys, "Projection": projection}]
            made["AttributeDefinitions"] += [{"AttributeName": found.sorted_by, "AttributeType": "S"}]
        return made

    monkeypatch.setattr(delivered, "table_request", with_index)
    return found


class Copying:
    """Another reader of the stream: it keeps a copy of what its library tells to be its own."""

    def __init__(self, told_by: str) -> None:
        self.told_by, self.items = told_by, dict[str, Any]()

    def __call__(self, event: Any, context: Any) -> None:
        for record in event["Records"]:
            change = record["dynamodb"]
            key = json.dumps(change["Keys"], sort_keys=True)
            if self.told_by in change.get("NewImage", {}):
                self.items[key] = change["NewImage"]
            else:
                self.items.pop(key, None)


def requests_of(library: Library) -> list[tuple[str, Any]]:
    name = library.declared.__name__.rpartition(".")[2]
    return [(operation, request) for operation, request in json.loads((WRITTEN / f"{name}.json").read_text())]


def write(shop: Shop, library: Library, random: Random) -> None:
    """All that the library has sent, then some of it again, while some orders expire."""
    sent = requests_of(library)
    for operation, request in [*sent, *random.choices(sent, k=CHANGES)]:
        with suppress(ClientError):  # a condition does not hold: there is no such order any more
            getattr(shop.owner, xform_name(operation))(**request)
        if random.random() < 0.1:
            expiring = random.choice(stored(shop, library))
            shop.expire({name: expiring[name] for name in shop.keys})
        for _ in range(random.randint(0, 3)):
            shop.step()


def stored(shop: Shop, library: Library) -> list[Any]:
    return shop.all(lambda item: library.told_by in item)


def zurich(at: datetime) -> str:
    return at.astimezone(ZoneInfo("Europe/Zurich")).date().isoformat()


def grouped(sold: Sequence[Sold]) -> Mapping[str, Mapping[tuple[str, ...], list[Decimal]]]:
    """The amounts in each group, by the name of the view."""
    found: Mapping[str, Any] = {name: defaultdict(list) for name in ("Customers", "several", "Days")}
    for each in sold:
        found["Customers"][each.customer,].append(each.net)
        found["Days"][each.product, zurich(each.at)].append(each.net)
        for group in each.several:
            found["several"][group].append(each.net)
    return found


def views(library: Library) -> Mapping[str, Any]:
    several = "Sizes" if library.declared is pynamodb else "Tagged"
    return {
        name: getattr(library.declared, several if name == "several" else name)
        for name in ("Customers", "several", "Days")
    }


def should(amounts: Sequence[Decimal], columns: Sequence[str]) -> dict[str, Any]:
    of_all = {"orders": len(amounts), "net": sum(amounts), "greatest": max(amounts, default=None), "complete": True}
    return {name: of_all[name] for name in columns}


def test_rows_are_what_a_plain_count_of_the_librarys_items_says(library: Library) -> None:
    own, random = library.declared.Order._selection.table, Random(3)
    shop, declared = Shop(own, 3), views(library)
    shop.deploy(*declared.values())
    copying = Copying(library.told_by)
    other = Simulator(copying, shop.streams[NAME], seed=4)
    with shop.delivered():
        write(shop, library, random)
    other.drain()
    ever = [library.read(request["Item"]) for operation, request in requests_of(library) if operation == "PutItem"]
    now, groups = grouped([library.read(item) for item in stored(shop, library)]), grouped(ever)
    for name, view in declared.items():
        for group in {*groups[name], *now[name]}:
            row = view.get(shop.table, fresh=TOLD, **dict(zip(view.declared.keys, group, strict=True)))
            columns = [*view.declared.measures, "complete"]
            found = {column: getattr(row, column) for column in columns}
            assert found == should(now[name].get(group, []), columns), (name, group)
    there = stored(shop, library)
    assert there
    assert copying.items == {json.dumps({name: each[name] for name in sorted(shop.keys)}): each for each in there}
    local = shop.owner.scan(TableName=NAME, IndexName="local")["Items"]
    assert _keys(shop, local) == _keys(shop, there)


def _keys(shop: Shop, items: Sequence[Any]) -> list[str]:
    return sorted(json.dumps([each[name] for name in shop.keys]) for each in items)


def test_customers_are_near_where_the_key_is_composed(library: Library) -> None:
    """So a change costs one unit; by the attribute of that name, which the library also writes, it would cost two."""
    item = requests_of(library)[0][1]["Item"]
    told = views(library)["Customers"].explain(item)
    assert "near: its items change the row" in str(told)
    assert told.units == 1


@pytest.mark.parametrize("name", LIBRARIES)
def test_the_page_shows_what_is_declared(name: str) -> None:
    assert f"../examples/libraries/{name}.py" in PAGE
    for block in re.findall(rf"```python examples/libraries/{name}.py\n(.*?)```", PAGE, re.DOTALL):
        assert block in (ROOT / "examples" / "libraries" / f"{name}.py").read_text()
