"""Revisions and permissions that are stored, changed by hand, removed."""

from collections import Counter
from random import Random
from typing import Any, NamedTuple

from edgewise.dynamodb.attributes import Item
from functions.systems.documents import items as documents_items
from functions.systems.documents.entity import Permissions, Revision
from tests.delivery.stories.story import EMPTIED, Source, Story, counts, once

NOON = 1535544000000


class Fact(NamedTuple):
    document: str
    author: str


class Shared(NamedTuple):
    document: str
    owner: str
    readers: frozenset[str]
    writers: frozenset[str]


def source(random: Random) -> Source:
    if random.random() < 0.4:
        return permissions(random)
    document, version, author = random.choice("de"), random.randint(1, 4), random.choice("abc")
    revision = Revision(document, version, NOON, author, random.choice(("", "draft")))
    return Source(documents_items.REVISION.encode(revision), Fact(document, author))


def permissions(random: Random) -> Source:
    document, owner = random.choice("de"), random.choice("abc")
    readers, writers = (frozenset(name for name in "abc" if random.random() < 0.4) for _ in range(2))
    item = documents_items.PERMISSIONS.encode(Permissions(document, owner, named(readers), named(writers)))
    return Source(item, Shared(document, owner, readers, writers))


def named(users: frozenset[str]) -> dict[str, str]:
    """Each by a name."""
    return {f"the name of {user}": user for user in users}


def rights(shared: Shared) -> dict[Any, Any]:
    """Each user's edge has the greatest right alone."""
    given = dict.fromkeys(shared.readers, "READ") | dict.fromkeys(shared.writers, "WRITE") | {shared.owner: "OWN"}
    return {((f"READER#{user}", shared.document), right): 1 for user, right in given.items()}


def recount(facts: list[Fact | Shared]) -> dict[Any, Any]:
    written = [fact for fact in facts if isinstance(fact, Fact)]
    numbers: dict[Any, Any] = Counter((fact.document, "Revisions") for fact in written)
    numbers |= Counter((fact.document, f"Author.{fact.author}") for fact in written)
    return numbers | {key: one for fact in facts if isinstance(fact, Shared) for key, one in rights(fact).items()}


def actual(items: list[Item]) -> dict[Any, Any]:
    edges = [item for item in items if item["Type"]["S"] == "MAY_READ"]
    readers = once(
        (((item["PK"]["S"], item["SK"]["S"].split("#")[3]), name), int(cell["N"]))
        for item in edges
        for name, cell in item.get("Cells", {"M": {}})["M"].items()
        if cell != EMPTIED
    )
    return counts(items, "DOCUMENT") | readers


STORY = Story("documents", source, recount, actual)
