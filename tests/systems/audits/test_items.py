"""Audits as items and back: everything a source holds survives."""

from hypothesis import given
from hypothesis import strategies as st

from functions.systems.audits import items as audits_items
from functions.systems.audits.entity import Audit
from tests.support.items import instants, names, versions


@given(st.builds(Audit, names, st.text(max_size=8), versions, instants, names, names, st.text()))
def test_audit(audit: Audit) -> None:
    item, newest = audits_items.AUDIT.encode(audit), audits_items.NEWEST.encode(audit)
    assert audits_items.AUDIT.decode(item) == audits_items.NEWEST.decode(newest) == audit
    assert (item["Type"], newest["Type"]) == ({"S": "AUDIT"}, {"S": "AUDIT_NEWEST"})
