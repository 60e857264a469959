"""Audits of equipment: every audit of a part is a revision, and the newest one is stored a second time."""

from dataclasses import dataclass, replace

from edgewise import Fed, Millis, Observation
from functions.revisions.versions import counted_by

AUDITS, BY_RESULT = "Audits", "Result"


@dataclass(frozen=True, slots=True)
class Audit:
    """One audit of a part of some equipment, or of the equipment as a whole if `part` is empty.

    `version` numbers the audits of that part from 1; 0: not stored yet.
    """

    equipment: str
    part: str
    version: int
    at: Millis
    auditor: str
    result: str
    notes: str = ""

    def says(self, other: "Audit") -> bool:
        """Whether both audits have the same content; version and instant are assigned by the server."""
        return replace(self, version=other.version, at=other.at) == other


def of_equipment(audit: Audit) -> Fed:
    """An audit feeds its equipment."""
    yield (audit.equipment,), {AUDITS: Observation(), counted_by(BY_RESULT, audit.result): Observation()}
