"""What systems declare of what people may take back."""

from dataclasses import replace

import pytest

from edgewise.aggregates.catalog import Catalog, DeclarationError
from edgewise.aggregates.feeds import Feed
from edgewise.derived import anew
from edgewise.dynamodb.attributes import Item, key_item
from edgewise.dynamodb.keys import Key
from functions.catalog import CATALOG, DERIVATIONS, SYSTEMS
from functions.owned import Owned, Withdrawal, tombstone
from functions.system import Rights, System
from functions.systems.chat.system import MESSAGE, MESSAGES, POSTED_IN, ROOM, USER
from tests.support.clocks import NOON
from tests.support.streams import PRESENT

OWNED: list[Owned[object]] = [each for system in SYSTEMS for each in system.owned]


def buried(of_type: str) -> Item:
    item = key_item(Key("A#b", "C#d")) | {"Type": {"S": of_type}, "Text": {"S": NOON}, "GSI1PK": {"S": "x"}}
    return tombstone(item, Withdrawal("amy", PRESENT))


@pytest.mark.parametrize("owned", OWNED, ids=lambda owned: owned.type)
def test_a_tombstone_feeds_nothing_and_belongs_in_no_index(owned: Owned[object]) -> None:
    """Whatever its key: nobody has to read it."""
    assert CATALOG.contributions_of(buried(owned.type)) == {}
    assert DERIVATIONS.right_entries(buried(owned.type)) == {}
    assert owned.standing(buried(owned.type)) is None


def test_a_group_that_there_is_not_may_take_nothing_back() -> None:
    unknown, by_codec = replace(MESSAGE, withdrawn_by=("moderate",)), anew(lambda item: item, lambda item: item)
    with pytest.raises(DeclarationError, match="MESSAGE is withdrawn by unknown groups: moderate"):
        System(name="x", rights=Rights(), owned=(unknown,), anew={"MESSAGE": by_codec})


def test_all_that_is_fed_by_a_type_knows_its_tombstones_or_nobody_does() -> None:
    feed = Feed(replace(MESSAGES, tombstone=""), lambda _: iter(()))
    ignorant = replace(ROOM, name="OTHER", key=USER.key, feeds=(feed,))
    with pytest.raises(DeclarationError, match="items of type MESSAGE are taken back in two ways"):
        Catalog((POSTED_IN, ignorant))
