"""Audits that are stored, changed by hand, removed."""

from collections import Counter
from random import Random
from typing import Any, NamedTuple

from edgewise.dynamodb.attributes import Item
from functions.systems.audits import items as audits_items
from functions.systems.audits.entity import Audit
from tests.delivery.stories.story import Source, Story, counts

NOON = 1535544000000
LONG = "out of order since the day before yesterday, and nobody has looked at it"


class Fact(NamedTuple):
    equipment: str
    result: str


def source(random: Random) -> Source:
    equipment, part, version = random.choice("ab"), random.choice(("", "engine")), random.randint(1, 3)
    result = random.choice(("passed", "failed", LONG))
    item = audits_items.AUDIT.encode(Audit(equipment, part, version, NOON, "amy", result))
    return Source(item, Fact(equipment, result))


def recount(facts: list[Fact]) -> dict[Any, Any]:
    audits = Counter((fact.equipment, "Audits") for fact in facts)
    return audits + Counter((fact.equipment, f"Result.{fact.result[:47]}") for fact in facts)


def actual(items: list[Item]) -> dict[Any, Any]:
    return {(about, name.partition("…")[0]): count for (about, name), count in counts(items, "EQUIPMENT").items()}


STORY = Story("audits", source, recount, actual)
