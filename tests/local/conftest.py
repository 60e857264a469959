"""The built console in a real browser, for tests of its pages."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from local import page
from tests.e2e.console import Visitor, browser
from tests.local.canned import WIDE, Tab, answered, serving, sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext


@pytest.fixture(scope="module")
def origin(web_installed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("page")
    page.build(folder)
    with serving(folder) as address:
        yield address


@pytest.fixture(scope="module")
def chromium(browser_installed: None) -> "Iterator[Browser]":
    with browser() as launched:
        yield launched


@pytest.fixture
def contexts(chromium: "Browser") -> "Iterator[Callable[..., BrowserContext]]":
    made: list[BrowserContext] = []

    def begin(width: int = WIDE, **others: Any) -> "BrowserContext":
        made.append(chromium.new_context(viewport={"width": width, "height": 844}, locale="en-GB", **others))
        return made[-1]

    yield begin
    for each in made:
        each.close()


@pytest.fixture
def visit(contexts: "Callable[..., BrowserContext]", origin: str) -> Callable[..., Tab]:
    def begin(address: str = "/", *groups: str, width: int = WIDE, **others: Any) -> Tab:
        context = contexts(width, **others)
        tab = Tab(Visitor(context.new_page(), origin), answered(context))
        sign_in(tab.page, origin, *groups)
        tab.visitor.open(address)
        tab.page.get_by_role("main").wait_for()
        return tab

    return begin
