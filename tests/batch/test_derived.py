"""What is derived: index entries, rankings, rosters. Whatever is planted in a table is found, and nothing else."""

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest

from batch.comparing import WRONG
from batch.derived import Astray
from batch.folders import Folder
from batch.reconcile import Check, Declared, reconciled
from docs.the_table import sections
from edgewise.dynamodb.attributes import Item, key_of, s
from edgewise.dynamodb.schema import INDEXES
from edgewise.freshness import shards, watermarks
from functions.catalog import CATALOG, DERIVATIONS
from tests.batch.exporting import exported
from tests.batch.histories import checked, happen, snapshot, world


def wrong(found: Check) -> Sequence[Astray]:
    """But for copies: the histories have some without originals, and originals without copies (test_copies.py)."""
    of_it = ((each, each.repair["wrong"] if each.repair else "copy") for each in found.astray)
    return [each for each, what in of_it if each.why == WRONG and what != "copy"]


@pytest.mark.histories(12)
def test_nothing_derived_is_wrong_at_any_instant(seed: int, tmp_path: Path) -> None:
    """Whatever is in the stream, in quarantine or on its way into a ranking at that instant."""
    random = Random(seed)
    with world(random) as each:
        happen(random, each, random.randint(5, 60))
        before = snapshot(each)
        happen(random, each, random.randint(0, 5))
        at = snapshot(each)
        happen(random, each, random.randint(0, 5))
        each.drain()
        found = checked(each, tmp_path, at, before, snapshot(each))
    assert wrong(found) == []


@pytest.fixture(scope="module")
def items() -> list[Item]:
    """The items of all systems after some history, at rest; tests find no clock or release of that history."""
    random = Random(7)
    with world(random) as each:
        happen(random, each, 80)
        each.settle()
        return each.table.all_items()


def check(items: Sequence[Item], folder: Path) -> Check:
    return reconciled(Declared(), exported(Folder(folder), items), None, lambda _: None)


def planted(items: Sequence[Item], item: Item) -> list[Item]:
    return [item if key_of(item) == key_of(each) else each for each in items]


def spoilt(random: Random, item: Item) -> Item:
    """The item under another key in one of its indexes, in none, or in one more."""
    index = random.choice(INDEXES)
    pk, sk = index.partition_key, index.sort_key
    if pk not in item:
        number = {"N": "7"} if index.sort_type == "N" else {"S": "7"}
        return item | {pk: {"S": "LEADERBOARD#chess"}, sk: number}
    kept = {name: value for name, value in item.items() if name not in (pk, sk)}
    other = {"N": str(Decimal(item[sk]["N"]) + 5000)} if "N" in item[sk] else {"S": item[sk]["S"] + "0"}
    return random.choice((kept, item | {sk: other}, item | {pk: {"S": item[pk]["S"] + "x"}}))


@pytest.mark.histories(8)
def test_spoilt_index_keys_are_found_in_items_of_each_type(items: list[Item], seed: int, tmp_path: Path) -> None:
    """One item of each type at a time: what one of them says does not depend on others."""
    random = Random(seed)
    by_type = {item["Type"]["S"]: item for item in random.sample(items, len(items))}
    # Rankings and carriers are in no index.
    spoilt_ones = [spoilt(random, item) for of_type, item in by_type.items() if of_type not in ("RANKING", "CARRIER")]
    found = items
    for each in spoilt_ones:
        found = planted(found, each)
    assert {each.key for each in wrong(check(found, tmp_path))} == {key_of(each) for each in spoilt_ones}


def test_the_leaderboard_says_what_the_player_is_told(items: list[Item], tmp_path: Path) -> None:
    """What is expected is the best of the plays themselves."""
    played = next(item for item in items if item["Type"]["S"] == "PLAYED" and "GSI3SK" in item)
    plays = [item for item in items if item["Type"]["S"] == "PLAY" and item["PK"] == played["PK"]]
    game = played["SK"]["S"].split("#")[3]
    best = max(int(item["Score"]["N"]) for item in plays if item["SK"]["S"].split("#")[1] == game)
    (each,) = wrong(check(planted(items, played | {"GSI3SK": {"N": str(best + 5000)}}), tmp_path))
    assert (each.key, each.expected, each.stored) == (
        key_of(played),
        {"GSI3SK": str(best)},
        {"GSI3SK": str(best + 5000)},
    )


def rankings(items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item["Type"]["S"] == "RANKING" and "Names" in item]


