"""Every system once on the deployed application: stored, absorbed, read back; ids of any text; deletes that cascade."""

import pytest

from demo import tour
from local import examples
from ops.api import ApiError
from ops.processes import wait_until
from tests.e2e.conftest import Client, Settle

ODD_IDS = ("a b", "a/b", "50%", "#1", "é😀", "?x=1&y", "..", "+", "%2F", "x" * 200)


@pytest.mark.parametrize("times", [1, 2])
def test_the_tour_finds_what_it_stored_also_the_second_time(
    app: Client, guest: Client, importer: Client, sensor: Client, times: int, settle: Settle
) -> None:
    message = {"text": "hi", "user": "amy", "sent_at": "2018-08-29T12:00:00Z", "message_id": "1"}
    importer.post("rooms", "seattle", "messages", body={"messages": [message]})
    sensor.post("telemetry", body={"events": [{"device_id": "JFK", "at": 0, "event_id": "tour", "metrics": {}}]})
    examples.store_all(app)
    settle()
    told = {(stop.system, stop.told) for stop in tour.stops(guest, "seattle", "amy")}
    assert told == {
        ("places", "Equipment_1"),
        ("audits", "version 12: passed"),
        ("telemetry", "last reading 1970-01-01T00:00:00.000Z"),
        ("chat", "1 messages of amy"),
        ("documents", "The handbook, version 3"),
        ("orders", "Order-3, Order-4"),
        ("orders", "2 open orders of all customers"),
        ("games", "padma 2650, rick 2410, padma 900"),
        ("games", "rank 2 of 2"),
        ("billing", "2 bills, 200 together"),
        ("graph", "amy, bob, kim"),
        ("edge aggregates", "out KNOWS 2"),
        ("derived states", "shop degraded, hosts down: 1"),
        ("graph walks", "bob 1, eve 1, kim 2, sue 3"),
        ("graph walks", "kim, joe"),
    }


@pytest.mark.parametrize("name", ODD_IDS)
def test_any_text_is_an_id(app: Client, guest: Client, name: str) -> None:
    app.post("equipment", name, "audits", body={"auditor": "app", "part": name, "result": "passed"})
    assert guest.get("equipment", name, "audits", "latest", part=name)["auditor"] == "app"
    for node in (name, f"{name}2"[-200:]):
        app.put("graph", "nodes", "thing", node, body={"attributes": []})
    app.put("graph", "edges", "thing", name, "LIKES", "thing", f"{name}2"[-200:], body={})
    assert guest.get("graph", "nodes", "thing", name, "edges")["edges"][0]["target"]["id"] == f"{name}2"[-200:]


@pytest.mark.parametrize("segment", ["%FF", "%FE", "%C3", "%2541", "a%252Fb", "50%25", "~41"])
def test_no_second_spelling_names_an_id(guest: Client, segment: str) -> None:
    answer = guest.fetched(f"/devices/{segment}/events")
    assert (answer.status_code, [error["field"] for error in answer.json()["errors"]]) == (400, ["device"])


def test_a_deleted_node_takes_its_edges_with_it_on_both_sides(app: Client, guest: Client) -> None:
    for name in ("hub", *(f"spoke-{number}" for number in range(30))):
        app.put("graph", "nodes", "thing", name, body={"attributes": []})
    for number in range(30):
        pair = ("hub", f"spoke-{number}") if number % 2 else (f"spoke-{number}", "hub")
        app.put("graph", "edges", "thing", pair[0], "TOUCHES", "thing", pair[1], body={})
    app.call("DELETE", "graph", "nodes", "thing", "hub")
    with pytest.raises(ApiError, match="404"):
        guest.get("graph", "nodes", "thing", "hub")

    def edges_left() -> int:
        sides = [
            guest.get("graph", "nodes", "thing", f"spoke-{number}", side, direction=direction)["edges"]
            for number in range(30)
            for side, direction in (("edges", "out"), ("edges", "in"))
        ]
        return sum(map(len, sides))

    wait_until(lambda: edges_left() == 0, 180, "the end of the hub's edges")


def test_a_bill_that_changes_changes_its_invoices(app: Client, guest: Client) -> None:
    app.put("bills", "moving", body={"amount": 10})
    for number in range(3):
        app.put("invoices", f"inv-{number}", body={})
        app.put("invoices", f"inv-{number}", "bills", "moving", body={})
    app.put("bills", "moving", body={"amount": 25.5})

    def sums() -> list[str]:
        summaries = [guest.get("invoices", f"inv-{number}")["summary"] for number in range(3)]
        return [str(summary and summary["amount"]) for summary in summaries]

    wait_until(lambda: sums() == ["25.5"] * 3, 180, "the new sums")
