"""Quarantine: what is in it, and redriving a record after a fix."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response

from edgewise import NotFoundError, rfc_3339
from edgewise.stream import quarantine, quarantine_patterns
from edgewise.stream.redrive import redrive
from edgewise.stream.register import register
from functions.catalog import FOLLOW_UPS
from functions.systems.operations import shown
from functions.systems.quarantine.models import (
    ImageOut,
    PathSequence,
    PathShard,
    QuarantinedOut,
    QuarantineOut,
    RecordOut,
    RedrivenOut,
)
from functions.systems.quarantine.system import SYSTEM
from functions.web import answers, http, runtime
from functions.web.paging import DEFAULT_LIMIT, CursorText, Limit, Paging

app = http.resolver(SYSTEM)


@http.route(
    app,
    "GET /quarantine",
    "The records in quarantine, the oldest first, and why they are there",
    responses=answers.described(QuarantineOut),
    group="admin",
)
def get_quarantine(limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query of the index by value, and one consistent read of the register, which counts."""
    paging = Paging.of(quarantine_patterns.RECORDS, cursor)
    found, position = quarantine.page(runtime.table(), limit, paging.after)
    records = [QuarantinedOut(shard=each.shard, sequence=each.sequence, at=each.at, error=each.error) for each in found]
    count = register(runtime.table()).count
    return answers.reply(QuarantineOut(records=records, count=count, cursor=paging.next(position)))


@http.route(
    app,
    "GET /quarantine/{shard}/{sequence}",
    "One record in quarantine, as the stream delivered it",
    responses=answers.described(RecordOut) | answers.NOT_FOUND,
    group="admin",
)
def get_quarantined(shard: PathShard, sequence: PathSequence) -> Response[str]:
    """One consistent query; further ones for a record of more than a megabyte."""
    found = quarantine.find(runtime.table(), shard, sequence)
    if found is None:
        raise NotFoundError("quarantined record", f"{shard} {sequence}")
    change = found.record.get("dynamodb") or {}
    return answers.reply(
        RecordOut(
            shard=shard,
            sequence=sequence,
            event=found.record.get("eventName"),
            set_aside=rfc_3339(found.at),
            old=_image(change.get("OldImage")),
            new=_image(change.get("NewImage")),
        )
    )


@http.route(
    app,
    "POST /quarantine/{shard}/{sequence}/redrive",
    "Apply a record as if the stream delivered it again, and remove it from quarantine",
    responses=answers.described(RedrivenOut) | answers.NOT_FOUND | answers.CONFLICT,
    group="admin",
)
def redrive_quarantined(shard: PathShard, sequence: PathSequence) -> Response[str]:
    """One transaction for each aggregate that the record feeds. 409, with the reason, if it is still not understood.

    If the time of a request is not enough, send it again: what has absorbed the record does not absorb it twice.
    """
    redrive(runtime.table(), FOLLOW_UPS, shard, sequence)
    return answers.reply(RedrivenOut(shard=shard, sequence=sequence, count=register(runtime.table()).count))


handler = http.handler(app)


def _image(item: Mapping[str, Any] | None) -> ImageOut | None:
    if item is None:
        return None
    attributes, hidden = shown.attributes(item)
    known = {name: shown.text(dict(item), name) for name in ("PK", "SK", "Type")}
    return ImageOut(pk=known["PK"], sk=known["SK"], type=known["Type"], attributes=attributes, hidden=hidden)
