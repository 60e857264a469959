"""The proof: watch numbers while the consumer that counts them is broken, and compare them with a recount."""

import json
import zlib
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

from aws_lambda_powertools.event_handler import Response

from edgewise import AggregateId, InvalidInputError, clock, rfc_3339
from functions.catalog import CATALOG
from functions.settings import ProofSettings
from functions.systems.operations.naming import named, spelled
from functions.systems.proof import looking, store
from functions.systems.proof.entity import BROKEN, MISDELIVERED, MOST_FAULTS, Asked, Done, Fault, Kind, Number, Watch
from functions.systems.proof.looking import Left, Look
from functions.systems.proof.models import (
    DoneOut,
    FaultIn,
    FaultOut,
    PlainOut,
    ProofOut,
    RecountedOut,
    ShardOut,
    WatchedOut,
    WatchIn,
    WatchOut,
)
from functions.systems.proof.system import SYSTEM
from functions.web import answers, http, runtime
from functions.web.paging import CursorText

# How many lines of the log are told.
LINES: Final = 50
_QUERY: Final = {"route": "proof"}
_WATCHABLE: Final = tuple(name for name, kind in CATALOG.kinds.items() if looking.is_watchable(kind))

app = http.resolver(SYSTEM)


@http.route(
    app,
    "GET /proof",
    "How the watched numbers compare with a recount of what was delivered, and what was broken meanwhile",
    responses=answers.described(ProofOut),
    group="admin",
)
def get_proof(cursor: CursorText = None) -> Response[str]:
    """Reads the numbers, and the notes of what they may lack; writes nothing."""
    table, now, before = runtime.table(), clock.now(), _left(cursor)
    asked = store.asked(table)
    watch = asked.watched(now)
    abouts = [CATALOG.named(json.loads(number.name)) for number in watch.numbers] if watch else []
    seen = looking.look(table, watch, abouts, before) if watch else None
    begins = seen is not None and None in seen.differences
    return answers.reply(
        ProofOut(
            at=rfc_3339(now),
            kinds=list(_kinds()),
            watchable=list(_WATCHABLE),
            watch=watch and _watch_out(watch),
            slow_until=rfc_3339(asked.slow_until) if asked.slow_until > now else None,
            asked=[_fault_out(each) for each in asked.due(now).faults],
            verdict="unwatched" if seen is None else "begins" if begins else "compared",
            why=_why(seen) if seen and begins else "",
            quarantined=seen.quarantined if seen else 0,
            numbers=_numbers(watch, abouts, seen) if watch and seen else [],
            shards=_shards(seen) if seen else [],
            done=[_done_out(each) for each in store.log(table, LINES)],
            cursor=runtime.cursors().encode(_QUERY, {"left": seen.left.text}) if seen else None,
        )
    )


@http.route(
    app,
    "PUT /proof/watch",
    "Watch some numbers for half a minute, or go on watching them",
    responses=answers.described(WatchedOut),
    group="admin",
)
def put_watch(body: WatchIn) -> Response[str]:
    """While somebody watches, each batch takes a write unit more, and one for each number that a plain ADD counts."""
    for index, number in enumerate(body.numbers):
        if number.kind not in _WATCHABLE:
            raise InvalidInputError.of(f"numbers.{index}.kind", f"must be one of {', '.join(_WATCHABLE)}")
    numbers = tuple(Number(json.dumps(named(each.kind, each.dimensions).plain), each.cell) for each in body.numbers)
    watch = store.watch(runtime.table(), numbers, plain=body.plain)
    return answers.reply(WatchedOut(watch=_watch_out(watch)))


@http.route(
    app,
    "POST /proof/faults",
    "Break the consumer, or what delivers to it, once: with the next batch that has anything to count",
    responses=answers.described(FaultOut, HTTPStatus.ACCEPTED),
    group="admin",
)
def post_fault(body: FaultIn) -> Response[str]:
    """One read and one write; `GET /proof` then tells what was done. What nothing was delivered for is forgotten."""
    kind: Kind | None = next((each for each in _kinds() if each == body.kind), None)
    if kind is None:
        raise InvalidInputError.of("kind", f"must be one of {', '.join(_kinds())}")
    fault = store.ask(runtime.table(), kind, body.shard or "", _must_have_room)
    return answers.reply(_fault_out(fault), HTTPStatus.ACCEPTED)


handler = http.handler(app)


def _kinds() -> tuple[Kind, ...]:
    return (*BROKEN, *(MISDELIVERED if ProofSettings.from_env().delivery == "local" else ()))


def _must_have_room(asked: Asked) -> None:
    if len(asked.due(clock.now()).faults) >= MOST_FAULTS:
        raise InvalidInputError.of("kind", f"{MOST_FAULTS} faults wait already: wait until some are done")


def _left(cursor: str | None) -> Left | None:
    position = runtime.cursors().decode(_QUERY, cursor)
    try:
        return Left.of(position["left"]) if position else None
    except (KeyError, TypeError, ValueError, zlib.error) as error:  # of another release
        raise InvalidInputError.of("cursor", "is of another release: begin again without it") from error


def _why(seen: Look) -> str:
    if seen.quarantined:
        return (
            f"{seen.quarantined} records in quarantine: until they are redriven, nobody can tell what the numbers have"
        )
    return f"what came before the watch must be counted first: all is, until {rfc_3339(seen.left.since)}"


def _numbers(watch: Watch, abouts: Sequence[AggregateId], seen: Look) -> list[RecountedOut]:
    found = []
    for position, about in enumerate(abouts):
        stored = seen.stored[position].count
        difference = seen.differences[position]
        lacks = seen.lacks[position]
        plain = PlainOut(added=seen.added[position], drift=seen.drifts[position]) if watch.plain else None
        found.append(
            RecountedOut(
                kind=about.kind.name,
                dimensions=spelled(about),
                cell=watch.numbers[position].cell,
                stored=stored,
                expected=None if difference is None else stored - difference,
                difference=difference,
                lacks=lacks,
                verdict="wrong" if difference else "lacks" if lacks else "begins" if difference is None else "equal",
                plain=plain,
            )
        )
    return found


def _shards(seen: Look) -> list[ShardOut]:
    courses = seen.left.recount.courses
    return [
        ShardOut(shard=shard, delivered=came.delivered, again=came.again, at=rfc_3339(courses[shard].at))
        for shard, came in sorted(seen.came.items())
    ]


def _watch_out(watch: Watch) -> WatchOut:
    return WatchOut(id=watch.id, since=rfc_3339(watch.since), until=rfc_3339(watch.until), plain=watch.plain)


def _fault_out(fault: Fault) -> FaultOut:
    return FaultOut(id=fault.id, kind=fault.kind, at=rfc_3339(fault.at), shard=fault.shard or None)


def _done_out(done: Done) -> DoneOut:
    return DoneOut(id=done.fault.id, kind=done.fault.kind, at=rfc_3339(done.at), shard=done.shard, what=done.what)
