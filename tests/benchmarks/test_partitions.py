"""The model of partitions does what DynamoDB's documentation says of them, and nothing is lost in its books."""

from random import Random

import pytest

from benchmarks.partitions import costs, fleets, hub, lists, load, room, traffic
from benchmarks.partitions.model import LIMITS, Bucket, Keyspace, Limits, Point, point
from delivery.sizes import item_size
from edgewise.dynamodb.schema import BY_TARGET, BY_VALUE
from edgewise.stream import windows
from functions.systems.chat import keys as chat_keys
from functions.systems.graph.entity import NodeId
from functions.systems.places.system import PLACE
from infra import cascade


def flow(rate: float, *touches: traffic.Touch) -> traffic.Flow:
    return traffic.Flow(rate, touches)


def test_a_unit_too_many_each_second_throttles_one_write_a_second_once_the_burst_is_used() -> None:
    bucket = Bucket(Limits(burst_seconds=1.2))
    # 1,200 units at first, and one less each second: 1,000 are there in the 201st.
    refused = [sum(not bucket.take(now, 1) for _ in range(1001)) for now in range(210)]
    assert refused == [0] * 200 + [1] * 10


def test_burst_is_what_was_not_used_and_no_more_than_so_many_seconds() -> None:
    bucket = Bucket(Limits(burst_seconds=2))
    assert bucket.take(0, 2000)
    assert not bucket.take(0, 1)
    assert bucket.left(1.5) == 1500
    assert bucket.left(100) == 2000


def test_a_new_table_has_four_partitions_and_one_that_has_grown_more() -> None:
    limits = Limits()
    assert [limits.partitions(units) for units in (0, 2000, 2001)] == [4, 4, 5]


def test_keys_are_spread_over_the_partitions() -> None:
    space = Keyspace(4)
    for number in range(4000):
        space.ask(point(f"key-{number}"), 1)
    assert all(900 < asked < 1100 for asked in space.demand())


def test_a_split_for_heat_halves() -> None:
    space = Keyspace(1)
    for number in range(1200):
        space.ask(point(f"key-{number}"), 1)
    assert space.split_for_heat(1) == 1
    for number in range(1200):
        space.ask(point(f"key-{number}"), 1)
    assert space.demand() == [600, 600]


def test_what_is_not_hot_is_not_split() -> None:
    space = Keyspace(1)
    for number in range(800):
        space.ask(point(f"key-{number}"), 1)
    assert space.split_for_heat(1) == 0


def test_one_key_is_split_by_its_sort_keys_but_one_that_grows_at_its_end_is_not() -> None:
    space = Keyspace(1)
    space.ask(Point(0.5, 0.1), 1000)
    space.ask(Point(0.5, 0.9), 1000)
    assert space.split_for_heat(1) == 1
    for sort in (0.1, 0.9):
        space.ask(Point(0.5, sort), 2000)
    assert space.demand() == [2000, 2000]
    assert space.split_for_heat(1) == 0


def test_a_throttled_index_throttles_the_writes_of_the_table() -> None:
    table, index = Keyspace(4), Keyspace(1)
    flows = [
        flow(500, traffic.Touch(table, point(f"key-{n}"), 1), traffic.Touch(index, point("one"), 1)) for n in range(4)
    ]
    traffic.second(0, flows, Random(1))
    assert sum(each.counts.served for each in flows) == 1000
    alone = [flow(500, traffic.Touch(Keyspace(4), point(f"key-{n}"), 1)) for n in range(4)]
    traffic.second(0, alone, Random(1))
    assert sum(each.counts.throttled for each in alone) == 0


def test_a_write_that_an_index_refuses_takes_nothing_from_the_table() -> None:
    table, index = Keyspace(1), Keyspace(1)
    traffic.second(0, [flow(900, traffic.Touch(table, point("a"), 1), traffic.Touch(index, point("a"), 2))], Random(1))
    assert table.bucket(point("a")).left(0) == 500


def test_every_write_is_served_given_up_or_waiting() -> None:
    space = Keyspace(2)
    flows = [flow(rate, traffic.Touch(space, point(f"key-{rate}"), 1)) for rate in (3, 40, 900, 1700)]
    traffic.run(flows, 0, 30, Random(7))
    for each in flows:
        assert each.counts.offered == each.counts.served + each.counts.given_up + each.backlog
    hot = flows[-1].counts
    assert hot.throttled > 0
    assert hot.given_up > 0
    assert hot.retries > hot.given_up


def test_shares_fall_with_the_rank_and_make_one() -> None:
    shares = load.zipf(4)
    assert shares == pytest.approx([12 / 25, 6 / 25, 4 / 25, 3 / 25])


@pytest.mark.parametrize("mean", [0.5, 8, 2000])
def test_arrivals_have_their_mean(mean: float) -> None:
    random = Random(3)
    assert sum(load.arrivals(mean, random) for _ in range(3000)) / 3000 == pytest.approx(mean, rel=0.06)


