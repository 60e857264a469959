"""Items of audits: each audit once for the history, and a copy of each part's newest one."""

from functions.dynamodb.attributes import Item, integer, key_item, n, s, string
from functions.systems.audits import keys
from functions.systems.audits.entity import Audit
from functions.times import from_rfc_3339, rfc_3339


def audit_item(audit: Audit) -> Item:
    """One audit."""
    key = keys.audit(audit.equipment, audit.part, audit.version)
    return key_item(key) | {"Type": s("AUDIT")} | _content(audit)


def newest_item(audit: Audit) -> Item:
    """The copy of a part's newest audit; it feeds no aggregate."""
    return key_item(keys.newest(audit.equipment, audit.part)) | {"Type": s("AUDIT_NEWEST")} | _content(audit)


def audit(item: Item) -> Audit:
    """The inverse of both functions above."""
    equipment, part = keys.parse(string(item["PK"]), string(item["SK"]))
    version, at = integer(item["Version"]), from_rfc_3339(string(item["At"]))
    notes = string(item["Notes"]) if "Notes" in item else ""
    return Audit(equipment, part, version, at, string(item["Auditor"]), string(item["Result"]), notes)


def _content(audit: Audit) -> Item:
    content: Item = {
        "Version": n(audit.version),
        "At": s(rfc_3339(audit.at)),
        "Auditor": s(audit.auditor),
        "Result": s(audit.result),
    }
    return content | {"Notes": s(audit.notes)} if audit.notes else content
