"""Audits: equipment is audited repeatedly, as a whole or part by part."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query

from edgewise import Cell, NotFoundError, clock, rfc_3339
from functions.revisions.store import Once
from functions.revisions.versions import counts_by, unlisted
from functions.systems.audits import store
from functions.systems.audits.entity import AUDITS, BY_RESULT, Audit
from functions.systems.audits.items import AUDIT, NEWEST, history
from functions.systems.audits.models import AllEquipment, AuditIn, AuditOut, AuditsOut, EquipmentOut, EquipmentSummary
from functions.systems.audits.system import EQUIPMENT, SYSTEM
from functions.web import answers, http, once, runtime, spelling
from functions.web.conditions import IfAbsent, IfChanged, IfMatch, expected
from functions.web.fields import Id, PathId
from functions.web.paging import (
    DEFAULT_LIMIT,
    Beginning,
    CursorText,
    Limit,
    Order,
    collection_page,
    directory_page,
    items_page,
)

app = http.resolver(SYSTEM)

Part = Annotated[Id | None, Query(description="if omitted: the equipment as a whole")]


@http.route(
    app,
    "POST /equipment/{equipment}/audits",
    "Store the next audit of the equipment or of one part",
    responses=answers.tagged(answers.stored(AuditOut)) | answers.CONFLICT | answers.PRECONDITION_FAILED,
    status_code=HTTPStatus.CREATED,
    group="write",
)
def post_audit(
    equipment: PathId, body: AuditIn, key: once.Key = None, if_match: IfMatch = None, if_absent: IfAbsent = None
) -> Response[str]:
    """One transaction. Of two concurrent auditors, one gets the version, the other a 409 with the stored version.

    The conditions apply to the newest audit of the part; a condition with its version saves a read.
    """
    caller = http.caller(app)
    if body.auditor != spelling.composed(caller.name):
        caller.must_be_in("import", "name another auditor")
    audit = Audit(equipment, body.part or "", 0, clock.now(), body.auditor, body.result, body.notes or "")
    sent = Once(caller.sub, key) if key else None
    stored, again = store.add(runtime.table(), audit, expected(if_match, if_absent), sent)
    return answers.version(_audit(stored), stored.version, HTTPStatus.OK if again else HTTPStatus.CREATED)


@http.route(
    app,
    "GET /equipment/{equipment}/audits",
    "All audits of the equipment as a whole, or of one part",
    responses=answers.described(AuditsOut),
)
def get_audits(
    equipment: PathId,
    part: Part = None,
    order: Order = "asc",
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """One query."""
    query = history(equipment, part or "", forward=order == "asc")
    found, next_cursor = items_page(query, limit, cursor, AUDIT.decode)
    return answers.reply(AuditsOut(audits=[_audit(audit) for audit in found], cursor=next_cursor))


@http.route(
    app,
    "GET /equipment/{equipment}/audits/latest",
    "The newest audit of the equipment as a whole, or of one part",
    responses=answers.read_version(AuditOut) | answers.NOT_FOUND,
)
def get_latest_audit(equipment: PathId, part: Part = None, if_changed: IfChanged = None) -> Response[str]:
    """One consistent read: others see an audit as soon as the auditor has the response."""
    found = store.newest(runtime.table(), equipment, part or "")
    if found is None:
        raise NotFoundError("audit", store.subject(equipment, part or ""))
    return answers.version_unless_known(_audit(found), found.version, if_changed)


@http.route(app, "GET /equipment", "All equipment that has audits, by id", responses=answers.described(AllEquipment))
def get_all_equipment(
    begins_with: Beginning = None, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None
) -> Response[str]:
    """One query of the index by value."""
    found, next_cursor = directory_page(AUDIT.partitions, begins_with, limit, cursor)
    return answers.reply(AllEquipment(equipment=found, cursor=next_cursor))


@http.route(
    app,
    "GET /equipment/{equipment}",
    "The equipment's numbers and the newest audit of each part",
    responses=answers.described(EquipmentOut) | answers.NOT_FOUND,
    shows=(EQUIPMENT,),
)
def get_equipment(equipment: PathId, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query: the newest audits sort directly after the summary, the history before it.

    One more request if there are so many results that the summary has continuations.
    """
    page = collection_page((EQUIPMENT,), NEWEST.with_summary(equipment), limit, cursor, NEWEST.decode)
    if page.is_empty and cursor is None:
        raise NotFoundError("equipment", equipment)
    out = EquipmentOut(
        equipment=equipment,
        summary=_summary(store.numbers(runtime.table(), equipment, page.summary)) if cursor is None else None,
        newest=[_audit(audit) for audit in page.items],
        cursor=page.cursor,
    )
    return answers.reply(out)


handler = http.handler(app)


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
