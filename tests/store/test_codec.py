"""Items and back: everything a source holds survives."""

from collections.abc import Mapping
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from functions.aggregates import edges
from functions.aggregates.edges import Edge
from functions.aggregates.measures import Observation, measurable
from functions.dynamodb.attributes import Attribute, Item
from functions.dynamodb.schema import BY_NUMBER, BY_TARGET, BY_VALUE, INDEXES
from functions.systems.audits import codec as audits_codec
from functions.systems.audits.entity import Audit
from functions.systems.chat import codec as chat_codec
from functions.systems.chat.entity import Message, Room, Widening
from functions.systems.documents import codec as documents_codec
from functions.systems.documents.entity import Information, InformationNames, Metadata, Permissions, Revision
from functions.systems.games import codec as games_codec
from functions.systems.games.entity import SCORE_LIMIT, Play, Played
from functions.systems.orders import codec as orders_codec
from functions.systems.orders import keys as orders_keys
from functions.systems.orders.entity import Order
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry.entity import Reading
from functions.times import EARLIEST, LATEST

NOON = 1535544000000
names = st.text(min_size=1, max_size=8)
places = st.lists(names, max_size=8).map(tuple)
instants = st.integers(EARLIEST, LATEST)
numbers = st.integers(-(10**31) + 1, 10**31 - 1).map(lambda number: measurable(Decimal(f"{number}e-18")))


told = st.dictionaries(names, st.text() | st.booleans() | numbers)


@given(st.builds(Reading, names, instants, names, places, st.dictionaries(names, numbers), told))
def test_event(event: Reading) -> None:
    assert telemetry_codec.event(telemetry_codec.event_item(event)) == event


@given(st.builds(Message, names, st.integers(1, 64), names, instants, names, st.text()))
def test_message(message: Message) -> None:
    assert chat_codec.message(chat_codec.message_item(message)) == message


versions = st.integers(1, 999_999_999)


@given(st.builds(Audit, names, st.text(max_size=8), versions, instants, names, names, st.text()))
def test_audit(audit: Audit) -> None:
    item, newest = audits_codec.audit_item(audit), audits_codec.newest_item(audit)
    assert audits_codec.audit(item) == audits_codec.audit(newest) == audit
    assert (item["Type"], newest["Type"]) == ({"S": "AUDIT"}, {"S": "AUDIT_NEWEST"})


@given(st.builds(Revision, names, versions, instants, names, st.text(), st.text()))
def test_revision(revision: Revision) -> None:
    item, newest = documents_codec.revision_item(revision), documents_codec.newest_item(revision)
    assert documents_codec.revision(item) == documents_codec.revision(newest) == revision
    assert (item["Type"], newest["Type"]) == ({"S": "DOCUMENT_REVISION"}, {"S": "DOCUMENT_NEWEST"})


@given(st.builds(Metadata, names, names, st.text(), st.dictionaries(names, st.text())))
def test_metadata(metadata: Metadata) -> None:
    assert documents_codec.metadata(documents_codec.metadata_item(metadata)) == metadata


@given(st.builds(Permissions, names, names, st.frozensets(names), st.frozensets(names), versions))
def test_permissions(permissions: Permissions) -> None:
    assert documents_codec.permissions(documents_codec.permissions_item(permissions)) == permissions


@given(st.builds(Information, names, names, st.text()))
def test_information(information: Information) -> None:
    assert documents_codec.information(documents_codec.information_item(information)) == information


@given(st.builds(InformationNames, names, st.frozensets(names), versions))
def test_names_of_information(known: InformationNames) -> None:
    assert documents_codec.information_names(documents_codec.information_names_item(known)) == known


steps = st.lists(st.builds(Widening, instants, st.integers(1, 64)), min_size=1).map(tuple)


@given(st.builds(Room, names, steps, st.integers(1, 99)))
def test_room(room: Room) -> None:
    assert chat_codec.room(chat_codec.room_item(room)) == room


@given(st.builds(Order, names, names, instants, numbers, st.none() | instants))
def test_order(order: Order) -> None:
    item = orders_codec.order_item(order)
    assert orders_codec.order(item) == order
    listed = [index for index in INDEXES if index.partition_key in item]
    assert listed == ([BY_TARGET] if order.shipped_at is not None else [BY_VALUE, BY_TARGET, BY_NUMBER])
    for index in listed:
        kept = {"PK", "SK", index.partition_key, index.sort_key, *index.projected}
        assert orders_codec.order({name: value for name, value in item.items() if name in kept}) == order


@given(st.builds(Play, names, names, instants, st.integers(1 - SCORE_LIMIT, SCORE_LIMIT - 1), st.none() | names))
def test_play(play: Play) -> None:
    item = games_codec.play_item(play)
    assert games_codec.play(item) == play
    if play.award is not None:
        entry = {name: item[name] for name in ("PK", "SK", "Type", "GSI3PK", "GSI3SK")}
        assert games_codec.awarded(play.award, entry) == play


