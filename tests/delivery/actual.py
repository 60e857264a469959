"""What the aggregates do say, read off the items of the table by their keys."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from functions.store.attributes import Item
from tests.delivery.recount import DAY, HOUR, Expected

BUCKET = {"HOUR": HOUR, "DAY": DAY}


def actual(items: list[Item]) -> Expected:
    """Every aggregate that stands for anything; keys are plain in the tests, so they are simply split."""
    found = Expected()
    for item in items:
        if "Cells" in item and "Marks" in item:
            _file(found, item["Type"]["S"], item["PK"]["S"].split("#"), item["SK"]["S"].split("#"), item["Cells"]["M"])
    return found


def _file(found: Expected, kind: str, pk: list[str], sk: list[str], cells: dict[str, Any]) -> None:
    match kind:
        case "POSTED_IN":
            found.posted_in[pk[1], sk[3]] = _span(cells["Count"])
        case "REPORTED_FROM":
            found.reported_from[pk[1], tuple(sk[3:])] = _span(cells["Count"])
        case "ROOM":
            found.rooms[pk[1]] = _number(cells["Messages"]), _number(cells["Users"])
        case "USER":
            found.users[pk[1]] = _number(cells["Messages"]), _number(cells["Rooms"])
        case "DEVICE":
            found.devices[pk[1]] = *_span(cells["Events"]), _number(cells["Places"]) if "Places" in cells else 0
        case "PLACE":
            found.places[tuple(pk[1:])] = _number(cells["Events"]), _number(cells["Devices"])
        case "ROLLUP_HOUR" | "ROLLUP_DAY":
            _file_rollups(found, pk[1], sk[1], _millis(sk[2]), cells)
        case _:
            assert kind in ("HOSTS", "CONTAINS")


def _file_rollups(found: Expected, device: str, grain: str, block: int, cells: dict[str, Any]) -> None:
    for name, cell in cells.items():
        number, metric = name.split(".", 1)
        values = [Decimal(part.split("@")[0]) for part in cell["S"].split(" ")]
        statistics = (1, *values * 5) if len(values) == 1 else (int(values[0]), *values[1:])
        found.rollups[device, grain.lower(), block + int(number) * BUCKET[grain], metric] = statistics


def children(items: list[Item]) -> dict[tuple[str, ...], Any]:
    """The copies of the places' summaries in the collections of the places around them."""
    return {
        (*item["PK"]["S"].split("#")[1:], item["SK"]["S"].split("#")[3]): (
            _number(item["Cells"]["M"]["Events"]),
            _number(item["Cells"]["M"]["Devices"]),
        )
        for item in items
        if item["Type"]["S"] == "CONTAINS" and "Cells" in item
    }


def _span(cell: Any) -> tuple[int, int, int]:
    count, first, last = cell["S"].split(" ")
    return int(count), _millis(first), _millis(last)


def _number(cell: Any) -> int:
    return int(cell["N"])


def _millis(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)
