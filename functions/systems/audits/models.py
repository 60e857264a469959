"""Requests and responses of the audit routes."""

from typing import Annotated

from pydantic import BaseModel, Field

from functions.web.common import Counted, Listed
from functions.web.fields import Called, Id, Line, Prose, Request

MAX_NOTES = 10_000


class AuditIn(Request):
    """One audit of a part, or of the equipment as a whole."""

    auditor: Called
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


class AllEquipment(Listed):
    """One page of the ids of equipment."""

    equipment: list[str]
    cursor: str | None


class EquipmentSummary(BaseModel):
    """How many audits the equipment has had, and how many with each result.

    If there are thousands of results, not all are listed; `unlisted` counts the audits with the others.
    """

    audits: int
    results: dict[str, int]
    unlisted: int


class EquipmentOut(Counted, Listed):
    """The equipment and the newest audit of each part; only the first page has the summary."""

    equipment: str
    summary: EquipmentSummary | None
    newest: list[AuditOut]
    cursor: str | None
