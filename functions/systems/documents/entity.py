"""Documents: metadata, permissions, and a text with revisions."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum

from edgewise import Fed, InvalidInputError, Millis, NotFoundError, Observation
from functions.errors import NotPermittedError
from functions.revisions.versions import counted_by

REVISIONS, BY_AUTHOR = "Revisions", "Author"
# One read of a document returns the names of all its information.
MAX_INFORMATION = 50


class Right(IntEnum):
    """What a user may do with a document; each right includes the rights before it."""

    NONE = 0
    READ = 1
    WRITE = 2
    OWN = 3


_NEEDING = {Right.WRITE: "change this document", Right.OWN: "change who may read and write this document"}


@dataclass(frozen=True, slots=True)
class Permissions:
    """Who may read and write a document: the owner's `sub`, and for each name that the owner gave, whose it was then.

    A name that nobody had has a `sub` that nobody has. The owner may do everything and stays the owner; `owner_name` is
    what the owner was called at first, for people to read.
    """

    document: str
    owner: str
    readers: Mapping[str, str] = field(default_factory=dict)
    writers: Mapping[str, str] = field(default_factory=dict)
    version: int = 1
    owner_name: str = ""

    def right_of(self, user: str) -> Right:
        """The highest right that a user, a `sub`, has."""
        if user == self.owner:
            return Right.OWN
        if user in self.writers.values():
            return Right.WRITE
        return Right.READ if user in self.readers.values() else Right.NONE

    @property
    def users(self) -> frozenset[str]:
        """Everybody who may read the document, each by the `sub`."""
        return frozenset({*self.readers.values(), *self.writers.values(), self.owner})

    def demand(self, right: Right, user: str) -> None:
        """Raises NotPermittedError unless the user has the right.

        For a user who may not even read, raises NotFoundError, as for a document that does not exist.
        """
        held = self.right_of(user)
        if held is Right.NONE:
            raise NotFoundError("document", self.document)
        if held < right:
            raise NotPermittedError(_NEEDING[right])

    @property
    def names(self) -> frozenset[str]:
        """The names under which the owner gave a right."""
        return frozenset({*self.readers, *self.writers})

    def differing(self, other: "Permissions") -> int:
        """How many names stand for another right, or somebody else, than in the other permissions: for each an edge.

        By names, not by users: nobody learns whether two of them are one user's.
        """
        return len({name for name, _ in self._given() ^ other._given()})

    def _given(self) -> set[tuple[str, tuple[str, Right]]]:
        given = {name: (sub, Right.READ) for name, sub in self.readers.items()}
        return set((given | {name: (sub, Right.WRITE) for name, sub in self.writers.items()}).items())

    def changed(self, readers: Mapping[str, str], writers: Mapping[str, str]) -> "Permissions":
        """The next version, with other readers and writers: of each the name, and the `sub`."""
        return replace(self, readers=readers, writers=writers, version=self.version + 1)

    def towards(self, wanted: "Permissions", most: int) -> "Permissions":
        """The next version, with all that is wanted; of the names that are not, so many are gone, the others stay."""
        staying = set(sorted(self.names - wanted.names)[most:])
        readers, writers = (
            {name: sub for name, sub in each.items() if name in staying} for each in (self.readers, self.writers)
        )
        return self.changed({**readers, **wanted.readers}, {**writers, **wanted.writers})


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a document is about."""

    document: str
    title: str
    description: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Information:
    """Information that users store with a document, under a name of their choice. `data` is a JSON object as text."""

    document: str
    name: str
    data: str


@dataclass(frozen=True, slots=True)
class InformationNames:
    """The names of a document's information. `version` grows with every change; 0: there never was any."""

    document: str
    names: frozenset[str] = frozenset()
    version: int = 0

    def adding(self, name: str) -> "InformationNames":
        """The next version, with one more name; raises InvalidInputError if there are too many names."""
        if len(self.names) >= MAX_INFORMATION:
            raise InvalidInputError.of("name", f"a document has information of at most {MAX_INFORMATION} names")
        return InformationNames(self.document, self.names | {name}, self.version + 1)

    def without(self, name: str) -> "InformationNames":
        """The next version, with one name removed."""
        return InformationNames(self.document, self.names - {name}, self.version + 1)


@dataclass(frozen=True, slots=True)
class Revision:
    """One revision of a document's text; `version` numbers them from 1; 0: not stored yet."""

    document: str
    version: int
    at: Millis
    author: str
    content: str
    note: str = ""

    def says(self, other: "Revision") -> bool:
        """Whether both revisions have the same content; version and instant are assigned by the server."""
        return replace(self, version=other.version, at=other.at) == other


def of_may_read(permissions: Permissions) -> Fed:
    """Permissions feed the edge from each user who may read the document, with the user's right."""
    for user in permissions.users:
        yield (user, permissions.document), {permissions.right_of(user).name: Observation()}


def of_document(revision: Revision) -> Fed:
    """A revision feeds its document."""
    yield (revision.document,), {REVISIONS: Observation(), counted_by(BY_AUTHOR, revision.author): Observation()}
