"""Items of audits: each audit once for the history, and a copy of each part's newest one."""

from collections.abc import Callable, Mapping
from typing import Any

from functions.domain.audits import Audit
from functions.domain.times import from_rfc_3339, rfc_3339
from functions.store import keys
from functions.store.attributes import Item, integer, key_item, n, s, string


def audit_item(audit: Audit) -> Item:
    """One audit."""
    key = keys.audits.audit(audit.equipment, audit.part, audit.version)
    return key_item(key) | {"Type": s("AUDIT")} | _content(audit)


def newest_item(audit: Audit) -> Item:
    """The copy of an audit that is its part's newest one; it feeds no aggregate."""
    return key_item(keys.audits.newest(audit.equipment, audit.part)) | {"Type": s("AUDIT_NEWEST")} | _content(audit)


def audit(item: Item) -> Audit:
    """The inverse of both."""
    equipment, part = keys.audits.parse(string(item["PK"]), string(item["SK"]))
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


SOURCES: Mapping[str, Callable[[Item], Any]] = {"AUDIT": audit}
