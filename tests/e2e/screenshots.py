"""Pictures of every page of the console on the running local cloud: wide and narrow, light and dark.

Of one page, there is one for each of its states.
"""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ops import local_cloud
from ops.paths import LOCAL
from ops.recounting.samples import SAMPLES, messages
from tests.e2e.console import Visitor, browser
from tests.e2e.states import picture_states

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = LOCAL / "screenshots"
WIDTHS = {"wide": 1440, "narrow": 390}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# The name of a picture, and the page of the demo that it shows; of a room, the first in which somebody writes.
PAGES = {
    "home": "/",
    "devices": "/devices",
    "device": "/devices/JFK?metric=temp&grain=day",
    "places": "/places",
    "place": "/places/US",
    "rooms": "/rooms",
    "room": "/rooms/{room}",
    "graph": "/graph?label=KNOWS&measure=count&direction=in",
    "search": "/graph?name=lives_in&way=begins_with&text=US/Texas",
    "node": "/graph/person/amy?open=person/bob&open=person/kim&open=team/Storage",
    "numbers": "/graph/person/amy?show=numbers",
    "walk": "/graph/person/amy?show=walk&depth=3",
    "recommended": "/graph/person/amy?show=recommended&label=KNOWS",
    "below": "/graph/team/Engineering?show=below&sum=KNOWS",
    "found": "/search?q=handbook",
    "records": "/records",
    "customers": "/records/customers",
    "orders": "/records/orders",
    "customer": "/records/customers/Customer-7",
    "player": "/records/players/rick",
    "game": "/records/games/chess?player=rick",
    "award": "/records/awards/Champ",
    "equipment": "/records/equipment/Equipment_1",
    "document": "/records/documents/handbook",
    "versions": "/records/documents/handbook?show=versions&version=3",
    "invoice": "/records/invoices/Invoice-92551",
    "bill": "/records/bills/Bill-4224663",
    "overview": "/overview",
    "proof": "/proof",
    "exactness": "/exactness",
    "aggregate": "/exactness/PLACE?place=US",
    "table": "/table",
    "partition": "/table?pk=NODE%23person%23amy",
    "index": "/table?index=GSI2&pk=ROOM%23{room}",
    "quarantine": "/quarantine",
    "checks": "/checks",
}


class PicturedFailureError(Exception):
    """A page shows that something went wrong, or that nothing is there: not what its picture is for."""

    def __init__(self, address: str, told: list[str]) -> None:
        super().__init__(f"{address}: {' '.join(told)}")


def main() -> None:
    """Replace all pictures; the local cloud must be running."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    with browser() as launched:
        for size, width in WIDTHS.items():
            for scheme in SCHEMES:
                _photograph(launched, FOLDER / f"{size}-{scheme}", width, scheme)


def _photograph(launched: "Browser", folder: Path, width: int, scheme: Literal["light", "dark"]) -> None:
    viewport = {"width": width, "height": 900}
    context = launched.new_context(viewport=viewport, color_scheme=scheme, locale="en-GB")  # type: ignore[arg-type]
    visitor = Visitor(context.new_page(), local_cloud.default().console_url)
    visitor.open("/")
    visitor.page.get_by_role("button", name="Sign in").wait_for()
    visitor.page.screenshot(path=folder / "welcome.png")
    visitor.sign_in("admin")
    room = next(messages(SAMPLES["default"])).room
    for name, address in PAGES.items():
        picture(visitor, address.format(room=room), folder / f"{name}.png")
    picture_states(visitor, room, folder)
    context.close()


def picture(visitor: Visitor, address: str, path: Path) -> None:
    """Picture a page; raises PicturedFailureError if it shows a failure."""
    visitor.open(address)
    if told := visitor.failures():
        raise PicturedFailureError(address, told)
    visitor.page.screenshot(path=path, full_page=True)


if __name__ == "__main__":
    main()
