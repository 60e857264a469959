"""Keys: reversible, injective, in the order of their components, with prefixes that end at a border."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.domain.aggregates import AggregateId
from functions.domain.times import EARLIEST, LATEST
from functions.store import keys, patterns
from functions.store.attributes import key_item
from functions.store.keys import Key
from functions.store.queries import Query
from tests.support.memory import MemoryTable

NOON = 1535544000000  # 2018-08-29T12:00:00.000Z

# Mostly the characters that delimit, escape or come next to them.
texts = st.text(st.sampled_from('#$%/-: \t\x00!"&aAzé\U0001f6002039'), max_size=6) | st.text(max_size=6)
components = st.lists(texts, min_size=1, max_size=4).map(tuple)
names = texts.filter(bool)
places = st.lists(names, min_size=1, max_size=8).map(tuple)
instants = st.integers(EARLIEST, LATEST)


def stored_order(components: tuple[str, ...]) -> tuple[bytes, ...]:
    """What DynamoDB compares: UTF-8."""
    return tuple(component.encode() for component in components)


class TestJoin:
    @given(one=components)
    def test_a_key_is_taken_apart_into_what_it_was_made_of(self, one: tuple[str, ...]) -> None:
        assert keys.grammar.split(keys.grammar.join(*one)) == one

    @given(one=components, other=components)
    def test_different_components_give_different_keys(self, one: tuple[str, ...], other: tuple[str, ...]) -> None:
        assert (keys.grammar.join(*one) == keys.grammar.join(*other)) == (one == other)

    @given(one=components, other=components)
    def test_keys_sort_as_their_components_do(self, one: tuple[str, ...], other: tuple[str, ...]) -> None:
        assert (keys.grammar.join(*one).encode() < keys.grammar.join(*other).encode()) == (
            stored_order(one) < stored_order(other)
        )

    @given(one=components, other=components)
    def test_a_prefix_finds_what_goes_on_after_it_and_nothing_else(
        self, one: tuple[str, ...], other: tuple[str, ...]
    ) -> None:
        goes_on = len(other) > len(one) and other[: len(one)] == one
        assert keys.grammar.join(*other).startswith(keys.grammar.prefix(*one)) == goes_on

    @given(one=texts)
    def test_no_component_holds_a_delimiter_and_none_gets_shorter(self, one: str) -> None:
        assert "#" not in keys.grammar.escape(one)
        assert len(keys.grammar.escape(one)) >= len(one)

    @pytest.mark.parametrize(
        ("component", "escaped"),
        [
            ("", ""),
            ("TX", "TX"),
            ("New York", "New$20York"),
            ("a#b", "a$23b"),
            ("$23", "$2423"),
            ("50%", "50%"),
            ("a/b-c:d", "a/b-c:d"),
            ("\x00\n", "$00$0a"),
            ("Zürich", "Zürich"),
        ],
    )
    def test_only_characters_up_to_the_escape_are_escaped(self, component: str, escaped: str) -> None:
        assert keys.grammar.escape(component) == escaped
        assert keys.grammar.unescape(escaped) == component

    def test_the_prefix_of_a_state_finds_no_other_state(self) -> None:
        assert keys.grammar.prefix("US", "TX") == "US#TX#"
        assert keys.grammar.join("US", "TX", "Houston").startswith(keys.grammar.prefix("US", "TX"))
        assert not keys.grammar.join("US", "TXX", "Houston").startswith(keys.grammar.prefix("US", "TX"))
        assert not keys.grammar.join("US", "TX#Houston").startswith(keys.grammar.prefix("US", "TX"))


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (keys.telemetry.event("123", NOON, "e1"), ("DEVICE#123", "EVENT#2018-08-29T12:00:00.000Z#e1")),
        (
            keys.chat.message("seattle", 1, "amsg", NOON, "id"),
            ("CHAT#seattle-1", "amsg#2018-08-29:12:00:00.000#id"),
        ),
        (keys.chat.room_metadata("seattle"), ("ROOM#seattle", "META")),
        (keys.chat.message_guard("seattle", "amsg", "id"), ("MESSAGE-ID#seattle#amsg#id", "GUARD")),
        (keys.chat.posted_in("amsg", "seattle"), ("USER#amsg", "EDGE#POSTED_IN#ROOM#seattle")),
        (
            keys.telemetry.reported_from("123", ("US", "New York", "JFK")),
            ("DEVICE#123", "EDGE#REPORTED_FROM#PLACE#US#New$20York#JFK"),
        ),
        (keys.places.hosts(("US", "New York"), "123"), ("PLACE#US#New$20York", "EDGE#HOSTS#DEVICE#123")),
        (keys.places.contains(("US",), "New York"), ("PLACE#US", "EDGE#CONTAINS#PLACE#New$20York")),
        (keys.telemetry.rollup("123", "HOUR", NOON), ("DEVICE#123", "ROLLUP#HOUR#2018-08-29T12:00:00.000Z")),
        (keys.places.resident("EQUIPMENT", "Equipment_1"), ("EQUIPMENT#Equipment_1", "AT")),
        (keys.billing.invoice("Invoice-92551"), ("INVOICE#Invoice-92551", "INVOICE#Invoice-92551")),
        (keys.billing.bill("Bill-4224663"), ("BILL#Bill-4224663", "BILL#Bill-4224663")),
        (keys.billing.billed("Invoice-92551", "Bill-4224663"), ("INVOICE#Invoice-92551", "BILL#Bill-4224663")),
        (keys.audits.newest("Equipment_1", ""), ("EQUIPMENT#Equipment_1", "v0_Audit#")),
        (keys.audits.newest("Equipment_1", "left wing"), ("EQUIPMENT#Equipment_1", "v0_Audit#left$20wing")),
        (keys.audits.audit("Equipment_1", "", 12), ("EQUIPMENT#Equipment_1", "Audit##v000000012")),
        (keys.audits.audit("Equipment_1", "wing", 1), ("EQUIPMENT#Equipment_1", "Audit#wing#v000000001")),
        (keys.documents.metadata("d 1"), ("DOCUMENT#d$201", "metadata")),
        (keys.documents.permissions("d"), ("DOCUMENT#d", "permissions")),
        (keys.documents.newest("d"), ("DOCUMENT#d", "v_0")),
        (keys.documents.revision("d", 12), ("DOCUMENT#d", "v_000000012")),
        (keys.orders.order("Padma", "o 1"), ("CUSTOMER#Padma", "ORDER#o$201")),
        (keys.games.play("Rick", "chess", NOON), ("PLAYER#Rick", "GAME#chess#2018-08-29T12:00:00.000Z")),
        (keys.games.played("Rick", "chess"), ("PLAYER#Rick", "EDGE#PLAYED#GAME#chess")),
        (keys.games.scores("chess", ""), ("GAME#chess", "SCORES#")),
        (keys.games.scores("chess", "8000"), ("GAME#chess", "SCORES#8000")),
        (keys.quarantine.quarantine("0001", "123", 2), ("QUARANTINE#0001", f"{'0' * 37}123#0002")),
    ],
)
def test_keys_read_as_they_are_documented(key: Key, expected: tuple[str, str]) -> None:
    assert key == expected


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        (("POSTED_IN", ("amy", "seattle")), ("USER#amy", "EDGE#POSTED_IN#ROOM#seattle")),
        (("REPORTED_FROM", ("123", ("US", "TX"))), ("DEVICE#123", "EDGE#REPORTED_FROM#PLACE#US#TX")),
        (("HOSTS", (("US", "TX"), "123")), ("PLACE#US#TX", "EDGE#HOSTS#DEVICE#123")),
        (("CONTAINS", (("US",), "TX")), ("PLACE#US", "EDGE#CONTAINS#PLACE#TX")),
        (("ROLLUP_HOUR", ("123", NOON)), ("DEVICE#123", "ROLLUP#HOUR#2018-08-29T12:00:00.000Z")),
        (("ROLLUP_DAY", ("123", NOON)), ("DEVICE#123", "ROLLUP#DAY#2018-08-29T12:00:00.000Z")),
        (
            ("CONTINUED", ("3a", "ROLLUP_DAY", "123", NOON)),
            ("DEVICE#123", "CONTINUED#3a#ROLLUP#DAY#2018-08-29T12:00:00.000Z"),
        ),
        (("CONTINUED", ("0", "EQUIPMENT", "Equipment_1")), ("EQUIPMENT#Equipment_1", "CONTINUED#0#EDGE#")),
        (("DEVICE", ("123",)), ("DEVICE#123", "EDGE#")),
        (("ROOM", ("seattle",)), ("ROOM#seattle", "EDGE#")),
        (("USER", ("amy",)), ("USER#amy", "EDGE#")),
        (("PLACE", (("US", "TX"),)), ("PLACE#US#TX", "EDGE#")),
        (("EQUIPMENT", ("Equipment_1",)), ("EQUIPMENT#Equipment_1", "EDGE#")),
        (("DOCUMENT", ("d",)), ("DOCUMENT#d", "EDGE#")),
        (("CUSTOMER", ("Padma",)), ("CUSTOMER#Padma", "EDGE#")),
        (("PLAYER", ("Rick",)), ("PLAYER#Rick", "EDGE#")),
        (("GAME", ("chess",)), ("GAME#chess", "EDGE#")),
        (("SCORES", ("chess", "80")), ("GAME#chess", "SCORES#80")),
        (("INVOICE", ("i",)), ("INVOICE#i", "EDGE#")),
        (("BILL", ("b",)), ("BILL#b", "EDGE#")),
    ],
)
def test_an_aggregate_stands_with_its_node(aggregate: tuple[str, tuple[str, ...]], expected: tuple[str, str]) -> None:
    assert keys.aggregate(AggregateId(*aggregate)) == expected


@pytest.mark.parametrize(
    "query",
    [
        patterns.audits.equipment("a"),
        patterns.audits.history("a", ""),
        patterns.documents.document("a"),
        patterns.documents.revisions("a"),
        patterns.telemetry.device("a"),
        patterns.telemetry.rollups("a", "DAY", EARLIEST, LATEST),
        patterns.telemetry.device_events("a", None, None),
    ],
)
def test_no_query_finds_continuations(query: Query) -> None:
    """They may be 16 times as large as what is asked for."""
    table, sort = MemoryTable(), [f"CONTINUED#{path}#{of}" for path in ("0", "ff") for of in ("EDGE#", "ROLLUP#DAY")]
    table.put_many([key_item(Key(query.partition, sk)) for sk in sort])
    assert table.query(query).items == []


def test_the_partitions_of_the_indexes_read_as_they_are_documented() -> None:
    assert keys.orders.open_of("Padma") == "OPEN#Padma"
    assert keys.orders.open_shards() == [f"OPEN_ORDERS#{shard}" for shard in range(4)]
    assert keys.orders.opened(NOON, "Padma", "o1").startswith("2018-08-29T12:00:00.000Z#")
    assert keys.orders.dated(NOON, "o 1") == "ORDER#2018-08-29T12:00:00.000Z#o$201"
    assert (keys.games.award("Champ"), keys.games.leaderboard("chess")) == ("AWARD#Champ", "LEADERBOARD#chess")


def test_the_index_by_time_inverts_the_template() -> None:
    assert keys.chat.message_by_time("amsg", NOON, "id") == "2018-08-29:12:00:00.000#amsg#id"


class TestRoundTrips:
    @given(device=names, at=instants, event_id=names)
    def test_event(self, device: str, at: int, event_id: str) -> None:
        assert keys.telemetry.parse_event(*keys.telemetry.event(device, at, event_id)) == (device, at, event_id)

    @given(room=names, shard=st.integers(1, 64), user=names, at=instants, message_id=names)
    def test_message(self, room: str, shard: int, user: str, at: int, message_id: str) -> None:
        key = keys.chat.message(room, shard, user, at, message_id)
        assert keys.chat.parse_message(*key) == (room, shard, user, at, message_id)

    @given(device=names, block=instants)
    def test_rollup(self, device: str, block: int) -> None:
        assert keys.telemetry.parse_rollup(keys.telemetry.rollup(device, "DAY", block).sk) == block

    @given(customer=names, order=names)
    def test_order(self, customer: str, order: str) -> None:
        assert keys.orders.parse_order(*keys.orders.order(customer, order)) == (customer, order)

    @given(player=names, game=names, at=instants)
    def test_play(self, player: str, game: str, at: int) -> None:
        assert keys.games.parse_play(*keys.games.play(player, game, at)) == (player, game, at)
        assert keys.games.parse_played(*keys.games.played(player, game)) == (player, game)

    @given(user=names, room=names)
    def test_user_posted_in_room(self, user: str, room: str) -> None:
        key = keys.chat.posted_in(user, room)
        assert (keys.nodes.node(key.pk), keys.nodes.edge_target(key.sk)) == ((user,), (room,))

    @given(device=names, place=places)
    def test_device_reported_from_place(self, device: str, place: tuple[str, ...]) -> None:
        key = keys.telemetry.reported_from(device, place)
        assert (keys.nodes.node(key.pk), keys.nodes.edge_target(key.sk)) == ((device,), place)

    @given(device=names, place=places)
    def test_place_hosts_device(self, device: str, place: tuple[str, ...]) -> None:
        key = keys.places.hosts(place, device)
        assert (keys.nodes.node(key.pk), keys.nodes.edge_target(key.sk)) == (place, (device,))

    @given(kind=names, entity=names, place=places)
    def test_entity_lives_at_place(self, kind: str, entity: str, place: tuple[str, ...]) -> None:
        pk, place_key = keys.places.resident(kind, entity).pk, keys.places.at_place(place)
        assert keys.places.parse_resident(pk, place_key) == (kind, entity, place)

    @given(invoice=names, bill=names)
    def test_invoice_contains_bill(self, invoice: str, bill: str) -> None:
        pk, sk = keys.billing.billed(invoice, bill)
        assert (keys.billing.parse_invoice(pk), keys.billing.parse_bill(sk)) == (invoice, bill)


@pytest.mark.parametrize(
    ("parse", "arguments"),
    [
        (keys.telemetry.parse_event, ("DEVICE#1", "EVENT#2018-08-29T12:00:00.000Z")),
        (keys.telemetry.parse_event, ("DEVICE#1", "EVENT#2018-08-29T12:00:00.000Z#e#x")),
        (keys.telemetry.parse_event, ("DEVICE#1", "EVENT#yesterday#e")),
        (keys.telemetry.parse_event, ("PLACE#1", "EVENT#2018-08-29T12:00:00.000Z#e")),
        (keys.telemetry.parse_event, ("DEVICE", "EVENT#2018-08-29T12:00:00.000Z#e")),
        (keys.chat.parse_message, ("CHAT#seattle", "amy#2018-08-29:12:00:00.000#id")),
        (keys.chat.parse_message, ("CHAT#seattle-x", "amy#2018-08-29:12:00:00.000#id")),
        (keys.chat.parse_message, ("CHAT#seattle-1", "amy#2018-08-29:12:00:00.000")),
        (keys.chat.parse_message, ("ROOM#seattle-1", "amy#2018-08-29:12:00:00.000#id")),
        (keys.telemetry.parse_rollup, ("ROLLUP#HOUR",)),
        (keys.nodes.edge_target, ("EDGE#",)),
        (keys.nodes.edge_target, ("META",)),
        (keys.audits.parse, ("EQUIPMENT#e", "EDGE#")),
        (keys.audits.parse, ("EQUIPMENT#e", "Audit#engine")),
        (keys.audits.parse, ("EQUIPMENT#e", "v0_Audit")),
        (keys.audits.parse, ("EQUIPMENT#e", "v0_Audits#engine")),
        (keys.audits.parse, ("DOCUMENT#e", "Audit#engine#v000000001")),
        (keys.documents.parse, ("EQUIPMENT#e",)),
        (keys.documents.parse, ("DOCUMENT",)),
        (keys.documents.parse_information, ("metadata",)),
        (keys.documents.parse_information, ("x_a#b",)),
        (keys.orders.parse_order, ("CUSTOMER#a", "EDGE#")),
        (keys.orders.parse_order, ("PLAYER#a", "ORDER#o")),
        (keys.games.parse_play, ("PLAYER#a", "GAME#chess")),
        (keys.games.parse_play, ("GAME#a", "GAME#chess#2018-08-29T12:00:00.000Z")),
        (keys.games.parse_played, ("PLAYER#a", "EDGE#")),
        (keys.games.parse_played, ("CUSTOMER#a", "EDGE#PLAYED#GAME#chess")),
        (keys.billing.parse_invoice, ("BILL#b",)),
        (keys.billing.parse_bill, ("EDGE#",)),
    ],
)
def test_keys_of_another_kind_are_refused(parse: Callable[..., object], arguments: tuple[str, ...]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (says which key, or what is wrong with its parts)
        parse(*arguments)


class TestVersions:
    PARTS = texts | st.sampled_from(["v000000001", "v0_Audit", "Audit"])
    VERSIONS = st.integers(1, 999_999_999)

    @given(equipment=names, part=PARTS, version=VERSIONS)
    def test_an_audit_and_its_copy_name_equipment_and_part(self, equipment: str, part: str, version: int) -> None:
        assert keys.audits.parse(*keys.audits.audit(equipment, part, version)) == (equipment, part)
        assert keys.audits.parse(*keys.audits.newest(equipment, part)) == (equipment, part)

    @given(part=PARTS, other=PARTS, version=VERSIONS)
    def test_a_history_is_of_one_part_and_without_the_copy(self, part: str, other: str, version: int) -> None:
        history = keys.audits.history(part)
        assert keys.audits.audit("e", other, version).sk.startswith(history) == (part == other)
        assert not keys.audits.newest("e", other).sk.startswith(history)

    @given(one=VERSIONS, other=VERSIONS)
    def test_versions_sort_as_numbers(self, one: int, other: int) -> None:
        assert (keys.audits.audit("e", "p", one) < keys.audits.audit("e", "p", other)) == (one < other)
        assert (keys.documents.revision("d", one) < keys.documents.revision("d", other)) == (one < other)

    @given(part=PARTS, version=VERSIONS)
    def test_of_equipment_only_summary_and_newest_audits_are_one_range(self, part: str, version: int) -> None:
        low, high = keys.nodes.NODE_SUMMARY, keys.audits.NEWEST_END
        at_home, audit = keys.places.resident("EQUIPMENT", "e").sk, keys.audits.audit("e", part, version).sk
        assert max(at_home, audit) < low < keys.audits.newest("e", part).sk < high

    @given(version=VERSIONS)
    def test_of_a_document_only_its_revisions_are_outside_of_the_range(self, version: int) -> None:
        whole = [
            keys.nodes.NODE_SUMMARY,
            keys.documents.information_names("d").sk,
            keys.documents.metadata("d").sk,
            keys.documents.permissions("d").sk,
            keys.documents.newest("d").sk,
        ]
        first, last = keys.documents.revisions()
        assert keys.places.resident("DOCUMENT", "d").sk < whole[0]
        assert whole == sorted(whole)
        assert whole[-1] == keys.documents.NEWEST < first <= keys.documents.revision("d", version).sk <= last

    @given(name=PARTS | st.sampled_from(["metadata", "v_0", "x_", "information"]), version=VERSIONS)
    def test_information_of_any_name_is_no_other_item_of_a_document(self, name: str, version: int) -> None:
        sk = keys.documents.information("d", name).sk
        assert keys.documents.parse_information(sk) == name
        assert sk > keys.documents.revisions()[1] > keys.documents.NEWEST


class TestBorders:
    @given(at=instants, event_id=names)
    def test_all_events_lie_between_their_borders(self, at: int, event_id: str) -> None:
        assert keys.telemetry.EVENTS <= keys.telemetry.event("d", at, event_id).sk <= keys.telemetry.EVENTS_END

    @given(at=instants, bound=instants, event_id=names)
    def test_an_instant_parts_earlier_events_from_later_ones(self, at: int, bound: int, event_id: str) -> None:
        assert (keys.telemetry.event("d", at, event_id).sk < keys.telemetry.event_time(bound)) == (at < bound)

    def test_nothing_comes_after_the_last_instant(self) -> None:
        assert (
            keys.telemetry.event("d", LATEST, "\U0010ffff").sk
            < keys.telemetry.event_time(LATEST + 1)
            <= keys.telemetry.EVENTS_END
        )

    def test_nothing_else_of_a_device_stands_between_its_events(self) -> None:
        others = [
            keys.nodes.NODE_SUMMARY,
            keys.telemetry.reported_from("d", ("US",)).sk,
            keys.telemetry.rollup("d", "DAY", NOON).sk,
            keys.aggregate(AggregateId("CONTINUED", ("3a", "ROLLUP_DAY", "d", NOON))).sk,
        ]
        assert not [sk for sk in others if keys.telemetry.EVENTS <= sk <= keys.telemetry.EVENTS_END]

    @given(at=instants, start=instants, end=instants, user=names, message_id=names)
    def test_messages_between_instants(self, at: int, start: int, end: int, user: str, message_id: str) -> None:
        wanted = start <= at < end
        for key, of in (
            (keys.chat.message("r", 1, user, at, message_id).sk, user),
            (keys.chat.message_by_time(user, at, message_id), None),
        ):
            low, high = keys.chat.messages_between(start, end, of)
            assert (low <= key <= high) == wanted
            assert keys.chat.messages_between(None, None, of)[0] <= key <= keys.chat.messages_between(None, None, of)[1]

    @given(user=names, other=names, at=instants)
    def test_messages_of_a_user_are_no_other_users(self, user: str, other: str, at: int) -> None:
        key = keys.chat.message("r", 1, other, at, "id").sk
        low, high = keys.chat.messages_between(None, None, user)
        assert (low <= key <= high) == (user == other) == key.startswith(keys.chat.messages_during("", user))

    @pytest.mark.parametrize(
        ("period", "found"),
        [
            ("2018", True),
            ("2018-08", True),
            ("2018-08-29", True),
            ("2018-08-29:12", True),
            ("2018-08-29T12", True),
            ("2018-08-29:12:00:00", True),
            ("2018-08-2", True),  # never asked for: is_period refuses it
            ("2018-09", False),
            ("2019", False),
            ("2018-08-29:13", False),
        ],
    )
    def test_a_period_is_a_prefix(self, period: str, found: bool) -> None:
        by_user, by_time = keys.chat.message("r", 1, "amy", NOON, "id").sk, keys.chat.message_by_time("amy", NOON, "id")
        assert by_user.startswith(keys.chat.messages_during(period, "amy")) is found
        assert by_time.startswith(keys.chat.messages_during(period)) is found

    def test_the_summary_of_a_node_stands_before_its_edges(self) -> None:
        edges = [
            keys.chat.posted_in("amy", "a").sk,
            keys.telemetry.reported_from("d", ("a",)).sk,
            keys.places.hosts(("a",), "d").sk,
        ]
        assert all(edge.startswith(keys.nodes.EDGES) and edge > keys.nodes.NODE_SUMMARY for edge in edges)
        assert keys.places.contains(("a",), "\U0010ffff").sk < keys.places.hosts(("a",), "0").sk

    @given(place=places, other=places)
    def test_who_lives_at_a_place_is_found_there_and_wherever_that_lies(
        self, place: tuple[str, ...], other: tuple[str, ...]
    ) -> None:
        found = keys.places.at_place(place).startswith(keys.places.at_place(other))
        assert found == (place[: len(other)] == other)

    @given(entity=names, bill=names)
    def test_an_invoice_stands_before_its_summary_and_that_before_its_bills_backwards(
        self, entity: str, bill: str
    ) -> None:
        own, relation = keys.billing.invoice(entity), keys.billing.billed(entity, bill)
        home = keys.places.resident("INVOICE", entity)
        assert own.pk == relation.pk == home.pk
        assert own.sk > keys.nodes.NODE_SUMMARY > relation.sk > keys.billing.BILLS > home.sk
        assert keys.billing.bill(bill).sk < keys.nodes.NODE_SUMMARY

    def test_where_a_room_is_does_not_stand_with_its_metadata(self) -> None:
        metadata, home = keys.chat.room_metadata("r"), keys.places.resident("ROOM", "r")
        assert metadata.pk == home.pk
        assert home.sk < keys.nodes.NODE_SUMMARY < metadata.sk

    @given(name=names, at=instants)
    def test_customers_and_players_begin_with_their_summaries(self, name: str, at: int) -> None:
        first, at_home = keys.nodes.NODE_SUMMARY, "AT"
        assert at_home < first < keys.orders.order("c", name).sk < keys.orders.ORDERS_END
        edge, play = keys.games.played("p", name).sk, keys.games.play("p", name, at).sk
        assert at_home < first < edge < play < keys.games.PLAYS_END
        assert play.startswith(keys.games.plays_of(name))
        assert not play.startswith(keys.games.plays_of(name[:-1]))

    @given(at=instants, start=instants, end=instants, order=names)
    def test_orders_opened_between_instants(self, at: int, start: int, end: int, order: str) -> None:
        key = keys.orders.opened(at, "c", order)
        low, high = keys.orders.opened_between(start, end)
        assert (low <= key <= high) == (start <= at < end)
        low, high = keys.orders.opened_between(None, None)
        assert low < key < high

    @given(at=instants, start=instants, end=instants, order=names)
    def test_orders_of_a_customer_opened_between_instants(self, at: int, start: int, end: int, order: str) -> None:
        key = keys.orders.dated(at, order)
        low, high = keys.orders.dated_between(start, end)
        assert (low <= key <= high) == (start <= at < end)
        low, high = keys.orders.dated_between(None, None)
        assert low < key < high

    @given(customer=names, order=names)
    def test_an_open_order_stands_in_one_of_the_shards(self, customer: str, order: str) -> None:
        assert keys.orders.open_shard(customer, order) in keys.orders.open_shards()

    @given(one=st.integers(0, 10**39), other=st.integers(0, 10**39))
    def test_quarantined_records_keep_the_order_of_their_numbers(self, one: int, other: int) -> None:
        first, second = (keys.quarantine.quarantine("lane", str(number), 1).sk for number in (one, other))
        assert (first < second) == (one < other)
