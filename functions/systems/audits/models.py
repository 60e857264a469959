"""Requests and responses of the audit routes."""

from typing import Annotated

from pydantic import BaseModel, Field

from functions.web.common import Counted, Listed
from functions.web.fields import Id, Line, Prose, Request

MAX_NOTES = 10_000


class AuditIn(Request):
    """One audit, of a part or else of the equipment as a whole."""

    auditor: Line
    result: Line
    part: Id | None = None
    notes: Annotated[Prose, Field(max_length=MAX_NOTES)] | None = None


class AuditOut(BaseModel):
    """One stored audit; `version` numbers the audits of its part from 1."""

    part: str | None
    version: int
    at: str
    auditor: str
    result: str
    notes: str | None


class AuditsOut(Listed):
    """One page of the audits of a part."""

    audits: list[AuditOut]
    cursor: str | None


class EquipmentSummary(BaseModel):
    """How many audits some equipment had, and how many came to which result.

    Not all results are listed where there are thousands; `unlisted` audits came to the others.
    """

    audits: int
    results: dict[str, int]
    unlisted: int


class EquipmentOut(Counted, Listed):
    """Some equipment and the newest audit of each part; the summary stands on the first page only."""

    equipment: str
    summary: EquipmentSummary | None
    newest: list[AuditOut]
    cursor: str | None
