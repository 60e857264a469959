"""Writes and reads documents. A write succeeds only if the permissions that allowed it are still unchanged."""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, replace
from typing import TypeVar

from edgewise import (
    Cell,
    Check,
    ConcurrentChangeError,
    Condition,
    Delete,
    Item,
    ItemType,
    NotFoundError,
    Put,
    RefusedError,
    Table,
    TransactionRefusedError,
    cells,
    decoded,
    each,
)
from edgewise.aggregates.continuations import readers
from edgewise.dynamodb.attributes import string
from edgewise.dynamodb.table import ACTIONS_PER_TRANSACTION
from functions.preconditions import Expected
from functions.revisions import store as versions
from functions.revisions.store import Line, Once, Revised, Sent
from functions.search.engine import Address
from functions.search.withdrawals import REMOVED, withdrawal
from functions.systems.documents import items, people, words
from functions.systems.documents.entity import Information, InformationNames, Metadata, Permissions, Revision, Right
from functions.systems.documents.items import INFORMATION, METADATA, NAMES, NEWEST, PERMISSIONS, REVISION
from functions.systems.documents.system import DOCUMENT
from functions.users import User

T = TypeVar("T")

ATTEMPTS = 3
_KINDS = frozenset(
    {"DOCUMENT", "DOCUMENT_INFORMATION_NAMES", "DOCUMENT_METADATA", "DOCUMENT_PERMISSIONS", "DOCUMENT_NEWEST"}
)


@dataclass(frozen=True)
class Document:
    """A whole document; `newest` is None before its first revision."""

    numbers: Mapping[str, Cell]
    metadata: Metadata
    permissions: Permissions
    information: Set[str]
    newest: Revision | None


def describe(table: Table, user: User, metadata: Metadata) -> bool:
    """Store a document's metadata; returns whether this created the document, which the user then owns.

    Raises NotFoundError or NotPermittedError, as all commands here do.
    """

    def attempt() -> bool:
        held = _permissions(table, metadata.document)
        described = Put(METADATA.encode(metadata))
        if held is None:
            first = PERMISSIONS.encode(Permissions(metadata.document, user.sub, owner_name=user.name))
            table.transact([described, Put(first, Condition.ABSENT)])
            return True
        held.demand(Right.WRITE, user.sub)
        table.transact([described, _still(held)])
        return False

    return _by_permissions_that_hold(metadata.document, attempt)


def permit(table: Table, user: str, document: str, change: Callable[[Permissions], Permissions]) -> Permissions:
    """Store who else may read and write a document; nobody else can, once this returns.

    It takes further steps if more users lose it than a transaction can note. Charged with the edges that the stream
    then writes, one for each user whose right has changed, and with the removal of each note.
    """

    def attempt() -> Permissions:
        held = permitted(table, document, user, Right.OWN)
        wanted = change(held)
        while True:
            changed = held.towards(wanted, ACTIONS_PER_TRANSACTION - 1)
            _permit(table, held, changed)
            if changed.names == wanted.names:
                return changed
            held = changed

    return _by_permissions_that_hold(document, attempt)


def _permit(table: Table, held: Permissions, changed: Permissions) -> None:
    """Store the next version of permissions, and for each user who loses the document a note for search."""
    stored = Put(PERMISSIONS.encode(changed), Condition.at_version(held.version))
    thing = Address(words.DOCUMENT.kind, METADATA.key(held.document))
    notes = [withdrawal(sub, thing, changed.version) for sub in people.losing(held, changed)]
    if notes:
        table.transact([stored, *notes])
    else:
        table.write(stored)
    table.usage.caused += changed.differing(held) + REMOVED * len(notes)


def revise(
    table: Table, user: str, revision: Revision, expected: Expected | None = None, once: Once | None = None
) -> tuple[Revision, bool]:
    """Store a user's revision as the next version; returns the stored revision, and whether it was stored before.

    Also raises the errors of functions.revisions.store.append.
    """
    line = Line("document", revision.document, NEWEST.key(revision.document))

    def revised(version: int) -> Revised:
        numbered = replace(revision, version=version)
        return Revised(NEWEST.encode(numbered), REVISION.encode(numbered))

    def same(item: Item) -> bool:
        return revision.says(decoded(REVISION.decode, item))

    def attempt() -> tuple[Item, bool]:
        held = permitted(table, revision.document, user, Right.WRITE)
        return versions.append(table, line, Sent(revised, same, expected, once), [_still(held)])

    stored, again = _by_permissions_that_hold(revision.document, attempt)
    return REVISION.decode(stored), again


