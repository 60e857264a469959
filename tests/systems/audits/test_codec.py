"""Audits as items and back: everything a source holds survives."""

from hypothesis import given
from hypothesis import strategies as st

from functions.systems.audits import codec as audits_codec
from functions.systems.audits.entity import Audit
from tests.support.items import instants, names, versions


@given(st.builds(Audit, names, st.text(max_size=8), versions, instants, names, names, st.text()))
def test_audit(audit: Audit) -> None:
    item, newest = audits_codec.audit_item(audit), audits_codec.newest_item(audit)
    assert audits_codec.audit(item) == audits_codec.audit(newest) == audit
    assert (item["Type"], newest["Type"]) == ({"S": "AUDIT"}, {"S": "AUDIT_NEWEST"})