def test_every_order_points_at_its_customer_and_an_open_one_stands_in_two_indexes_more() -> None:
    order = Order("Padma", "o1", NOON, Decimal("9.50"))
    shard = orders_keys.open_shard("Padma", "o1")
    data = {"OpenedAt": {"S": "2018-08-29T12:00:00.000Z"}, "Amount": {"N": "9.50"}}
    always = {
        "PK": {"S": "CUSTOMER#Padma"},
        "SK": {"S": "ORDER#o1"},
        "Type": {"S": "ORDER"},
        "GSI2PK": {"S": "CUSTOMER#Padma"},
        "GSI2SK": {"S": "ORDER#2018-08-29T12:00:00.000Z#o1"},
    }
    assert orders_codec.order_item(order) == always | {
        "Data": {"M": data},
        "GSI1PK": {"S": shard},
        "GSI1SK": {"S": orders_keys.opened(NOON, "Padma", "o1")},
        "GSI3PK": {"S": "OPEN#Padma"},
        "GSI3SK": {"N": "1535544000000"},
    }
    shipped = {"Data": {"M": data | {"ShippedAt": {"S": "2018-08-29T12:00:00.000Z"}}}}
    assert orders_codec.order_item(order.shipped(NOON)) == always | shipped


def test_only_a_play_with_an_award_stands_in_the_index() -> None:
    plain = {
        "PK": {"S": "PLAYER#Rick"},
        "SK": {"S": "GAME#chess#2018-08-29T12:00:00.000Z"},
        "Type": {"S": "PLAY"},
        "Score": {"N": "-5"},
    }
    won = {"Award": {"S": "Champ"}, "GSI3PK": {"S": "AWARD#Champ"}, "GSI3SK": {"N": "-5"}}
    assert games_codec.play_item(Play("Rick", "chess", NOON, -5)) == plain
    assert games_codec.play_item(Play("Rick", "chess", NOON, -5, "Champ")) == plain | won


def played_item(count: str) -> Item:
    edge: Item = {"PK": {"S": "PLAYER#Rick"}, "SK": {"S": "EDGE#PLAYED#GAME#chess"}}
    return edge | {"Cells": {"M": {"Count": {"S": count}}}}


def test_an_edge_to_a_game_knows_the_best_score() -> None:
    assert games_codec.played(played_item("-5@1535544000")) == Played("Rick", "chess", 1, -5)
    assert games_codec.played(played_item("3 6 -5 9 2@1535544000 9@1535544001")) == Played("Rick", "chess", 3, 9)
    assert games_codec.played(played_item("-1 -5")) is None
    assert games_codec.played(played_item("3 6")) == Played("Rick", "chess", 3, None), "it is being recounted"


def test_an_event_carries_no_index_key() -> None:
    """Else every reading would cost one write unit more."""
    event = Reading("123", NOON, "e1", ("US", "New York"), {"temp": Decimal("39.02"), "n": Decimal("1E+3")})
    assert telemetry_codec.event_item(event) == {
        "PK": {"S": "DEVICE#123"},
        "SK": {"S": "EVENT#2018-08-29T12:00:00.000Z#e1"},
        "Type": {"S": "EVENT"},
        "Metrics": {"M": {"temp": {"N": "39.02"}, "n": {"N": "1000"}}},
        "Place": {"L": [{"S": "US"}, {"S": "New York"}]},
    }
    assert "Place" not in telemetry_codec.event_item(Reading("123", NOON, "e1", (), {}))


def test_a_message_stands_in_the_index_by_time_with_its_text() -> None:
    assert chat_codec.message_item(Message("seattle", 1, "amsg", NOON, "id", "hi")) == {
        "PK": {"S": "CHAT#seattle-1"},
        "SK": {"S": "amsg#2018-08-29:12:00:00.000#id"},
        "Type": {"S": "MESSAGE"},
        "Text": {"S": "hi"},
        "GSI1PK": {"S": "CHAT#seattle-1"},
        "GSI1SK": {"S": "2018-08-29:12:00:00.000#amsg#id"},
    }


def edge_item(cells: Mapping[str, Attribute] | None) -> Item:
    item: Item = {"PK": {"S": "DEVICE#123"}, "SK": {"S": "EDGE#REPORTED_FROM#PLACE#US#New$20York"}}
    return item if cells is None else item | {"Cells": {"M": cells}}


def test_an_edge_counts_what_it_stands_for() -> None:
    target = ("US", "New York")
    spanned = {"Count": {"S": "7 2018-08-29T12:00:00.000Z 2018-08-30T12:00:00.000Z"}}
    assert edges.edge(edge_item(spanned)) == Edge(("123",), target, 7)
    assert edges.edge(edge_item({"Count": {"N": "3"}})) == Edge(("123",), target, 3)
    assert edges.edge(edge_item(None)) is None


def test_an_edge_tells_the_counts_and_sums_of_its_other_cells() -> None:
    cells = {"Count": {"N": "3"}, "Length": {"S": "3 12.5"}, "Seen": {"N": "2"}}
    sums = {"Length": Observation(3, amount=Decimal("12.5")), "Seen": Observation(2, amount=Decimal(0))}
    assert edges.edge(edge_item(cells)) == Edge(("123",), ("US", "New York"), 3, sums)
