"""Checks: what the runs of the batch side found."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from aws_lambda_powertools.event_handler import Response

from edgewise import InvalidInputError, rfc_3339
from functions.systems.checks import codec, keys, patterns, store
from functions.systems.checks.entity import COUNTS, WHYS, Run, Why
from functions.systems.checks.models import (
    CheckEntry,
    CheckOut,
    ChecksOut,
    DifferenceOut,
    DifferencesOut,
    Differing,
    KindText,
    PathRun,
    UnjudgedOut,
    WhyText,
)
from functions.systems.checks.system import SYSTEM
from functions.web import answers, http, runtime
from functions.web.paging import DEFAULT_LIMIT, CursorText, Limit, items_page

app = http.resolver(SYSTEM)


@http.route(
    app,
    "GET /checks",
    "All checks of the whole table, the newest first",
    responses=answers.described(ChecksOut),
    group="admin",
)
def get_checks(limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query of the index by value."""
    found, next_cursor = items_page(patterns.RUNS, limit, cursor, codec.run)
    return answers.reply(ChecksOut(checks=[CheckEntry(**_entry(run)) for run in found], cursor=next_cursor))


@http.route(
    app,
    "GET /checks/{run}",
    "One check: what it counted, and how many aggregates differ",
    responses=answers.described(CheckOut) | answers.NOT_FOUND,
    group="admin",
)
def get_check(run: PathRun) -> Response[str]:
    """One consistent read."""
    found = store.find(runtime.table(), run)
    by_kind = {kind: _differing(by_why) for kind, by_why in found.figures.by_kind.items()} if found.figures else None
    unjudged = [UnjudgedOut(**asdict(each)) for each in found.figures.unjudged] if found.figures else None
    return answers.reply(CheckOut(**_entry(found), by_kind=by_kind, unjudged=unjudged))


@http.route(
    app,
    "GET /checks/{run}/differences",
    "What differs from what it is counted or derived from, the causes first, and what can't be read",
    responses=answers.described(DifferencesOut) | answers.NOT_FOUND,
    group="admin",
)
def get_differences(
    run: PathRun, why: WhyText = None, kind: KindText = None, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None
) -> Response[str]:
    """One query. One more read if there are none: the check may not exist."""
    if kind is not None and why is None:
        raise InvalidInputError.of("kind", "needs why: differences are sorted by reason, then by kind")
    query = patterns.differences(run, why, kind)
    found, next_cursor = items_page(query, limit, cursor, codec.difference)
    if not found and cursor is None:
        store.find(runtime.table(), run)
    told = [DifferenceOut(**asdict(each)) for each in found]
    return answers.reply(DifferencesOut(run=run, differences=told, cursor=next_cursor))


handler = http.handler(app)


def _entry(run: Run) -> dict[str, Any]:
    """What is told of a run, also in a list."""
    counts = dict.fromkeys(name for names in COUNTS.values() for name in names)
    known = run.figures
    return {
        "run": run.name,
        "kind": run.kind,
        "state": run.state,
        "instant": rfc_3339(keys.instant(run.name)),
        "began": rfc_3339(run.began),
        "ended": None if run.ended is None else rfc_3339(run.ended),
        **counts,
        **(known.counts if known else {}),
        "differences": _differing(known.differences) if known and run.kind == "reconcile" else None,
        "unlisted": known.unlisted if known else None,
        "seconds": known.seconds if known else None,
        "cost": known.cost if known else None,
        "error": run.error or None,
    }


def _differing(by_why: Mapping[Why, int]) -> Differing:
    return Differing(**{why: by_why.get(why, 0) for why in WHYS})
