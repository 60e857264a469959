"""Places, the graph and records in the console: people get from one to the next, and see what the API answers."""

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tests.e2e.conftest import Client, Settle
from tests.e2e.console import Visitor, expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Visit = Callable[..., Visitor]


def rows(page: "Page", table: str) -> list[str]:
    """The rows of a table without its head, their cells joined."""
    region = page.get_by_role("region", name=table, exact=True)
    expect(region).to_be_visible()
    found = region.get_by_role("row").filter(has=page.get_by_role("rowheader")).all_inner_texts()
    return [" | ".join(cell.strip() for cell in row.split("\t") if cell.strip()) for row in found]


def figures(page: "Page") -> dict[str, str]:
    """The figures at the top of a page, by name."""
    first = page.locator("dl").first
    expect(first).to_be_visible()
    return dict(pair.split("\n") for pair in first.locator("div").all_inner_texts())


def heading(page: "Page", name: str) -> "Locator":
    return page.get_by_role("heading", name=name, exact=True)


def test_places_lead_down_to_a_device(visit: Visit, sensor: Client, settle: Settle) -> None:
    places = {"pages 1": ["Pages", "North/South", "Gate 1"], "pages 2": ["Pages", "East", "Gate 2"]}
    events = [
        {"device_id": device, "at": f"2026-11-01T0{hour}:00:00Z", "place": place, "metrics": {"temp": hour}}
        for device, place in places.items()
        for hour in range(3 if device == "pages 1" else 1)
    ]
    assert sensor.post("telemetry", body={"events": events})["accepted"] == 4
    settle()
    visitor = visit("/places")
    visitor.sign_in("guest")
    page = visitor.page
    page.get_by_label("Place", exact=True).fill("Pages/East")
    page.get_by_label("Place", exact=True).press("Enter")
    expect(heading(page, "East")).to_be_visible()
    trail = page.get_by_role("navigation", name="Places above").get_by_role("link")
    trail.first.click()
    page.get_by_role("link", name="Pages", exact=True).click()
    expect(heading(page, "Pages")).to_be_visible()
    assert figures(page) == {"Readings": "4", "Devices": "2"}
    assert rows(page, "Places below, those with the most readings first") == ["North/South | 3 | 1", "East | 1 | 1"]
    assert not visitor.faults()
    page.get_by_role("link", name="North/South").click()
    page.get_by_role("link", name="Gate 1").click()
    expect(trail).to_have_text(["Places", "Pages", "North/South", "Gate 1"])
    expect(page.get_by_text("There is no place below.")).to_be_visible()
    page.get_by_role("link", name="pages 1").click()
    expect(heading(page, "pages 1")).to_be_visible()
    page.go_back()
    expect(heading(page, "Gate 1")).to_be_visible()


def test_the_graph_is_walked_by_clicking_and_by_keyboard(visit: Visit, app: Client) -> None:
    names = ("ash", "birch", "cedar", "dogwood")
    for name in names:
        attributes = [{"name": "skill", "value": f"shade of {name}"}]
        app.put("graph", "nodes", "person", name, body={"attributes": attributes})
    for one, other in pairwise(names):
        app.put("graph", "edges", "person", one, "STANDS_BY", "person", other, body={"weight": 2})
    visitor = visit("/graph")
    visitor.sign_in("guest")
    page = visitor.page
    page.get_by_label("Value").fill("shade of ash")
    page.get_by_label("Which").select_option("begins_with")  # what is typed stays
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_role("link", name="ash").click()
    expect(heading(page, "ash")).to_be_visible()
    listed = page.get_by_role("list", name="Nodes in the picture").get_by_role("link")
    expect(listed).to_have_text(["birch"])
    page.locator(".picture g", has=page.locator("title", has_text="person birch")).last.click()
    expect(listed).to_have_text(["birch", "cedar"])
    expect(page.get_by_role("img", name="3 nodes and 2 edges")).to_be_visible()
    page.get_by_role("button", name="Expand person cedar").press("Enter")
    expect(listed).to_have_text(["birch", "cedar", "dogwood"])
    assert not visitor.faults()
    page.reload()  # the address knows what is open
    expect(listed).to_have_text(["birch", "cedar", "dogwood"])
    page.get_by_role("link", name="Walk").click()
    page.get_by_label("Steps").select_option("3")
    page.get_by_role("button", name="Walk").click()
    expect(page.get_by_text("3 steps", exact=True)).to_be_visible()
    path = page.get_by_role("listitem").filter(has_text="3 steps")
    expect(path).to_contain_text("–STANDS_BY→ birch –STANDS_BY→ cedar –STANDS_BY→ dogwood")
    assert not visitor.faults()
    listed.filter(has_text="cedar").click()
    expect(heading(page, "cedar")).to_be_visible()
    assert rows(page, "Edges, in") == ["birch person | STANDS_BY | – | – | 2 | –"]