def inform(table: Table, user: str, information: Information) -> bool:
    """Store information under its name, in place of any stored before; returns whether there was none.

    Raises InvalidInputError if the document has information under too many other names.
    """

    def attempt() -> bool:
        held = permitted(table, information.document, user, Right.WRITE)
        known = _known(table, information.document)
        item = INFORMATION.encode(information)
        if information.name in known.names:
            table.transact([Put(item, Condition.PRESENT), _still(held)])  # else another caller could remove the name
            return False
        listed = NAMES.encode(known.adding(information.name))
        table.transact([Put(item), Put(listed, Condition.at_version(known.version)), _still(held)])
        return True

    return _by_permissions_that_hold(information.document, attempt)


def forget(table: Table, user: str, document: str, name: str) -> None:
    """Remove the information under a name, whether there is any or not."""

    def attempt() -> None:
        held = permitted(table, document, user, Right.WRITE)
        known = _known(table, document)
        if name not in known.names:
            return
        listed = NAMES.encode(known.without(name))
        gone = Delete(INFORMATION.key(document, name))
        table.transact([gone, Put(listed, Condition.at_version(known.version)), _still(held)])

    _by_permissions_that_hold(document, attempt)


def find_information(table: Table, document: str, name: str) -> Information | None:
    """The information under a name, or None. The caller must be permitted to read."""
    item = table.get(INFORMATION.key(document, name))
    return decoded(INFORMATION.decode, item) if item else None


def permitted(table: Table, document: str, user: str, right: Right) -> Permissions:
    """A document's permissions, if they give the user this right; raises NotFoundError or NotPermittedError."""
    held = _permissions(table, document)
    if held is None:
        raise NotFoundError("document", document)
    held.demand(right, user)
    return held


def find(table: Table, user: str, document: str) -> Document:
    """A whole document, for a user who may read it; raises NotFoundError."""
    found = dict(each(table, _kind, table.query(items.whole(document)).items))
    if not {"DOCUMENT_PERMISSIONS", "DOCUMENT_METADATA"} <= found.keys():
        raise NotFoundError("document", document)
    permissions = decoded(PERMISSIONS.decode, found["DOCUMENT_PERMISSIONS"])
    permissions.demand(Right.READ, user)
    return Document(
        _numbers(table, document, found.get("DOCUMENT", {})),
        decoded(METADATA.decode, found["DOCUMENT_METADATA"]),
        permissions,
        _information_names(document, found.get("DOCUMENT_INFORMATION_NAMES")).names,
        _revision(NEWEST, found.get("DOCUMENT_NEWEST")),
    )


def _numbers(table: Table, document: str, item: Item) -> dict[str, Cell]:
    found = decoded(cells, item)
    return {**readers.further_cells(table, DOCUMENT(document), item), **found}


def find_revision(table: Table, document: str, version: int) -> Revision | None:
    """One revision, or None. The caller must be permitted to read."""
    return _revision(REVISION, table.get(REVISION.key(document, version)))


def _permissions(table: Table, document: str) -> Permissions | None:
    item = table.get(PERMISSIONS.key(document))
    return decoded(PERMISSIONS.decode, item) if item else None


def _known(table: Table, document: str) -> InformationNames:
    return _information_names(document, table.get(NAMES.key(document)))


def _information_names(document: str, item: Item | None) -> InformationNames:
    return decoded(NAMES.decode, item) if item else InformationNames(document)


def _revision(of: ItemType[Revision], item: Item | None) -> Revision | None:
    return decoded(of.decode, item) if item else None


def _kind(item: Item) -> tuple[str, Item]:
    if (kind := string(item["Type"])) not in _KINDS:
        raise ValueError(f"nothing of a document is called {kind}")
    return kind, item


def _still(held: Permissions) -> Check:
    return Check(PERMISSIONS.key(held.document), Condition.at_version(held.version))


def _by_permissions_that_hold(document: str, attempt: Callable[[], T]) -> T:
    """Decide and write with the same permissions; if they change in between, decide again."""
    for _ in range(ATTEMPTS):
        try:
            return attempt()
        except (RefusedError, TransactionRefusedError):
            continue
    raise ConcurrentChangeError("document", document)
