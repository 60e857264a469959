"""Documents as items and back: everything a source holds survives."""

from hypothesis import given
from hypothesis import strategies as st

from functions.systems.documents import codec as documents_codec
from functions.systems.documents.entity import Information, InformationNames, Metadata, Permissions, Revision
from tests.support.items import instants, names, versions


@given(st.builds(Revision, names, versions, instants, names, st.text(), st.text()))
def test_revision(revision: Revision) -> None:
    item, newest = documents_codec.revision_item(revision), documents_codec.newest_item(revision)
    assert documents_codec.revision(item) == documents_codec.revision(newest) == revision
    assert (item["Type"], newest["Type"]) == ({"S": "DOCUMENT_REVISION"}, {"S": "DOCUMENT_NEWEST"})


@given(st.builds(Metadata, names, names, st.text(), st.dictionaries(names, st.text())))
def test_metadata(metadata: Metadata) -> None:
    assert documents_codec.metadata(documents_codec.metadata_item(metadata)) == metadata


@given(st.builds(Permissions, names, names, st.frozensets(names), st.frozensets(names), versions))
def test_permissions(permissions: Permissions) -> None:
    assert documents_codec.permissions(documents_codec.permissions_item(permissions)) == permissions


@given(st.builds(Information, names, names, st.text()))
def test_information(information: Information) -> None:
    assert documents_codec.information(documents_codec.information_item(information)) == information


@given(st.builds(InformationNames, names, st.frozensets(names), versions))
def test_names_of_information(known: InformationNames) -> None:
    assert documents_codec.information_names(documents_codec.information_names_item(known)) == known
