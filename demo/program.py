"""The demo on the local cloud: deploys, feeds real data, and compares all aggregates with a recount of the input."""

import os
import signal
from collections.abc import Callable, Iterable

from rich.console import Console

from demo import flights, interrupts, recount_flights, stored, tour
from demo.flights import Flights
from demo.hints import address, hints
from demo.others import Sources
from demo.report import show, show_others, show_tour
from demo.stored import Look
from edgewise.dynamodb.attributes import Item
from local import cloud, console, examples, prepared
from local.drain import PASSES, drain
from local.users import client, create_users
from ops import local_cloud, terminal
from ops.api import Api
from ops.errors import LocalError
from ops.local_cloud import Cloud, Outputs
from ops.phases import Phases
from ops.processes import needed
from ops.recounting.compare import Comparison, compare
from ops.recounting.facts import by_kind
from ops.recounting.feed import chat_requests, post_all, telemetry_requests
from ops.recounting.readback import read_back, reads
from ops.recounting.recount import recount
from ops.recounting.samples import SAMPLES, Message, Reading, Sample, messages, readings

WHAT_WILL_HAPPEN = (
    "Runs Edgewise on this machine, feeds it real data, and compares every number that it keeps with a recount."
)
INTERRUPTED = 128 + signal.SIGINT  # as shells report it


def main() -> int:
    """Run the demo and leave the cloud running; returns the exit status, 1 unless every aggregate is exact."""
    out = terminal.console()
    name = os.environ.get("SAMPLE") or "default"
    if name not in SAMPLES:
        out.print(f"SAMPLE={name}: expected one of {', '.join(SAMPLES)}")
        return 1
    try:
        return demo(out, SAMPLES[name])
    except LocalError as error:
        out.print(str(error), style="red", markup=False)
        return 1
    except KeyboardInterrupt:
        interrupts.heard()
        cloud.stop(local_cloud.default())
        out.print("interrupted: the local cloud has been stopped and removed")
        return INTERRUPTED


def demo(console: Console, sample: Sample) -> int:
    """Deploy, feed, compare, and print what to try next; raises LocalError."""
    needed("node", "Node 24")
    target = local_cloud.default()
    _tell(console, WHAT_WILL_HAPPEN)
    if target.pid() is not None:
        console.print(f"replacing the local cloud on port {target.port} and everything in it")
    phases = Phases(console)
    running, outputs = deployed(phases)
    _tell(console, address(running))
    with phases("read the input files"):
        weather, chat, storm = list(readings(sample)), list(messages(sample)), flights.flights(sample)
    sensor, importer, guest = (client(running, outputs, user) for user in ("sensor", "importer", "guest"))
    with phases("store the data of the tour"):
        examples.store_all(client(running, outputs, "app"))
    with phases(f"store a graph of {len(storm.edges):,} edges", storm.stored) as done:
        flights.store(client(running, outputs, "app"), storm, done)
    feed(phases, running, sensor, importer, weather, chat)
    comparisons = compared(phases, guest, weather, chat, storm)
    seen = looked(phases, running, lambda: running.items(outputs["TableName"]))
    own, others = seen.sources.told_from(posted := Sources(weather, chat, storm))
    shared = others.counted_by(posted)
    left_out = sum(line.name in shared for comparison in comparisons for line in comparison.lines)
    comparisons = [comparison.without(shared) for comparison in comparisons]
    comparisons += [compare("items stored", own.numbers, posted.numbers), seen.cells]
    with phases("tour"):
        stops = tour.stops(guest, chat[0].room, chat[0].user)
    phases.end()
    show(console, comparisons)
    show_others(console, others, left_out)
    show_tour(console, stops)
    _tell(console, address(running) + hints(running, chat[0]))
    return any(comparison.different for comparison in comparisons)


def _tell(console: Console, text: str) -> None:
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def deployed(phases: Phases) -> tuple[Cloud, Outputs]:
    """A new local cloud with the stacks and the demo users."""
    running, outputs = prepared.start(local_cloud.default().port, phases)
    with phases("create users"):
        create_users(running, outputs)
    with phases("build and serve the console"):
        console.start(running)
    return running, outputs


def feed(
    phases: Phases, running: Cloud, sensor: Api, importer: Api, weather: list[Reading], chat: list[Message]
) -> None:
    """Post the input and wait until the stream consumer has absorbed it."""
    with phases(f"post {len(weather):,} readings", len(weather)) as done:
        post_all(sensor, telemetry_requests(weather), done)
    with phases(f"post {len(chat):,} messages", len(chat)) as done:
        post_all(importer, chat_requests(chat), done)
    with phases("wait until the stream is drained", PASSES) as passed:
        drain(running, passed)


def compared(
    phases: Phases, guest: Api, weather: list[Reading], chat: list[Message], storm: Flights
) -> list[Comparison]:
    """Each kind of aggregate as the API returns it, compared with the recount of the input."""
    with phases("recount the input files"):
        expected = recount(weather, chat) | recount_flights.recount(storm)
    with phases("read the aggregates through the API", len(reads(guest, expected))) as done:
        found = read_back(guest, expected, done)
    found_kinds = by_kind(found)
    return [compare(kind, found_kinds.get(kind, {}), facts) for kind, facts in by_kind(expected).items()]


def looked(phases: Phases, running: Cloud, items: Callable[[], Iterable[Item]]) -> Look:
    """What is stored; where it looks wrong, a second time, since what somebody writes meanwhile is under way."""
    with phases("look for what should not be stored"):
        seen = stored.look(items())
    if not seen.cells.different:
        return seen
    with phases("look again when that is drained", PASSES) as passed:
        drain(running, passed)
        return stored.look(items()).after(seen)