@pytest.mark.histories(6)
def test_a_missing_name_in_a_ranking_and_one_too_many_are_found(items: list[Item], seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    item = random.choice(rankings(items))
    names = set(item["Names"]["SS"])
    gone, nobody = random.choice(sorted(names)), "person#nobody"
    other = item | {"Names": {"SS": sorted(names - {gone} | {nobody})}}
    (each,) = wrong(check(planted(items, other), tmp_path))
    assert (each.key, each.expected) == (key_of(item), {gone: "named", nobody: ""})


def test_a_ranking_that_is_lost_is_found_with_all_its_members(items: list[Item], tmp_path: Path) -> None:
    lost = rankings(items)[0]
    (each,) = wrong(check([item for item in items if item is not lost], tmp_path))
    assert (each.key, sorted(each.expected)) == (key_of(lost), sorted(lost["Names"]["SS"]))


def test_an_aggregate_that_no_roster_names_any_more_is_found(items: list[Item], tmp_path: Path) -> None:
    parts = [item for item in items if "Members" in item]
    names = {entry.split(" ")[0] for item in parts for entry in item["Members"]["SS"]}
    lost = [item for item in items if item["Type"]["S"] == "DEGREE" and {"Cells", "Enrolled"} & item.keys()]
    found = wrong(check([item for item in items if item not in parts], tmp_path))
    assert names
    assert {each.key for each in found} == {key_of(item) for item in lost}


@pytest.mark.histories(4)
def test_a_roster_that_names_a_member_too_low_is_found(items: list[Item], seed: int, tmp_path: Path) -> None:
    """Its number may have been of a greater order of magnitude: the aggregate says so, and relies on it."""
    relying = [item for item in items if "Enrolled" in item and "Cells" in item]
    item = Random(seed).choice(relying)
    higher = " ".join(f"2{int(each[1:] or 500) + 9}" for each in item["Enrolled"]["S"].split(" "))
    (each,) = wrong(check(planted(items, item | {"Enrolled": {"S": higher}}), tmp_path))
    assert (each.key, each.expected) == (key_of(item), {"Enrolled": higher})


def test_what_lies_in_a_shard_that_there_is_not_is_found(items: list[Item], tmp_path: Path) -> None:
    """The histories widen no list, so each has one shard; rooms have as many as they were opened with."""
    order = next(item for item in items if item["Type"]["S"] == "ORDER" and "GSI1PK" in item)
    message = next(item for item in items if item["Type"]["S"] == "MESSAGE")
    room = message["PK"]["S"].rpartition("-")[0]
    hidden = message | {"PK": {"S": f"{room}-77"}, "GSI1PK": {"S": f"{room}-77"}}
    elsewhere = order | {"GSI1PK": {"S": order["GSI1PK"]["S"].removesuffix("#1") + "#10"}}
    found = [each for each in check(planted([*items, hidden], elsewhere), tmp_path).astray if "Shard" in each.stored]
    assert {(each.key, each.stored["Shard"], bool(each.repair)) for each in found} == {
        (key_of(order), "10", True),
        (key_of(hidden), "77", False),
    }


def test_a_resident_at_a_wrong_place_is_found(items: list[Item], tmp_path: Path) -> None:
    resident = next(item for item in items if item["Type"]["S"] == "RESIDENT")
    spot = resident["GSI1SK"]["S"]
    (each,) = wrong(check(planted(items, resident | {"GSI1SK": {"S": f"X{spot}"}}), tmp_path))
    assert (each.key, each.expected) == (key_of(resident), {"GSI1SK": spot})


def test_what_tells_how_fresh_numbers_are_is_judged_and_is_in_no_index(tmp_path: Path) -> None:
    registered = shards.replacing(shards.Shards(1)).item
    marked = watermarks.replacing(watermarks.Watermark("1", 1, (watermarks.Reached(10, 10, 10, 10),))).item
    beat = shards.heartbeat_item(shards.Heartbeat("one", 10))
    found = check([beat, marked, registered], tmp_path / "right")
    assert (found.unjudged, wrong(found)) == ({}, [])
    (each,) = wrong(check([beat, marked, registered | {"GSI1PK": s("L"), "GSI1SK": s("1")}], tmp_path / "wrong"))
    assert (each.key, each.expected) == (key_of(registered), {"GSI1PK": "", "GSI1SK": ""})


def test_each_type_that_the_examples_store_is_declared(tmp_path: Path) -> None:
    """The examples of the documentation store items of every system."""
    items = list({key_of(item): item for _, _, stored in sections() for item in stored.items}.values())
    found = check(items, tmp_path)
    assert {item["Type"]["S"] for item in items} > CATALOG.kinds.keys() - {"ROLLUP_DAY"}
    assert found.unjudged.keys() <= DERIVATIONS.unjudged.keys()
