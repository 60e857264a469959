"""Systems share one table: no two of them may write items under keys, or entries under index keys, of one form."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from edgewise.dynamodb.attributes import Item, string
from edgewise.dynamodb.keys import split
from edgewise.dynamodb.schema import INDEXES, PARTITION_KEY, SORT_KEY
from edgewise.stream import register
from functions.catalog import SYSTEMS
from tests.support import examples

FOLDER = Path(register.__file__).parents[1] / "systems"
# Entries of the index by value that say where an entity is: a device where it reports from, any other where it lives.
SHARED = {("GSI1PK", "AT")}


def owners() -> dict[str, str]:
    """The system of each type of item: that which declares its kind, or whose code writes its name."""
    found = {kind.name: system.name for system in SYSTEMS for kind in system.kinds}
    for system in SYSTEMS:
        for module in (FOLDER / system.name).glob("*.py"):
            found |= dict.fromkeys(re.findall(r'"Type": s\("(\w+)"\)', module.read_text()), system.name)
    return found


def forms(item: Item) -> Iterator[tuple[str, ...]]:
    """What tells an item's keys from those of other systems: the first components of each pair."""
    yield PARTITION_KEY, split(string(item[PARTITION_KEY]))[0], split(string(item[SORT_KEY]))[0]
    for index in INDEXES:
        if index.partition_key in item:
            yield index.partition_key, split(string(item[index.partition_key]))[0]


def test_no_two_systems_have_keys_of_one_form() -> None:
    system_of, used = owners(), defaultdict(set)
    for item in examples.stored():
        for form in forms(item):
            used[form].add(system_of.get(string(item["Type"]), "all"))
    assert {name for names in used.values() for name in names} >= {each.name for each in SYSTEMS if each.kinds}
    assert {form: names for form, names in used.items() if len(names) > 1 and form[:2] not in SHARED} == {}
