"""The worked query of docs/other-services.md gives what it says, on an export as the checks make it."""

import re
from decimal import Decimal
from pathlib import Path

from batch.folders import Folder
from edgewise.dynamodb.attributes import key_item, s
from edgewise.dynamodb.keys import Key
from edgewise.times import from_rfc_3339
from functions.systems.orders.entity import Order
from functions.systems.orders.items import ORDER
from tests.batch.exporting import exported

PAGE = (Path(__file__).parents[2] / "docs" / "other-services.md").read_text()
_, VIEW, QUERY = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)


def test_the_worked_query_runs_on_an_export(tmp_path: Path, check_packages: None) -> None:
    import duckdb

    orders = [
        Order("amy", "1", from_rfc_3339("2026-10-01T00:00:00Z"), Decimal("10.25")),
        Order("bob", "2", from_rfc_3339("2026-10-31T23:59:59Z"), Decimal("0.50")),
        Order("amy", "3", from_rfc_3339("2026-11-01T00:00:00Z"), Decimal(7), from_rfc_3339("2026-11-02T00:00:00Z")),
    ]
    exported(
        Folder(tmp_path), [*map(ORDER.encode, orders), key_item(Key("ROOM#x", "META")) | {"Type": s("ROOM_METADATA")}]
    )
    (data,) = {path.parent for path in tmp_path.rglob("*.json.gz")}
    with duckdb.connect() as connection:
        connection.execute(VIEW.replace("data/", f"{data}/"))
        found = connection.execute(QUERY).fetchall()
    assert found == [("2026-10", 2, Decimal("10.75")), ("2026-11", 1, Decimal("7.00"))]
