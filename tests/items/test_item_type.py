"""Items from their declaration: all that is stored comes back, and what a codec can't be made for is refused."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Partitions
from edgewise.dynamodb.queries import BeginsWith, Between, Query
from edgewise.dynamodb.schema import BY_NUMBER, BY_TARGET, BY_VALUE
from edgewise.dynamodb.templates import Template
from edgewise.items.entries import Entry
from edgewise.items.item_type import ItemType
from edgewise.sharding.lists import ShardedList
from edgewise.times import Millis, rfc_3339
from tests.support.items import NOON, instants, names, numbers

State = Literal["new", "old"]
LIST = ShardedList(Partitions("THINGS"), ())


@dataclass(frozen=True, slots=True)
class Thing:
    """One field of each type that can be stored."""

    owner: str
    version: int
    at: Millis
    state: State
    amount: Decimal
    note: str = ""
    until: Millis | None = None
    readers: frozenset[str] = frozenset()
    labels: Mapping[str, str] = field(default_factory=dict)
    level: int | None = None

    @property
    def owners_note(self) -> str:
        """What no field is."""
        return f"{self.owner}: {self.note}"

    def is_old(self) -> bool:
        """Whether it is listed."""
        return self.state == "old"


BY_OWNER = Entry(BY_TARGET, "OWNER#{owners_note}", "AT#{at}#{version}")
OLD = Entry(BY_NUMBER, "OLD#{owner}", "{at}", Thing.is_old)
LISTED = Entry(BY_VALUE, LIST, "{at}")
THING = ItemType(
    Thing, "THING", partition="OWNER#{owner}", sort="x_{at}#v{version:09}", entries=(BY_OWNER, OLD, LISTED)
)
WHOLE = ItemType(Thing, "WHOLE", partition="OWNER#{owner}", sort="THING", data="Data")
THINGS = st.builds(
    Thing,
    names,
    st.integers(1, 10**9 - 1),
    instants,
    st.sampled_from(("new", "old")),
    numbers,
    st.text(),
    st.none() | instants,
    st.frozensets(st.text()),
    st.dictionaries(st.text(min_size=1), st.text()),
    st.none() | st.integers(),
)


@given(THINGS)
def test_what_is_stored_comes_back(thing: Thing) -> None:
    assert THING.decode(THING.encode(thing)) == thing
    assert WHOLE.decode(WHOLE.encode(thing)) == thing


def test_an_item_reads_as_it_is_declared() -> None:
    thing = Thing("amy #1", 7, NOON, "old", Decimal("1.50"))
    told = {"State": {"S": "old"}, "Amount": {"N": "1.5"}, "Readers": {"L": []}, "Labels": {"M": {}}}
    assert THING.encode(thing, 3) == told | {
        "Version": {"N": "7"},
        "PK": {"S": "OWNER#amy$20$231"},
        "SK": {"S": "x_2018-08-29T12:00:00.000Z#v000000007"},
        "Type": {"S": "THING"},
        "GSI1PK": {"S": "THINGS#3"},
        "GSI1SK": {"S": "2018-08-29T12:00:00.000Z"},
        "GSI2PK": {"S": "OWNER#amy$20$231:$20"},
        "GSI2SK": {"S": "AT#2018-08-29T12:00:00.000Z#7"},
        "GSI3PK": {"S": "OLD#amy$20$231"},
        "GSI3SK": {"N": "1535544000000"},
    }
    assert WHOLE.encode(thing) == {
        "PK": {"S": "OWNER#amy$20$231"},
        "SK": {"S": "THING"},
        "Type": {"S": "WHOLE"},
        "Data": {"M": told | {"Version": {"N": "7"}, "At": {"S": "2018-08-29T12:00:00.000Z"}}},
    }


def test_an_entry_is_left_out_where_it_is_declared_so() -> None:
    assert "GSI3PK" not in THING.encode(Thing("a", 1, NOON, "new", Decimal(1)))


@pytest.mark.parametrize(
    "change",
    [
        {"PK": {"S": "OTHER#a"}},
        {"PK": {"S": "OWNER#a#b"}},
        {"SK": {"S": "y_2018-08-29T12:00:00.000Z#v000000001"}},
        {"SK": {"S": "x_2018-08-29T12:00:00.000Z#000000001"}},
        {"SK": {"S": "x_yesterday#v000000001"}},
        {"SK": {"S": "x_9999-12-31T23:59:59-23:59#v000000001"}},
        {"SK": {"S": "x_2018-08-29T12:00:00.000Z#v000000002"}},
        {"SK": {"S": "x_2018-08-29T12:00:00.000Z#v1"}},
        {"Amount": {"BOOL": True}},
        {"Amount": {"S": "1e309"}},
        {"State": {"N": "1"}},
    ],
)
def test_another_item_is_refused(change: dict[str, Any]) -> None:
    item = THING.encode(Thing("a", 1, NOON, "new", Decimal(1)))
    with pytest.raises((ValueError, KeyError, TypeError)):
        THING.decode(item | change)


def test_what_is_missing_is_refused() -> None:
    item = THING.encode(Thing("a", 1, NOON, "new", Decimal(1)))
    del item["Amount"]
    with pytest.raises(KeyError):
        THING.decode(item)


@dataclass(frozen=True, kw_only=True)
class Later:
    """What an earlier release stored, and what this one added."""

    name: str
    readers: frozenset[str] = frozenset()
    note: str = "none"
    level: int = 3


def test_an_item_that_lacks_a_field_has_its_default() -> None:
    later = ItemType(Later, "LATER", partition="LATER#{name}", sort="LATER#{name}")
    earlier: Item = {"PK": {"S": "LATER#a"}, "SK": {"S": "LATER#a"}, "Type": {"S": "LATER"}}
    assert later.decode(earlier) == Later(name="a")
    assert later.encode(Later(name="a")) == earlier | {
        "Readers": {"L": []},
        "Note": {"S": "none"},
        "Level": {"N": "3"},
    }
    with pytest.raises(ValueError, match="not a key of this type"):
        later.decode(earlier | {"SK": {"S": "LATER#b"}})


@dataclass(frozen=True)
class Odd:
    """Fields that no codec can be made for."""

    name: str
    share: Decimal
    at: Millis | None = NOON
    parts: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Alike:
    """Fields whose attributes can't be told apart."""

    name: str
    is_open: str
    is__open: str


