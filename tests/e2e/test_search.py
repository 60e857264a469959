"""Search as people use it: somebody's own message by a misspelt word, a document by whom may read it, a new index."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from functions.bucket import Bucket
from functions.search.indexes import BUCKET
from functions.search.manifest import MANIFEST, Manifest
from ops import search_check
from ops.processes import wait_until
from tests.e2e.conftest import Client, Deployment
from tests.e2e.console import Visitor, expect

Visit = Callable[..., Visitor]


def ids(by: Client, q: str, **others: str) -> list[tuple[str, list[str]]]:
    return [(each["kind"], each["id"]) for each in by.get("search", q=q, **others)["found"]]


def test_a_newcomer_finds_their_own_message_by_a_misspelt_word(visit: Visit, importer: Client) -> None:
    first = {"text": "hello", "user": "amy", "sent_at": "2026-11-01T00:00:00Z", "message_id": "1"}
    importer.post("rooms", "search", "messages", body={"messages": [first]})
    visitor = visit("/rooms/search")
    visitor.sign_in("guest")
    page = visitor.page
    page.get_by_role("textbox", name="Message").fill("The zeppelin departs at noon")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("The zeppelin departs at noon")).to_be_visible()
    page.get_by_role("heading", name="search").click()
    page.keyboard.press("/")
    asked = page.get_by_role("combobox", name="What to find")
    found = page.get_by_role("group", name="Messages").get_by_role("option")
    expect(asked).to_be_focused()
    # Who is too fast for the index types again.
    wait_until(lambda: _typed(asked, "zepelin") and found.count() == 1, 30, "the index says so")
    expect(found).to_contain_text("guest in search message")
    expect(found.locator("mark")).to_have_text(["zeppelin"])
    assert not visitor.faults()
    asked.press("Enter")
    expect(page.get_by_role("heading", name="search")).to_be_visible()
    expect(asked).to_have_count(0)
    assert not visitor.complaints


def _typed(asked: Any, text: str) -> bool:
    asked.fill("")
    asked.press_sequentially(text)
    asked.page.wait_for_timeout(500)
    return True


def test_the_page_of_search_narrows_and_is_shared_by_its_address(visit: Visit, app: Client, importer: Client) -> None:
    messages = [
        {"text": f"wombat {n}", "user": "amy", "sent_at": f"2026-11-01T00:00:{n:02}Z", "message_id": f"w{n}"}
        for n in range(25)
    ]
    importer.post("rooms", "wombats", "messages", body={"messages": messages})
    app.put("graph", "nodes", "person", "wombat", body={"attributes": []})
    wait_until(lambda: app.get("search", q="wombat")["total"] == 26, 60, "the index says so")
    visitor = visit("/")
    visitor.sign_in("guest")
    page = visitor.page
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="What to find").fill("wombat ")
    page.get_by_role("link", name="All 26 results").click()
    expect(page.get_by_role("heading", name="Search")).to_be_visible()
    kinds = page.get_by_role("navigation", name="Kinds").get_by_role("link")
    expect(kinds).to_have_text(["message 25", "node 1"])
    assert not visitor.faults()
    page.get_by_role("button", name="More results").click()
    expect(page.get_by_role("main").get_by_role("listitem")).to_have_count(26)
    kinds.filter(has_text="node").click()
    expect(page.get_by_role("main").get_by_role("listitem")).to_have_count(1)
    page.get_by_role("main").get_by_role("link", name="wombat").click()
    expect(page.get_by_role("heading", name="wombat")).to_be_visible()
    visitor.open("/search?q=wombat&order=time")
    expect(page.get_by_role("main").get_by_role("listitem").first).to_contain_text("wombat 24")
    visitor.open("/search?q=…")
    expect(page.get_by_role("alert")).to_contain_text("must contain a letter or a digit")
    visitor.complaints.clear()  # the browser tells of the 400


def test_a_stranger_finds_no_document_until_it_is_given_and_not_after(app: Client, guest: Client) -> None:
    app.put("documents", "secret", "metadata", body={"title": "Axolotl plans", "attributes": {}})
    wait_until(lambda: ids(app, "axolotl") == [("document", ["secret"])], 30, "the index says so")
    assert guest.get("search", q="axolotl")["total"] == 0
    app.put("documents", "secret", "permissions", body={"readers": ["guest"], "writers": []})
    wait_until(lambda: ids(guest, "axolotl") == [("document", ["secret"])], 30, "the index says so")
    app.put("documents", "secret", "permissions", body={"readers": [], "writers": []})
    assert guest.get("search", q="axolotl")["total"] == 0, "at once, whatever the index says"


def test_an_index_is_filled_anew_beside_what_happens_and_then_says_what_the_table_holds(
    deployment: Deployment, admin: Client, importer: Client, tmp_path: Path
) -> None:
    before = _serving(deployment)
    generation = admin.post("search", "rebuild", body={})["generation"]
    message = {"text": "a quokka", "user": "amy", "sent_at": "2026-11-01T00:00:00Z", "message_id": "q"}
    importer.post("rooms", "quokkas", "messages", body={"messages": [message]})
    wait_until(lambda: _serving(deployment) == generation != before, 120, "the index says so")
    wait_until(lambda: ids(admin, "quokka") == [("message", ["quokkas", "q"])], 30, "the index says so")
    index = Bucket(_bucket(deployment), deployment.cloud.client("s3"))
    checked = search_check.check(deployment.table, search_check.copied(index, tmp_path / "index"))
    assert checked.wrong == {}
    assert checked.things > 0


def _serving(deployment: Deployment) -> str:
    found = deployment.cloud.client("s3").get_object(Bucket=_bucket(deployment), Key=MANIFEST)
    return Manifest.of(found["Body"].read()).serving


def _bucket(deployment: Deployment) -> str:
    stacks = deployment.cloud.client("cloudformation").describe_stacks(StackName="edgewise-local-search")["Stacks"]
    (where,) = [each["OutputValue"] for each in stacks[0]["Outputs"] if each["OutputKey"] == "SearchIndex"]
    return str(where).removeprefix(BUCKET)