def test_an_incident_is_seen_from_the_alert_to_the_host(visit: Visit, app: Client) -> None:
    hosts, service, business = ("rack 1", "rack 2", "rack 3"), ("service", "till"), ("business", "kiosk")
    for node in (*(("host", host) for host in hosts), service, business):
        app.put("graph", "nodes", *node, body={"attributes": []})
    for host in hosts:
        app.put("graph", "edges", "host", host, "RUNS", *service, body={})
        app.put("graph", "nodes", "host", host, "state", body={"state": "up", "measures": {"load": 2}})
    app.put("graph", "edges", *service, "PART_OF", *business, body={})
    visitor = visit("/alerts")
    visitor.sign_in("guest")
    page = visitor.page
    expect(heading(page, "Alerts")).to_be_visible()
    app.put("graph", "nodes", "host", "rack 2", "state", body={"state": "down", "measures": {"load": 0}})
    page.get_by_role("link", name="kiosk").click()  # it comes by itself
    expect(page.get_by_text("degraded, hosts down 1", exact=True)).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Numbers", exact=True).click()
    (told,) = rows(page, "Neighbours by state")
    assert told.startswith("PART_OF | in | 1 degraded | hosts down 1, mean 1; load 4, mean 4 | ")
    page.get_by_role("button", name="Expand service till").press("Enter")
    expect(page.locator(".picture .gone title")).to_have_text("host rack 2 down")
    page.get_by_role("list", name="Nodes in the picture").get_by_role("link", name="rack 2").click()
    page.get_by_role("link", name="Impact", exact=True).click()
    assert rows(page, "What depends on it") == [
        "till service | degraded, hosts down 1, load 4 | 1",
        "kiosk business | degraded, hosts down 1 | 2",
    ]
    assert not visitor.faults()


def test_an_invoice_leads_to_its_bills_and_a_bill_to_its_invoices(visit: Visit, app: Client, settle: Settle) -> None:
    for invoice in ("pages/1", "pages/2"):
        app.put("invoices", invoice, body={"customer": "pages"})
    for bill, amount in (("bill 1", 120), ("bill 2", 80.5)):
        app.put("bills", bill, body={"amount": amount})
        app.put("invoices", "pages/1", "bills", bill, body={})
    app.put("invoices", "pages/2", "bills", "bill 2", body={})
    settle()
    visitor = visit("/records")
    visitor.sign_in("guest")
    page = visitor.page
    assert not visitor.faults()
    page.get_by_label("Invoice").fill("pages/1")
    page.get_by_label("Invoice").press("Enter")
    expect(heading(page, "pages/1")).to_be_visible()
    shown = figures(page)
    assert (shown["Amount"], shown["Bills"], shown["Customer"]) == ("200.5", "2", "pages")
    assert rows(page, "Bills") == ["bill 2 | 80.5", "bill 1 | 120"]
    assert not visitor.faults()
    page.get_by_role("link", name="bill 2").click()
    containing = page.get_by_role("listitem").get_by_role("link", name="pages/")
    expect(containing).to_have_text(["pages/1", "pages/2"])


def test_a_document_tells_what_each_version_changed(visit: Visit, app: Client) -> None:
    document = ("documents", "on pages")
    app.put(*document, "metadata", body={"title": "On pages"})
    app.put(*document, "permissions", body={"readers": ["guest"], "writers": []})
    for content in ("one\ntwo\nthree", "one\n2\nthree\nfour"):
        app.post(*document, "versions", body={"content": content})
    visitor = visit("/records/documents/on%20pages?show=versions")
    visitor.sign_in("guest")
    page = visitor.page
    page.get_by_role("link", name="2: what changed").click()
    lines = page.locator(".difference-of li")
    expect(lines).to_have_text(["one", "two", "2", "three", "four"])
    assert page.get_by_role("deletion").all_inner_texts() == ["two"]
    assert page.get_by_role("insertion").all_inner_texts() == ["2", "four"]
    assert not visitor.faults()
    page.get_by_label("Since").select_option("0")
    expect(page.get_by_role("insertion")).to_have_text(["one", "2", "three", "four"])


def test_an_audit_tells_what_changed_since_the_one_before(visit: Visit, app: Client) -> None:
    audits: list[dict[str, Any]] = [
        {"auditor": "app", "result": "passed"},
        {"auditor": "app", "result": "failed", "notes": "rust"},
    ]
    for audit in audits:
        app.post("equipment", "pages", "audits", body=audit | {"part": "valve"})
    visitor = visit("/records/equipment/pages")
    visitor.sign_in("guest")
    page = visitor.page
    changes = page.get_by_role("list", name="Audits").get_by_role("list").get_by_role("listitem")
    expect(changes).to_have_text(["result: passed → failed", "notes: none → rust"])
    assert not visitor.faults()


