"""The proof: watch numbers while the consumer that counts them is broken, and compare them with a recount."""

import json
import zlib
from http import HTTPStatus
from typing import Annotated, Final

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import AfterValidator, WithJsonSchema

from edgewise import InvalidInputError, clock
from functions.catalog import CATALOG
from functions.settings import ProofSettings
from functions.systems.operations.naming import named
from functions.systems.proof import clicks, looking, replaying, store
from functions.systems.proof.entity import BROKEN, MISDELIVERED, MOST_FAULTS, Asked, Kind, Number
from functions.systems.proof.looking import Left
from functions.systems.proof.models import FaultIn, FaultOut, ProofOut, RunOut, WatchedOut, WatchIn
from functions.systems.proof.system import SYSTEM
from functions.systems.proof.telling import fault_out, look_out, watch_out
from functions.web import answers, charges, http, runtime
from functions.web.paging import CursorText

# How many lines of the log are told.
LINES: Final = 50
_QUERY: Final = {"route": "proof"}
# What a run costs whoever asks for it, in write units: the function works for some seconds.
_RUN_UNITS: Final = 100
_WATCHABLE: Final = tuple(name for name, kind in CATALOG.kinds.items() if looking.is_watchable(kind))


def _is_script(text: str) -> str:
    clicks.parsed(text)
    return text


Seed = Annotated[int, Query(ge=0, le=999_999, description="what arrives, and when, follows from it")]
ScriptText = Annotated[
    str,
    Query(description=f"what is done in which second, such as 12k,60p,75r: at most {clicks.MOST} clicks"),
    AfterValidator(_is_script),
    WithJsonSchema({"type": "string", "pattern": clicks.PATTERN}),
]

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
    return answers.reply(
        ProofOut(
            kinds=list(_kinds()),
            watchable=list(_WATCHABLE),
            watch=watch and watch_out(watch),
            cursor=runtime.cursors().encode(_QUERY, {"left": seen.left.text}) if seen else None,
            **look_out(asked, seen, abouts, store.log(table, LINES), now),
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
    return answers.reply(WatchedOut(watch=watch_out(watch)))


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
    return answers.reply(fault_out(fault), HTTPStatus.ACCEPTED)


@http.route(
    app,
    "GET /proof/run",
    "A run in memory, the same for the same seed and script: what is counted while the script breaks the consumer",
    responses=answers.described(RunOut),
    group="admin",
)
def get_run(seed: Seed, script: ScriptText = "") -> Response[str]:
    """Reads nothing that is stored, and writes nothing. It takes seconds, and so it costs 100 units."""
    charges.take(http.caller(app), "script", _RUN_UNITS)
    return Response(HTTPStatus.OK, "application/json", replaying.run(seed, script))


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
