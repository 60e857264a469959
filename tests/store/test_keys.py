"""Keys: reversible, injective, in the order of their components, with prefixes that end at a border."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.aggregates import keys as aggregate_keys
from functions.aggregates.ids import AggregateId
from functions.catalog import CATALOG
from functions.dynamodb import keys
from functions.dynamodb.attributes import key_item
from functions.dynamodb.keys import Key
from functions.dynamodb.queries import Query
from functions.place import at_place
from functions.stream import quarantine_keys
from functions.systems.audits import keys as audits_keys
from functions.systems.audits import patterns as audits_patterns
from functions.systems.audits.system import EQUIPMENT
from functions.systems.billing import keys as billing_keys
from functions.systems.chat import keys as chat_keys
from functions.systems.documents import keys as documents_keys
from functions.systems.documents import patterns as documents_patterns
from functions.systems.games import keys as games_keys
from functions.systems.orders import keys as orders_keys
from functions.systems.places import keys as places_keys
from functions.systems.telemetry import keys as telemetry_keys
from functions.systems.telemetry import patterns as telemetry_patterns
from functions.systems.telemetry.system import ROLLUP_DAY
from functions.times import EARLIEST, LATEST
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
        assert keys.split(keys.join(*one)) == one

    @given(one=components, other=components)
    def test_different_components_give_different_keys(self, one: tuple[str, ...], other: tuple[str, ...]) -> None:
        assert (keys.join(*one) == keys.join(*other)) == (one == other)

    @given(one=components, other=components)
    def test_keys_sort_as_their_components_do(self, one: tuple[str, ...], other: tuple[str, ...]) -> None:
        assert (keys.join(*one).encode() < keys.join(*other).encode()) == (stored_order(one) < stored_order(other))

    @given(one=components, other=components)
    def test_a_prefix_finds_what_goes_on_after_it_and_nothing_else(
        self, one: tuple[str, ...], other: tuple[str, ...]
    ) -> None:
        goes_on = len(other) > len(one) and other[: len(one)] == one
        assert keys.join(*other).startswith(keys.prefix(*one)) == goes_on

    @given(one=texts)
    def test_no_component_holds_a_delimiter_and_none_gets_shorter(self, one: str) -> None:
        assert "#" not in keys.escape(one)
        assert len(keys.escape(one)) >= len(one)

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
        assert keys.escape(component) == escaped
        assert keys.unescape(escaped) == component

    def test_the_prefix_of_a_state_finds_no_other_state(self) -> None:
        assert keys.prefix("US", "TX") == "US#TX#"
        assert keys.join("US", "TX", "Houston").startswith(keys.prefix("US", "TX"))
        assert not keys.join("US", "TXX", "Houston").startswith(keys.prefix("US", "TX"))
        assert not keys.join("US", "TX#Houston").startswith(keys.prefix("US", "TX"))


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (telemetry_keys.event("123", NOON, "e1"), ("DEVICE#123", "EVENT#2018-08-29T12:00:00.000Z#e1")),
        (
            chat_keys.message("seattle", 1, "amsg", NOON, "id"),
            ("CHAT#seattle-1", "amsg#2018-08-29:12:00:00.000#id"),
        ),
        (chat_keys.room_metadata("seattle"), ("ROOM#seattle", "META")),
        (chat_keys.message_guard("seattle", "amsg", "id"), ("MESSAGE-ID#seattle#amsg#id", "GUARD")),
        (chat_keys.posted_in("amsg", "seattle"), ("USER#amsg", "EDGE#POSTED_IN#ROOM#seattle")),
        (
            telemetry_keys.reported_from("123", ("US", "New York", "JFK")),
            ("DEVICE#123", "EDGE#REPORTED_FROM#PLACE#US#New$20York#JFK"),
        ),
        (places_keys.hosts(("US", "New York"), "123"), ("PLACE#US#New$20York", "EDGE#HOSTS#DEVICE#123")),
        (places_keys.contains(("US",), "New York"), ("PLACE#US", "EDGE#CONTAINS#PLACE#New$20York")),
        (telemetry_keys.rollup("123", "HOUR", NOON), ("DEVICE#123", "ROLLUP#HOUR#2018-08-29T12:00:00.000Z")),
        (places_keys.resident("EQUIPMENT", "Equipment_1"), ("EQUIPMENT#Equipment_1", "AT")),
        (billing_keys.invoice("Invoice-92551"), ("INVOICE#Invoice-92551", "INVOICE#Invoice-92551")),
        (billing_keys.bill("Bill-4224663"), ("BILL#Bill-4224663", "BILL#Bill-4224663")),
        (billing_keys.billed("Invoice-92551", "Bill-4224663"), ("INVOICE#Invoice-92551", "BILL#Bill-4224663")),
        (audits_keys.newest("Equipment_1", ""), ("EQUIPMENT#Equipment_1", "v0_Audit#")),
        (audits_keys.newest("Equipment_1", "left wing"), ("EQUIPMENT#Equipment_1", "v0_Audit#left$20wing")),
        (audits_keys.audit("Equipment_1", "", 12), ("EQUIPMENT#Equipment_1", "Audit##v000000012")),
        (audits_keys.audit("Equipment_1", "wing", 1), ("EQUIPMENT#Equipment_1", "Audit#wing#v000000001")),
        (documents_keys.metadata("d 1"), ("DOCUMENT#d$201", "metadata")),
        (documents_keys.permissions("d"), ("DOCUMENT#d", "permissions")),
        (documents_keys.newest("d"), ("DOCUMENT#d", "v_0")),
        (documents_keys.revision("d", 12), ("DOCUMENT#d", "v_000000012")),
        (orders_keys.order("Padma", "o 1"), ("CUSTOMER#Padma", "ORDER#o$201")),
        (games_keys.play("Rick", "chess", NOON), ("PLAYER#Rick", "GAME#chess#2018-08-29T12:00:00.000Z")),
        (games_keys.played("Rick", "chess"), ("PLAYER#Rick", "EDGE#PLAYED#GAME#chess")),
        (games_keys.scores("chess", ""), ("GAME#chess", "SCORES#")),
        (games_keys.scores("chess", "8000"), ("GAME#chess", "SCORES#8000")),
        (quarantine_keys.quarantine("0001", "123", 2), ("QUARANTINE#0001", f"{'0' * 37}123#0002")),
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
    kind, parts = aggregate
    assert aggregate_keys.of(CATALOG.kinds[kind](*parts)) == expected


@pytest.mark.parametrize(
    ("about", "expected"),
    [
        (
            ROLLUP_DAY("123", NOON)._replace(path="3a"),
            ("DEVICE#123", "CONTINUED#3a#ROLLUP#DAY#2018-08-29T12:00:00.000Z"),
        ),
        (EQUIPMENT("Equipment_1")._replace(path="0"), ("EQUIPMENT#Equipment_1", "CONTINUED#0#EDGE#")),
    ],
)
def test_a_continuation_stands_beside_what_it_continues(about: AggregateId, expected: tuple[str, str]) -> None:
    assert aggregate_keys.of(about) == expected


@pytest.mark.parametrize(
    "query",
    [
        audits_patterns.equipment("a"),
        audits_patterns.history("a", ""),
        documents_patterns.document("a"),
        documents_patterns.revisions("a"),
        telemetry_patterns.device("a"),
        telemetry_patterns.rollups("a", "DAY", EARLIEST, LATEST),
        telemetry_patterns.device_events("a", None, None),
    ],
)
def test_no_query_finds_continuations(query: Query) -> None:
    """They may be 16 times as large as what is asked for."""
    table, sort = MemoryTable(), [f"CONTINUED#{path}#{of}" for path in ("0", "ff") for of in ("EDGE#", "ROLLUP#DAY")]
    table.put_many([key_item(Key(query.partition, sk)) for sk in sort])
    assert table.query(query).items == []


def test_the_partitions_of_the_indexes_read_as_they_are_documented() -> None:
    assert orders_keys.open_of("Padma") == "OPEN#Padma"
    assert orders_keys.open_shards() == [f"OPEN_ORDERS#{shard}" for shard in range(4)]
    assert orders_keys.opened(NOON, "Padma", "o1").startswith("2018-08-29T12:00:00.000Z#")
    assert orders_keys.dated(NOON, "o 1") == "ORDER#2018-08-29T12:00:00.000Z#o$201"
    assert (games_keys.award("Champ"), games_keys.leaderboard("chess")) == ("AWARD#Champ", "LEADERBOARD#chess")


def test_the_index_by_time_inverts_the_template() -> None:
    assert chat_keys.message_by_time("amsg", NOON, "id") == "2018-08-29:12:00:00.000#amsg#id"


class TestRoundTrips:
    @given(device=names, at=instants, event_id=names)
    def test_event(self, device: str, at: int, event_id: str) -> None:
        assert telemetry_keys.parse_event(*telemetry_keys.event(device, at, event_id)) == (device, at, event_id)

    @given(room=names, shard=st.integers(1, 64), user=names, at=instants, message_id=names)
    def test_message(self, room: str, shard: int, user: str, at: int, message_id: str) -> None:
        key = chat_keys.message(room, shard, user, at, message_id)
        assert chat_keys.parse_message(*key) == (room, shard, user, at, message_id)

    @given(device=names, block=instants)
    def test_rollup(self, device: str, block: int) -> None:
        assert telemetry_keys.parse_rollup(telemetry_keys.rollup(device, "DAY", block).sk) == block

    @given(customer=names, order=names)
    def test_order(self, customer: str, order: str) -> None:
        assert orders_keys.parse_order(*orders_keys.order(customer, order)) == (customer, order)

    @given(player=names, game=names, at=instants)
    def test_play(self, player: str, game: str, at: int) -> None:
        assert games_keys.parse_play(*games_keys.play(player, game, at)) == (player, game, at)
        assert games_keys.parse_played(*games_keys.played(player, game)) == (player, game)

    @given(user=names, room=names)
    def test_user_posted_in_room(self, user: str, room: str) -> None:
        key = chat_keys.posted_in(user, room)
        assert (aggregate_keys.entity(key.pk), aggregate_keys.edge_target(key.sk)) == ((user,), (room,))

    @given(device=names, place=places)
    def test_device_reported_from_place(self, device: str, place: tuple[str, ...]) -> None:
        key = telemetry_keys.reported_from(device, place)
        assert (aggregate_keys.entity(key.pk), aggregate_keys.edge_target(key.sk)) == ((device,), place)

    @given(device=names, place=places)
    def test_place_hosts_device(self, device: str, place: tuple[str, ...]) -> None:
        key = places_keys.hosts(place, device)
        assert (aggregate_keys.entity(key.pk), aggregate_keys.edge_target(key.sk)) == (place, (device,))

    @given(kind=names, entity=names, place=places)
    def test_entity_lives_at_place(self, kind: str, entity: str, place: tuple[str, ...]) -> None:
        pk, place_key = places_keys.resident(kind, entity).pk, at_place(place)
        assert places_keys.parse_resident(pk, place_key) == (kind, entity, place)

    @given(invoice=names, bill=names)
    def test_invoice_contains_bill(self, invoice: str, bill: str) -> None:
        pk, sk = billing_keys.billed(invoice, bill)
        assert (billing_keys.parse_invoice(pk), billing_keys.parse_bill(sk)) == (invoice, bill)


@pytest.mark.parametrize(
    ("parse", "arguments"),
    [
        (telemetry_keys.parse_event, ("DEVICE#1", "EVENT#2018-08-29T12:00:00.000Z")),
        (telemetry_keys.parse_event, ("DEVICE#1", "EVENT#2018-08-29T12:00:00.000Z#e#x")),
        (telemetry_keys.parse_event, ("DEVICE#1", "EVENT#yesterday#e")),
        (telemetry_keys.parse_event, ("PLACE#1", "EVENT#2018-08-29T12:00:00.000Z#e")),
        (telemetry_keys.parse_event, ("DEVICE", "EVENT#2018-08-29T12:00:00.000Z#e")),
        (chat_keys.parse_message, ("CHAT#seattle", "amy#2018-08-29:12:00:00.000#id")),
        (chat_keys.parse_message, ("CHAT#seattle-x", "amy#2018-08-29:12:00:00.000#id")),
        (chat_keys.parse_message, ("CHAT#seattle-1", "amy#2018-08-29:12:00:00.000")),
        (chat_keys.parse_message, ("ROOM#seattle-1", "amy#2018-08-29:12:00:00.000#id")),
        (telemetry_keys.parse_rollup, ("ROLLUP#HOUR",)),
        (aggregate_keys.edge_target, ("EDGE#",)),
        (aggregate_keys.edge_target, ("META",)),
        (audits_keys.parse, ("EQUIPMENT#e", "EDGE#")),
        (audits_keys.parse, ("EQUIPMENT#e", "Audit#engine")),
        (audits_keys.parse, ("EQUIPMENT#e", "v0_Audit")),
        (audits_keys.parse, ("EQUIPMENT#e", "v0_Audits#engine")),
        (audits_keys.parse, ("DOCUMENT#e", "Audit#engine#v000000001")),
        (documents_keys.parse, ("EQUIPMENT#e",)),
        (documents_keys.parse, ("DOCUMENT",)),
        (documents_keys.parse_information, ("metadata",)),
        (documents_keys.parse_information, ("x_a#b",)),
        (orders_keys.parse_order, ("CUSTOMER#a", "EDGE#")),
        (orders_keys.parse_order, ("PLAYER#a", "ORDER#o")),
        (games_keys.parse_play, ("PLAYER#a", "GAME#chess")),
        (games_keys.parse_play, ("GAME#a", "GAME#chess#2018-08-29T12:00:00.000Z")),
        (games_keys.parse_played, ("PLAYER#a", "EDGE#")),
        (games_keys.parse_played, ("CUSTOMER#a", "EDGE#PLAYED#GAME#chess")),
        (billing_keys.parse_invoice, ("BILL#b",)),
        (billing_keys.parse_bill, ("EDGE#",)),
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
        assert audits_keys.parse(*audits_keys.audit(equipment, part, version)) == (equipment, part)
        assert audits_keys.parse(*audits_keys.newest(equipment, part)) == (equipment, part)

    @given(part=PARTS, other=PARTS, version=VERSIONS)
    def test_a_history_is_of_one_part_and_without_the_copy(self, part: str, other: str, version: int) -> None:
        history = audits_keys.history(part)
        assert audits_keys.audit("e", other, version).sk.startswith(history) == (part == other)
        assert not audits_keys.newest("e", other).sk.startswith(history)

    @given(one=VERSIONS, other=VERSIONS)
    def test_versions_sort_as_numbers(self, one: int, other: int) -> None:
        assert (audits_keys.audit("e", "p", one) < audits_keys.audit("e", "p", other)) == (one < other)
        assert (documents_keys.revision("d", one) < documents_keys.revision("d", other)) == (one < other)

    @given(part=PARTS, version=VERSIONS)
    def test_of_equipment_only_summary_and_newest_audits_are_one_range(self, part: str, version: int) -> None:
        low, high = aggregate_keys.SUMMARY, audits_keys.NEWEST_END
        at_home, audit = places_keys.resident("EQUIPMENT", "e").sk, audits_keys.audit("e", part, version).sk
        assert max(at_home, audit) < low < audits_keys.newest("e", part).sk < high

    @given(version=VERSIONS)
    def test_of_a_document_only_its_revisions_are_outside_of_the_range(self, version: int) -> None:
        whole = [
            aggregate_keys.SUMMARY,
            documents_keys.information_names("d").sk,
            documents_keys.metadata("d").sk,
            documents_keys.permissions("d").sk,
            documents_keys.newest("d").sk,
        ]
        first, last = documents_keys.revisions()
        assert places_keys.resident("DOCUMENT", "d").sk < whole[0]
        assert whole == sorted(whole)
        assert whole[-1] == documents_keys.NEWEST < first <= documents_keys.revision("d", version).sk <= last

    @given(name=PARTS | st.sampled_from(["metadata", "v_0", "x_", "information"]), version=VERSIONS)
    def test_information_of_any_name_is_no_other_item_of_a_document(self, name: str, version: int) -> None:
        sk = documents_keys.information("d", name).sk
        assert documents_keys.parse_information(sk) == name
        assert sk > documents_keys.revisions()[1] > documents_keys.NEWEST


class TestBorders:
    @given(at=instants, event_id=names)
    def test_all_events_lie_between_their_borders(self, at: int, event_id: str) -> None:
        assert telemetry_keys.EVENTS <= telemetry_keys.event("d", at, event_id).sk <= telemetry_keys.EVENTS_END

    @given(at=instants, bound=instants, event_id=names)
    def test_an_instant_parts_earlier_events_from_later_ones(self, at: int, bound: int, event_id: str) -> None:
        assert (telemetry_keys.event("d", at, event_id).sk < telemetry_keys.event_time(bound)) == (at < bound)

    def test_nothing_comes_after_the_last_instant(self) -> None:
        assert (
            telemetry_keys.event("d", LATEST, "\U0010ffff").sk
            < telemetry_keys.event_time(LATEST + 1)
            <= telemetry_keys.EVENTS_END
        )

    def test_nothing_else_of_a_device_stands_between_its_events(self) -> None:
        others = [
            aggregate_keys.SUMMARY,
            telemetry_keys.reported_from("d", ("US",)).sk,
            telemetry_keys.rollup("d", "DAY", NOON).sk,
            aggregate_keys.of(ROLLUP_DAY("d", NOON)._replace(path="3a")).sk,
        ]
        assert not [sk for sk in others if telemetry_keys.EVENTS <= sk <= telemetry_keys.EVENTS_END]

    @given(at=instants, start=instants, end=instants, user=names, message_id=names)
    def test_messages_between_instants(self, at: int, start: int, end: int, user: str, message_id: str) -> None:
        wanted = start <= at < end
        for key, of in (
            (chat_keys.message("r", 1, user, at, message_id).sk, user),
            (chat_keys.message_by_time(user, at, message_id), None),
        ):
            low, high = chat_keys.messages_between(start, end, of)
            assert (low <= key <= high) == wanted
            assert chat_keys.messages_between(None, None, of)[0] <= key <= chat_keys.messages_between(None, None, of)[1]

    @given(user=names, other=names, at=instants)
    def test_messages_of_a_user_are_no_other_users(self, user: str, other: str, at: int) -> None:
        key = chat_keys.message("r", 1, other, at, "id").sk
        low, high = chat_keys.messages_between(None, None, user)
        assert (low <= key <= high) == (user == other) == key.startswith(chat_keys.messages_during("", user))

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
        by_user, by_time = chat_keys.message("r", 1, "amy", NOON, "id").sk, chat_keys.message_by_time("amy", NOON, "id")
        assert by_user.startswith(chat_keys.messages_during(period, "amy")) is found
        assert by_time.startswith(chat_keys.messages_during(period)) is found

    def test_the_summary_of_a_node_stands_before_its_edges(self) -> None:
        edges = [
            chat_keys.posted_in("amy", "a").sk,
            telemetry_keys.reported_from("d", ("a",)).sk,
            places_keys.hosts(("a",), "d").sk,
        ]
        assert all(edge.startswith(aggregate_keys.EDGES) and edge > aggregate_keys.SUMMARY for edge in edges)
        assert places_keys.contains(("a",), "\U0010ffff").sk < places_keys.hosts(("a",), "0").sk

    @given(place=places, other=places)
    def test_who_lives_at_a_place_is_found_there_and_wherever_that_lies(
        self, place: tuple[str, ...], other: tuple[str, ...]
    ) -> None:
        found = at_place(place).startswith(at_place(other))
        assert found == (place[: len(other)] == other)

    @given(entity=names, bill=names)
    def test_an_invoice_stands_before_its_summary_and_that_before_its_bills_backwards(
        self, entity: str, bill: str
    ) -> None:
        own, relation = billing_keys.invoice(entity), billing_keys.billed(entity, bill)
        home = places_keys.resident("INVOICE", entity)
        assert own.pk == relation.pk == home.pk
        assert own.sk > aggregate_keys.SUMMARY > relation.sk > billing_keys.BILLS > home.sk
        assert billing_keys.bill(bill).sk < aggregate_keys.SUMMARY

    def test_where_a_room_is_does_not_stand_with_its_metadata(self) -> None:
        metadata, home = chat_keys.room_metadata("r"), places_keys.resident("ROOM", "r")
        assert metadata.pk == home.pk
        assert home.sk < aggregate_keys.SUMMARY < metadata.sk

    @given(name=names, at=instants)
    def test_customers_and_players_begin_with_their_summaries(self, name: str, at: int) -> None:
        first, at_home = aggregate_keys.SUMMARY, "AT"
        assert at_home < first < orders_keys.order("c", name).sk < orders_keys.ORDERS_END
        edge, play = games_keys.played("p", name).sk, games_keys.play("p", name, at).sk
        assert at_home < first < edge < play < games_keys.PLAYS_END
        assert play.startswith(games_keys.plays_of(name))
        assert not play.startswith(games_keys.plays_of(name[:-1]))

    @given(at=instants, start=instants, end=instants, order=names)
    def test_orders_opened_between_instants(self, at: int, start: int, end: int, order: str) -> None:
        key = orders_keys.opened(at, "c", order)
        low, high = orders_keys.opened_between(start, end)
        assert (low <= key <= high) == (start <= at < end)
        low, high = orders_keys.opened_between(None, None)
        assert low < key < high

    @given(at=instants, start=instants, end=instants, order=names)
    def test_orders_of_a_customer_opened_between_instants(self, at: int, start: int, end: int, order: str) -> None:
        key = orders_keys.dated(at, order)
        low, high = orders_keys.dated_between(start, end)
        assert (low <= key <= high) == (start <= at < end)
        low, high = orders_keys.dated_between(None, None)
        assert low < key < high

    @given(customer=names, order=names)
    def test_an_open_order_stands_in_one_of_the_shards(self, customer: str, order: str) -> None:
        assert orders_keys.open_shard(customer, order) in orders_keys.open_shards()

    @given(one=st.integers(0, 10**39), other=st.integers(0, 10**39))
    def test_quarantined_records_keep_the_order_of_their_numbers(self, one: int, other: int) -> None:
        first, second = (quarantine_keys.quarantine("shard", str(number), 1).sk for number in (one, other))
        assert (first < second) == (one < other)