def test_costs_are_those_of_the_real_items() -> None:
    message = costs.message("seattle", 2)
    assert message["GSI1PK"] == message["PK"] == {"S": chat_keys.room_shard("seattle", 2)}
    assert (costs.units(message), costs.entry_units(message, BY_VALUE), costs.entry_units(message, BY_TARGET)) == (
        1,
        1,
        1,
    )
    mirror = costs.mirror(NodeId("a", "b"), "L", NodeId("c", "d"))
    assert (costs.units(mirror), costs.entry_units(mirror, BY_TARGET), costs.entry_units(mirror, BY_VALUE)) == (1, 0, 0)


def test_an_entry_is_as_large_as_what_the_index_projects() -> None:
    item = costs.message("seattle", 1) | {"Other": {"S": "x" * 5000}}
    assert costs.units(item) == 6
    assert costs.entry_units(item, BY_VALUE) == 1


def test_checkpoints_grow_with_the_shards_and_count_into_the_item() -> None:
    few, many = (costs.aggregate(PLACE(("US",)), ("Events",), shards) for shards in (4, 40))
    assert costs.checkpoints_size(many) == pytest.approx(10 * costs.checkpoints_size(few), rel=0.05)
    assert item_size(many) - costs.checkpoints_size(many) == item_size(few) - costs.checkpoints_size(few)


def test_the_cascade_is_the_one_deployed() -> None:
    assert hub.CASCADE_BATCH == cascade.BATCH


@pytest.mark.parametrize(("devices", "most"), [(500, 2.2), (50_000, 2.2), (1_000_000, 2.3)])
def test_a_fleet_takes_few_units_and_no_key_half_of_what_it_may(devices: int, most: float) -> None:
    found = fleets.simulate(devices)
    assert 2.1 < found.units < most
    assert max(found.key, found.reader) < LIMITS.write_units / 2


def test_groups_grow_with_what_carriers_bring() -> None:
    groups = [fleets.simulate(devices).groups for devices in (5_000, 50_000, 1_000_000)]
    assert groups == sorted(groups)
    assert (groups[0], groups[-1] > 16) == (1, True)


def test_shards_that_have_a_part_of_the_places_each_write_carriers_not_places() -> None:
    """So 500 shards cost a reading little more than four."""
    few, many = (fleets.simulate(5_000, shards) for shards in (4, 500))
    assert many.units - few.units == pytest.approx(500 / (5_000 / 60 * windows.SECONDS), abs=0.02)


@pytest.mark.parametrize("share", [1, 0.5, 0.01])
def test_a_hubs_node_is_read_for_each_put_and_for_each_batch_with_an_edge_of_it(share: float) -> None:
    random, batches = Random(1), 5000
    hot = [sum(random.random() < share for _ in range(hub.CASCADE_BATCH)) for _ in range(batches)]
    played = sum(hot) + sum(map(bool, hot))
    assert hub.reads(batches * hub.CASCADE_BATCH, share) == pytest.approx(played, rel=0.1)


def test_splits_part_a_room_from_its_neighbours() -> None:
    hot = room.simulate(10_000, 4)
    assert hot.before.throttled > 0
    assert hot.after.throttled == 0


def test_more_shards_never_throttle_more() -> None:
    shares = [room.simulate(10_000, shards).before for shards in (1, 4, 16)]
    throttled = [counts.throttled / counts.offered for counts in shares]
    assert throttled == sorted(throttled, reverse=True)
    assert throttled[0] > 0.4


def test_a_split_helps_a_skill_but_not_what_grows_with_time() -> None:
    for kind, share in ((lists.ONE_SKILL, 0.0), (lists.OPEN_ORDERS, 0.5)):
        before, after = lists.fixed(kind, 2_000, 1)
        assert before.throttled / before.offered == pytest.approx(0.5, abs=0.02)
        assert after.throttled / after.offered == pytest.approx(share, abs=0.02)


@pytest.mark.parametrize("kind", lists.KINDS, ids=lambda kind: kind.name)
def test_a_list_widens_until_nothing_is_throttled(kind: lists.Kind) -> None:
    quiet, hot = lists.grown(kind, 500), lists.grown(kind, 5_000)
    assert (quiet.shards, quiet.counts.throttled) == (1, 0)
    assert 5 <= hot.shards <= 16
    assert hot.ended
    assert hot.counts.offered == pytest.approx(5_000 * 720, rel=0.01)


def test_entries_of_lists_cost_what_those_of_the_real_items_do() -> None:
    for kind in lists.KINDS:
        assert [costs.entry_units(kind.item(shard), BY_VALUE) for shard in (1, 16)] == [1, 1]
        assert kind.item(16)["GSI1PK"]["S"].endswith("#16")
