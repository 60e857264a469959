"""The console in a real browser."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ops.passwords import PASSWORD

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page
    from playwright.sync_api import expect as expect
else:

    def expect(*of: Any) -> Any:
        """Playwright's, imported by the first who asks: pytest collects these tests without it too."""
        from playwright import sync_api

        return sync_api.expect(*of)


HERE = Path(__file__).with_name("browser")
AXE = HERE / "node_modules" / "axe-core" / "axe.min.js"
WAIT_MS = 60_000


@contextmanager
def browser() -> "Iterator[Browser]":
    """A Chromium without a window: on Linux that of the tests' own package, elsewhere Playwright's."""
    from playwright import sync_api

    sync_api.expect.set_options(timeout=WAIT_MS)
    with sync_api.sync_playwright() as playwright:
        path = _unpacked() if sys.platform == "linux" else None
        launched = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield launched
        launched.close()


def _unpacked() -> str:
    """Where the browser is. It was unpacked when it was installed: what has just been written can't always be run."""
    env = os.environ | {"TMPDIR": str(HERE / "node_modules" / "unpacked")}
    return subprocess.run(
        ["node", "chromium.js"], cwd=HERE, env=env, check=True, capture_output=True, text=True
    ).stdout.strip()


class Visitor:
    """Somebody before a page, and what the browser complained of."""

    def __init__(self, page: "Page", origin: str) -> None:
        self.page, self.origin = page, origin
        self.complaints: list[str] = []
        page.set_default_timeout(WAIT_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._note)

    def _note(self, said: "ConsoleMessage") -> None:
        if said.type in ("error", "warning"):
            self.complaints.append(said.text)

    def sign_in(self, name: str) -> None:
        """From the page that is shown to whoever is not signed in, through the page of the user pool."""
        self.page.get_by_role("button", name="Sign in").click()
        self.page.get_by_label("Username").fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.get_by_role("banner").wait_for()

    def is_live(self) -> None:
        """Wait until what the page shows is kept current."""
        expect(self.page.get_by_role("banner").get_by_role("status")).to_have_text("Live")

    def open(self, address: str) -> None:
        self.page.goto(self.origin + address)

    def failures(self) -> list[str]:
        """What the page says in place of what was to be seen: that something went wrong, or that nothing is there."""
        self.page.wait_for_load_state("networkidle")
        missing = self.page.get_by_role("heading", name="There is no such page")
        return self.page.get_by_role("alert").or_(missing).all_inner_texts()

    def faults(self) -> list[str]:
        """What axe finds wrong with the page."""
        # The page's policy lets no foreign script in, so it comes in as a debugger's would.
        session = self.page.context.new_cdp_session(self.page)
        session.send("Runtime.evaluate", {"expression": AXE.read_text()})
        violations = self.page.evaluate("axe.run().then(found => found.violations)")
        return [f"{each['id']}: {each['nodes'][0]['html']}" for each in violations]