@dataclass(frozen=True)
class Expiring:
    """A field whose attribute would delete the item."""

    name: str
    expires_at: Millis


@pytest.mark.parametrize(
    ("entity", "partition", "sort", "match"),
    [
        (Odd, "ODD#{name}", "ODD", r"Odd\.at must be None"),
        (Odd, "ODD#{name}#{at}", "ODD", r"Odd\.parts"),
        (Odd, "ODD#{name}#{at}#{parts}", "ODD", r"Odd\.parts"),
        (Odd, "ODD#{name}#{at}", "ODD#{share}", r"Odd\.share"),
        (Odd, "ODD#{name}", "ODD#{name:09}", r"Odd\.name"),
        (Odd, "ODD#{name}", "{at}", "begins with text"),
        (Odd, "{name}", "ODD", "not a template of partitions"),
        (Odd, "ODD", "ODD#{name}", "not a template of partitions"),
        (Odd, "ODD#{name:09}", "ODD", "not a template of partitions"),
        (Alike, "ALIKE#{name}", "ALIKE", "one attribute"),
        (Expiring, "EXPIRING#{name}", "EXPIRING", "ExpiresAt"),
    ],
)
def test_what_cannot_be_stored_is_refused_when_it_is_declared(
    entity: type[Any], partition: str, sort: str, match: str
) -> None:
    with pytest.raises(TypeError, match=match):
        ItemType(entity, "ODD", partition=partition, sort=sort)


def test_entries_that_cannot_be_are_refused() -> None:
    for partition in ("OWNER", "{owner}#x", ShardedList(Partitions("THINGS"), ("one",))):
        with pytest.raises(TypeError):
            Entry(BY_VALUE, partition, "{at}")
    for sort in ("{owner}", "{at}#{version}", "x_{at}", "x"):
        with pytest.raises(TypeError, match="sorts by a number"):
            ItemType(Thing, "T", partition="T#{owner}", sort="T", entries=(Entry(BY_NUMBER, "T#{owner}", sort),))


@pytest.mark.parametrize("text", ["A#{}", "A#{a}{b}", "A#{a", "A#a}", "A#{a:x}", "A#{a:9}"])
def test_what_is_no_template_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a component"):
        Template.of(text)


def test_a_key_needs_each_of_its_names() -> None:
    with pytest.raises(TypeError, match="of_owner"):
        WHOLE.key()
    with pytest.raises(TypeError):
        THING.key("a", NOON, "1")
    with pytest.raises(ValueError, match="0 values for owner"):
        WHOLE.partition.filled()


@given(THINGS)
def test_a_key_and_what_it_names(thing: Thing) -> None:
    key = THING.key(thing.owner, thing.at, thing.version)
    assert key == THING.key_of(thing)
    assert THING.names(key) == (thing.owner, rfc_3339(thing.at), f"{thing.version:09}")


def test_summaries_stand_in_the_same_partitions_and_their_keys_are_compiled_once() -> None:
    key = THING.key("a", NOON, 1)
    assert THING.summary("a") == (key.pk, "EDGE#")
    assert THING.summary is THING.summary


@given(at=instants, start=st.none() | instants, end=st.none() | instants, version=st.integers(1, 99))
def test_a_range_has_what_is_from_its_start_on_and_before_its_end(
    at: Millis, start: Millis | None, end: Millis | None, version: int
) -> None:
    item = THING.encode(Thing("a", version, at, "old", Decimal(1)))
    within = (start is None or start <= at) and (end is None or at < end)
    for entry, query in (
        (BY_OWNER, BY_OWNER.query("a: ", start=start, end=end)),
        (OLD, OLD.query("a", start=start, end=end)),
        (LISTED, LISTED.in_shards(["THINGS#1"], start, end)[0]),
    ):
        assert item[entry.index.partition_key] == {"S": query.partition}
        assert _finds(query, next(iter(item[entry.index.sort_key].items()))) == within


def _finds(query: Query, found: tuple[str, str]) -> bool:
    if query.condition is None:
        return True
    of_type, text = found
    if isinstance(query.condition, BeginsWith):
        return text.startswith(query.condition.prefix)
    assert isinstance(query.condition, Between)
    low, high = query.condition.low, query.condition.high
    return low <= (int(text) if of_type == "N" else text) <= high  # type: ignore[operator]
