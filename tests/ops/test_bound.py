"""`make bound`: what is asked of DynamoDB, which changes one thing at a time, and what is refused."""

from copy import deepcopy
from typing import Any

import pytest

from infra.settings import InfraSettings
from ops.bound import BoundError, bound, set_bounds, warm

SETTINGS = InfraSettings("dev")
AS_THE_FILE_SAYS = {"MaxReadRequestUnits": 12000, "MaxWriteRequestUnits": 4000}
LOWERED = {"MaxReadRequestUnits": 2000, "MaxWriteRequestUnits": 500}


class Bounded:
    """A table with indexes. As DynamoDB it refuses a change while another is under way, two at once, and none."""

    def __init__(self, table: Any, indexes: dict[str, Any]) -> None:
        self.table, self.indexes, self.changes, self.updating = table, indexes, 0, False

    def describe_table(self, **_: str) -> Any:
        indexes = [{"IndexName": name, **part} for name, part in self.indexes.items()]
        return {"Table": deepcopy({**self.table, "GlobalSecondaryIndexes": indexes})}

    def update_table(self, *, TableName: str, **changes: Any) -> None:
        assert TableName == "dev-table"
        assert not self.updating
        ((name, change),) = changes.items()
        if name == "GlobalSecondaryIndexUpdates":
            ((update,),) = (each.values() for each in change)
            part = self.indexes[update.pop("IndexName")]
            ((name, change),) = update.items()
        else:
            part = self.table
        assert part.get(name) != change
        if name == "WarmThroughput":
            assert all(units > part.get(name, {}).get(of, 0) for of, units in change.items()), "it lowers nothing"
            change = part.get(name, {}) | change
        part[name] = change
        self.changes, self.updating = self.changes + 1, True

    def get_waiter(self, name: str) -> "Bounded":
        assert name == "table_exists"
        return self

    def wait(self, **_: Any) -> None:
        self.updating = False

    @property
    def bounds(self) -> list[Any]:
        return [part["OnDemandThroughput"] for part in (self.table, *self.indexes.values())]


def test_a_table_without_bounds_gets_them_with_each_of_its_indexes() -> None:
    """As it is after a restore: an index without a bound of its own would have none."""
    table = Bounded({}, {"GSI1": {}, "GSI2": {}, "GSI3": {}})
    for _ in range(2):
        set_bounds(table, "dev-table", SETTINGS)
    assert table.bounds == [AS_THE_FILE_SAYS] * 4
    assert table.changes == 4


def test_it_is_lowered_at_once_and_put_back_where_it_differs() -> None:
    units = {"OnDemandThroughput": LOWERED}
    table = Bounded(dict(units), {"GSI1": dict(units), "GSI2": {"OnDemandThroughput": AS_THE_FILE_SAYS}})
    set_bounds(table, "dev-table", SETTINGS)
    assert table.bounds == [AS_THE_FILE_SAYS] * 3
    assert table.changes == 2
    set_bounds(table, "dev-table", InfraSettings("dev", write_units=500, read_units=2000))
    assert table.bounds == [LOWERED] * 3


def test_it_is_warmed_where_it_takes_less_at_once_and_only_where_that_is_asked_for() -> None:
    """As after a restore, of which AWS does not say what the new table takes at once."""
    new, grown = ({"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": units} for units in (4000, 9000))
    table = Bounded(
        {"WarmThroughput": dict(new)}, {"GSI1": {"WarmThroughput": dict(grown)}, "GSI2": {"WarmThroughput": dict(new)}}
    )
    warm(table, "dev-table", SETTINGS)
    assert table.changes == 0
    for _ in range(2):
        warm(table, "dev-table", InfraSettings("dev", warm_write_units=8000))
    assert table.changes == 2
    warmed = {**new, "WriteUnitsPerSecond": 8000}
    assert table.table["WarmThroughput"] == table.indexes["GSI2"]["WarmThroughput"] == warmed
    assert table.indexes["GSI1"]["WarmThroughput"] == grown


@pytest.mark.parametrize("units", ["none", "0", "99", "40001", "1.5"])
def test_other_bounds_are_refused_before_anybody_is_asked(units: str) -> None:
    with pytest.raises(BoundError, match=f"^WRITE_UNITS={units}: Input should be "):
        bound("dev", units, "", "")
