"""`make bench`, the part about push, search and the console: writes the tables of their pages in docs/."""

import sys
from collections.abc import Mapping

from rich.console import Console

from benchmarks.bill.push import Sockets, costs
from benchmarks.live import fan_out, latency, page, searching, stranger
from benchmarks.live.fan_out import FanOut
from benchmarks.live.latency import Latency
from benchmarks.live.page import Page
from benchmarks.live.searching import Searching
from benchmarks.report import Table, filled, show
from local import console as console_of_the_cloud
from local import prepared
from local.users import create_users
from ops.errors import LocalError
from ops.paths import ROOT
from ops.phases import Phases
from ops.processes import free_port

DOCUMENT, OF_SEARCH, OF_THE_PROOF = (ROOT / "docs" / name for name in ("push.md", "search.md", "breaking.md"))
CONNECTIONS = (1_000, 100_000)


def main() -> int:
    """Measure, print, and write; returns the exit status."""
    console = Console()
    phases = Phases(console)
    try:
        with phases("one message for 10,000 subscribers"):
            fanned = fan_out.measure()
        with prepared.running(free_port(), phases) as (running, outputs):
            create_users(running, outputs)
            console_of_the_cloud.start(running)
            with phases("a stranger's path"):
                walked = stranger.measure(running)
            with phases("from POST to push"):
                latencies = latency.measure(running)
            with phases("a search of 100,000 messages, and from POST to found"):
                searched = searching.measure(running)
            with phases("the console's page"):
                loaded = page.measure(running)
    except LocalError as error:
        console.print(str(error), style="red", markup=False)
        return 1
    tables = {
        "latency": _latency(latencies),
        "fan_out": _fan_out(fanned),
        "page": _page(loaded),
        "cost": _cost(fanned.cpu_ms_a_frame),
    }
    others = (OF_SEARCH, {"search": _search(searched)}), (OF_THE_PROOF, {"stranger": of_a_stranger(walked)})
    for document, of_document in ((DOCUMENT, tables), *others):
        for table in of_document.values():
            show(console, table)
        document.write_text(filled(document.read_text(encoding="utf-8"), of_document), encoding="utf-8")
    return 0


def of_a_stranger(at: Mapping[str, float]) -> Table:
    """How long a stranger waits for what."""
    rows = [(what, f"{seconds:.0f}") for what, seconds in stranger.waited(at).items()]
    return Table("A stranger's path", ("", "seconds"), rows)


def _search(found: Searching) -> Table:
    index = found.indexed
    rows = [(each.form, f"{each.p50:.1f}", f"{each.p99:.1f}") for each in (*found.asked, found.found)]
    note = (
        f"An index of {index.things:,} messages has {index.megabytes:.0f} MB. A thing took {index.ms_each:.2f} ms to "
        f"index among a thousand, and a single change {index.ms_a_change:.0f} ms."
    )
    return Table("Search of 100,000 messages", ("search for", "p50, ms", "p99, ms"), rows, (note,))


def _latency(found: list[Latency]) -> Table:
    rows = [(each.of, f"{each.pushes}", f"{each.p50:.0f}", f"{each.p99:.0f}") for each in found]
    return Table("From POST to push", ("of", "pushes", "p50, ms", "p99, ms"), rows)


def _fan_out(found: FanOut) -> Table:
    rows = [
        ("parts, of 250 subscribers at most", f"{found.parts}"),
        ("read units for the subscribers", f"{found.read_units:.0f}"),
        ("to read the subscribers, ms", f"{found.read_ms:.0f}"),
        ("to send the slowest part, ms", f"{found.part_ms:.0f}"),
        ("CPU for each frame, ms", f"{found.cpu_ms_a_frame:.2f}"),
    ]
    return Table("One message for 10,000 subscribers", ("", "measured"), rows)


def _page(found: Page) -> Table:
    rows = [
        ("loaded before anything is shown, KB", f"{found.first_bytes / 1000:.1f}"),
        ("all there is, KB", f"{found.all_bytes / 1000:.1f}"),
        ("to the first content, ms", f"{found.paint_ms:.0f}"),
    ]
    return Table("The console", ("", "measured"), rows)


def _cost(cpu_ms: float) -> Table:
    bills = [costs(Sockets(connections, cpu_ms)) for connections in CONNECTIONS]
    rows = [(name, *(f"{bill[name]:,.2f}" for bill in bills)) for name in bills[0]]
    rows.append(("together", *(f"{sum(bill.values()):,.2f}" for bill in bills)))
    return Table("A month", ("USD a month", *(f"{connections:,}" for connections in CONNECTIONS)), rows)


if __name__ == "__main__":
    sys.exit(main())
