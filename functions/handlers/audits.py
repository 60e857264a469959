"""Audits: equipment is audited again and again, as a whole or part by part."""

import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path, Query

from functions.domain.audits import AUDITS, BY_RESULT, Audit
from functions.domain.errors import NotFoundError
from functions.domain.measures import Cell
from functions.domain.times import Millis, rfc_3339
from functions.domain.versions import counts_by, unlisted
from functions.handlers import http, once, runtime
from functions.handlers.models.audits import AuditIn, AuditOut, AuditsOut, EquipmentOut, EquipmentSummary
from functions.handlers.models.fields import Id, PathId
from functions.handlers.paging import DEFAULT_LIMIT, CursorText, Limit, Order, Paging
from functions.store import audits, patterns
from functions.store.versions import Once

app = http.resolver()

Part = Annotated[Id | None, Query(description="left out: the equipment as a whole")]


@app.post(
    "/equipment/<equipment>/audits",
    summary="Store the next audit of some equipment or of a part of it",
    status_code=HTTPStatus.CREATED,
    responses=http.described(AuditOut) | http.described(AuditOut, HTTPStatus.CREATED) | http.CONFLICT,
    tags=["audits"],
)
def post_audit(equipment: Annotated[PathId, Path()], body: AuditIn, key: once.Key = None) -> Response[str]:
    """One transaction; of two auditors at once one gets the version, the other a 409 that tells it."""
    audit = Audit(equipment, body.part or "", 0, _now(), body.auditor, body.result, body.notes or "")
    sent = Once(http.caller(app).user, key) if key else None
    stored, again = audits.add(runtime.table(), audit, body.expected_version, sent)
    return http.reply(_audit(stored), HTTPStatus.OK if again else HTTPStatus.CREATED)


@app.get(
    "/equipment/<equipment>/audits",
    summary="All audits of some equipment as a whole, or of a part of it",
    responses=http.described(AuditsOut),
    tags=["audits"],
)
def get_audits(
    equipment: Annotated[PathId, Path()],
    part: Part = None,
    order: Order = "asc",
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """One query."""
    paging = Paging({"route": "audits", "of": [equipment, part, order]}, cursor)
    query = patterns.audits.history(equipment, part or "", forward=order == "asc")
    found, position = audits.page(runtime.table(), query, limit, paging.after)
    return http.reply(AuditsOut(audits=[_audit(audit) for audit in found], cursor=paging.next(position)))


@app.get(
    "/equipment/<equipment>/audits/latest",
    summary="The newest audit of some equipment as a whole, or of a part of it",
    responses=http.described(AuditOut) | http.NOT_FOUND,
    tags=["audits"],
)
def get_latest_audit(equipment: Annotated[PathId, Path()], part: Part = None) -> Response[str]:
    """One consistent read: what was answered to the auditor is what others see."""
    found = audits.newest(runtime.table(), equipment, part or "")
    if found is None:
        raise NotFoundError("audit", audits.subject(equipment, part or ""))
    return http.reply(_audit(found))


@app.get(
    "/equipment/<equipment>",
    summary="Some equipment's numbers and the newest audit of each part",
    responses=http.described(EquipmentOut) | http.NOT_FOUND,
    tags=["audits"],
)
def get_equipment(
    equipment: Annotated[PathId, Path()], limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None
) -> Response[str]:
    """One query: the newest audits stand directly behind the summary, the history before it.

    One more request where there are so many results that the summary goes on in further items.
    """
    paging = Paging({"route": "equipment", "equipment": equipment}, cursor)
    found, position = audits.of_equipment(runtime.table(), equipment, limit, paging.after)
    if cursor is None and not found.numbers and not found.newest:
        raise NotFoundError("equipment", equipment)
    out = EquipmentOut(
        equipment=equipment,
        summary=_summary(found.numbers) if cursor is None else None,
        newest=[_audit(audit) for audit in found.newest],
        cursor=paging.next(position),
    )
    return http.reply(out)


handler = http.handler(app)


def _now() -> Millis:
    return time.time_ns() // 1_000_000


def _audit(audit: Audit) -> AuditOut:
    return AuditOut(
        part=audit.part or None,
        version=audit.version,
        at=rfc_3339(audit.at),
        auditor=audit.auditor,
        result=audit.result,
        notes=audit.notes or None,
    )


def _summary(numbers: Mapping[str, Cell]) -> EquipmentSummary:
    every, results = numbers.get(AUDITS, Cell()).count, counts_by(BY_RESULT, numbers)
    return EquipmentSummary(audits=every, results=results, unlisted=unlisted(every, results))
