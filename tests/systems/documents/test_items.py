"""Documents as items and back: everything a source holds survives."""

from hypothesis import given
from hypothesis import strategies as st

from functions.systems.documents import items as documents_items
from functions.systems.documents.entity import Information, InformationNames, Metadata, Permissions, Revision
from tests.support.items import instants, names, versions

named = st.dictionaries(names, names)


@given(st.builds(Revision, names, versions, instants, names, st.text(), st.text()))
def test_revision(revision: Revision) -> None:
    item, newest = documents_items.REVISION.encode(revision), documents_items.NEWEST.encode(revision)
    assert documents_items.REVISION.decode(item) == documents_items.NEWEST.decode(newest) == revision
    assert (item["Type"], newest["Type"]) == ({"S": "DOCUMENT_REVISION"}, {"S": "DOCUMENT_NEWEST"})


@given(st.builds(Metadata, names, names, st.text(), st.dictionaries(names, st.text())))
def test_metadata(metadata: Metadata) -> None:
    assert documents_items.METADATA.decode(documents_items.METADATA.encode(metadata)) == metadata


@given(st.builds(Permissions, names, names, named, named, versions, names))
def test_permissions(permissions: Permissions) -> None:
    assert documents_items.PERMISSIONS.decode(documents_items.PERMISSIONS.encode(permissions)) == permissions


@given(st.builds(Information, names, names, st.text()))
def test_information(information: Information) -> None:
    assert documents_items.INFORMATION.decode(documents_items.INFORMATION.encode(information)) == information


@given(st.builds(InformationNames, names, st.frozensets(names), versions))
def test_names_of_information(known: InformationNames) -> None:
    assert documents_items.NAMES.decode(documents_items.NAMES.encode(known)) == known