def test_orders_and_ranks_are_looked_up(visit: Visit, app: Client, settle: Settle) -> None:
    orders = ("customers", "pages", "orders")
    for number in (1, 2):
        app.post(*orders, body={"order_id": f"p{number}", "opened_at": f"2025-01-0{number}T00:00:00Z", "amount": 5})
    app.post(*orders, "p1", "ship", body={})
    for player, score in (("gus", 10), ("ida", 20)):
        app.post("players", player, "games", body={"game": "pages", "score": score, "at": "2026-01-01T00:00:00Z"})
    settle()
    visitor = visit("/records/customers/pages")
    visitor.sign_in("guest")
    page = visitor.page
    expect(heading(page, "pages")).to_be_visible()
    assert figures(page) == {"Orders": "2", "Amount": "10", "Open": "1", "Open amount": "5"}
    page.get_by_role("link", name="Open", exact=True).click()
    expect(page.get_by_role("rowheader")).to_have_text(["p2"])
    assert not visitor.faults()
    visitor.open("/records/games/pages")
    assert rows(page, "The best players") == ["ida | 1 | 20", "gus | 2 | 10"]
    page.get_by_role("textbox", name="Player").fill("gus")
    page.get_by_role("textbox", name="Player").press("Enter")
    expect(page.get_by_text("2 of 2")).to_be_visible()
    assert not visitor.faults()


def test_a_page_whose_script_is_gone_says_so_and_can_be_loaded_again(visit: Visit) -> None:
    """Such as a page that was open while a new console was deployed."""
    visitor = visit("/")
    visitor.sign_in("guest")
    page = visitor.page
    page.route("**/assets/places-*.js", lambda route: route.abort())
    page.get_by_role("link", name="Places").first.click()
    expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
    assert len(visitor.complaints) == 1  # the browser's own, about the request
    visitor.complaints.clear()
    page.unroute("**/assets/places-*.js")
    page.get_by_role("button", name="Load it again").click()
    expect(heading(page, "Places")).to_be_visible()


def test_whoever_may_write_does_it_on_the_page(visit: Visit, app: Client) -> None:
    app.put("documents", "draft", "metadata", body={"title": "A draft"})
    app.post("equipment", "crane", "audits", body={"auditor": "app", "result": "passed"})
    visitor, guest = visit("/records/customers/buyer"), visit("/records/customers/buyer")
    visitor.sign_in("app")
    page = visitor.page
    expect(page.get_by_text("This customer has ordered nothing yet.")).to_be_visible()
    page.get_by_text("Place an order", exact=True).click()
    page.get_by_label("Amount").fill("12.5")
    page.get_by_label("Amount").press("Enter")
    expect(page.get_by_role("region", name="Orders").get_by_role("cell", name="12.5")).to_be_visible()
    assert not visitor.faults()
    page.get_by_role("button", name="Ship").click()
    expect(page.get_by_role("button", name="Ship")).to_have_count(0)
    assert [order["amount"] for order in app.get("customers", "buyer", "orders")["orders"]] == [12.5]
    visitor.open("/records/equipment/crane")
    page.get_by_text("Store an audit", exact=True).click()
    page.get_by_label("Result").fill("failed")
    page.get_by_label("Result").press("Enter")
    expect(page.get_by_role("list", name="Audits")).to_contain_text("result: passed → failed")
    visitor.open("/records/documents/draft")
    page.get_by_text("Write the next version", exact=True).click()
    page.get_by_label("Text", exact=True).fill("The first line")
    page.get_by_role("button", name="Store").click()
    expect(page.get_by_text("Version 1 by app")).to_be_visible()
    assert not visitor.faults()
    guest.sign_in("guest")
    expect(heading(guest.page, "buyer")).to_be_visible()
    assert guest.page.get_by_text("Place an order", exact=True).count() == 0


def test_lists_lead_to_what_they_list(visit: Visit, app: Client, settle: Settle) -> None:
    for customer in ("listed/1", "listed/2", "other"):
        order = {"order_id": "1", "opened_at": "2025-01-01T00:00:00Z", "amount": 1}
        app.post("customers", customer, "orders", body=order)
        app.post("customers", customer, "orders", "1", "ship", body={})
    settle()
    visitor = visit("/records")
    visitor.sign_in("guest")
    page = visitor.page
    page.get_by_role("link", name="All customers").click()
    expect(page.get_by_role("link", name="other")).to_be_visible()
    page.get_by_label("Customers that begin with").fill("listed")
    page.get_by_label("Customers that begin with").press("Enter")
    listed = page.get_by_role("main").get_by_role("listitem").get_by_role("link")
    expect(listed).to_have_text(["listed/1", "listed/2"])
    assert not visitor.faults()
    listed.first.click()
    expect(heading(page, "listed/1")).to_be_visible()
    visitor.open("/devices?begins_with=nothing-like-it")
    expect(page.get_by_text("None begins with that.")).to_be_visible()
    assert not visitor.faults()
