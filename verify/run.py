"""One run, from the creation of its user to the removal of its data."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random

from botocore.exceptions import BotoCoreError, ClientError
from rich.console import Console

from ops.api import Api
from ops.errors import LocalError
from ops.phases import Phases
from ops.recounting.facts import Name
from ops.threads import PARALLEL
from verify import probes, removing, report, searching
from verify.corner import Corner
from verify.facts import Difference
from verify.recounting import incomplete, recount
from verify.redeploying import update
from verify.report import Verdict
from verify.sending import Cost, enqueue, rounds, send_all
from verify.settling import BY_API, settled, until_equal
from verify.share import Share
from verify.shares import chat, shares
from verify.target import Target
from verify.user import User, user

FAULTS = (LocalError, ClientError, BotoCoreError)
# How long writes may take to arrive everywhere: a fixed time, and more for each 1,000 events.
ARRIVAL_SECONDS, EVENTS_A_SECOND = 300, 50
# Indexes and reads lag for a moment. A difference that lasts longer is a real one.
LAG_SECONDS = 10


@dataclass
class Run:
    """The subject of a run, and its findings so far."""

    target: Target
    console: Console
    seed: int
    events: int
    corner: Corner = field(default_factory=Corner.new)
    verdict: Verdict = field(default_factory=Verdict)
    cost: Cost = field(default_factory=Counter)

    def say(self, text: str) -> None:
        """Print a line, without account ids and ARNs."""
        self.console.print(report.masked(text), markup=False, highlight=False, soft_wrap=True)


def run(target: Target, console: Console, seed: int, events: int) -> int:
    """Send, compare, probe, remove; returns the exit status."""
    one = Run(target, console, seed, events)
    one.say(
        f"verify: {target.stage} on {target.place}; SEED={seed} EVENTS={events}; all ids begin with {one.corner.name}"
    )
    with _told(one, "the creation of the run's user"), user(target, one.corner) as caller:
        everything = shares(one.corner, seed, events)
        try:
            _work(one, caller, everything)
        finally:
            _remove(one, caller, everything)
    for line in one.verdict.lines():
        one.say(line)
    return one.verdict.status


def _work(one: Run, caller: User, everything: Sequence[Share]) -> None:
    since, phases = round(time.time() * 1000), Phases(one.console)
    with _told(one, "the run"):
        _send(one, phases, caller, everything)
        _judge(one, phases, _api(one, caller), everything)
    with phases("probe the assumptions about AWS"):
        seen = probes.probed(one.target, one.corner, _api(one, caller), since)
    phases.end()
    one.say("\n".join(["", *report.table(seen), ""]))
    one.say(f"the cost of the API's requests: {_cost(one.cost)}")


def _send(one: Run, phases: Phases, caller: User, everything: Sequence[Share]) -> None:
    """Send all rounds; the consumer is updated after the first round, while it is busy."""
    first, *further = rounds(everything, Random(one.seed))
    writes = sum(share.writes for share in everything)
    with phases(f"send {writes:,} writes", sum(map(len, (first, *further)))) as done:
        enqueue(one.target, everything)
        one.cost += send_all(_api(one, caller), first, done)
        with _told(one, "an update of the consumer in mid-stream"):
            update(one.target, f"updated by {one.corner.name}, and back")
        for requests in further:
            one.cost += send_all(_api(one, caller), requests, done)


def _judge(one: Run, phases: Phases, api: Api, everything: Sequence[Share]) -> None:
    """Wait until all numbers are as expected, let the deployment recount some of them, and check all once more."""
    checks = [check for share in everything for check in share.checks]
    names = [name for share in everything for name in share.recounts]
    patience = ARRIVAL_SECONDS + one.events / EVENTS_A_SECOND
    with phases(f"compare {sum(len(check.expected) for check in checks):,} aggregates", len(checks)) as done:
        late = settled(api, checks, patience, done)
    one.verdict.differences += (replace(each, seen_by=f"{BY_API}, still after {patience:g} s") for each in late)
    with _told(one, "the recount by the deployment"), phases("let the deployment recount", len(names)) as done:
        one.verdict.differences += recounted(one.target, names, done)
        one.verdict.not_run += [f"exactness of {each}" for each in incomplete(one.target, one.corner.name)]
    with _told(one, "a search for what was sent"):
        searched = searching.checks(api, chat.rooms(one.corner))
        with phases("search for it", len(searched)) as done:
            one.verdict.differences += settled(api, searched, LAG_SECONDS, done)
    if not late:
        with phases("compare once more", len(checks)) as done:
            one.verdict.differences += settled(api, checks, LAG_SECONDS, done)


def recounted(target: Target, names: Sequence[Name], done: Callable[[int], None]) -> list[Difference]:
    """The differences that the deployed function finds in these aggregates and below; raises UnfinishedError."""
    return until_equal(names, lambda name: recount(target, name), LAG_SECONDS, done)


def _remove(one: Run, caller: User, everything: Sequence[Share]) -> None:
    with _told(one, "the removal of the data"):
        removing.remove(_api(one, caller), everything)
        one.say("removed: nodes, edges, the bills in invoices, the places of entities, the information of documents")
    for each in [*removing.left(everything), probes.left(one.corner)]:
        one.say(f"left, as the API can't remove it: up to {each.count:,} {each.what} ({each.where})")
    one.say("these items have no time to live: they stay until the table is deleted")


def _api(one: Run, caller: User) -> Api:
    return Api(one.target.api_url, caller.token, PARALLEL)


@contextmanager
def _told(one: Run, what: str) -> Iterator[None]:
    """Report a failure in the block as a step that could not be run, and continue after the block."""
    try:
        yield
    except FAULTS as error:
        one.verdict.not_run.append(f"{what}: {error}")


def _cost(cost: Cost) -> str:
    return ", ".join(f"{thousandths / 1000:,.1f} {what}" for what, thousandths in cost.items())
