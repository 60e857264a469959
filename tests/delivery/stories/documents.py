"""Revisions that are stored, changed by hand, removed."""

from collections import Counter
from random import Random
from typing import Any, NamedTuple

from functions.dynamodb.attributes import Item
from functions.systems.documents import codec as documents_codec
from functions.systems.documents.entity import Revision
from tests.delivery.stories.story import Source, Story, counts

NOON = 1535544000000


class Fact(NamedTuple):
    document: str
    author: str


def source(random: Random) -> Source:
    document, version, author = random.choice("de"), random.randint(1, 4), random.choice("abc")
    revision = Revision(document, version, NOON, author, random.choice(("", "draft")))
    return Source(documents_codec.revision_item(revision), Fact(document, author))


def recount(facts: list[Fact]) -> dict[Any, Any]:
    revisions = Counter((fact.document, "Revisions") for fact in facts)
    return revisions + Counter((fact.document, f"Author.{fact.author}") for fact in facts)


def actual(items: list[Item]) -> dict[Any, Any]:
    return counts(items, "DOCUMENT")


STORY = Story("documents", source, recount, actual)
