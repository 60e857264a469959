"""Keys of several systems, side by side."""

from hypothesis import given

from edgewise.aggregates import keys as aggregate_keys
from functions.place import entities
from functions.systems.chat import keys as chat_keys
from functions.systems.games import keys as games_keys
from functions.systems.graph import keys as graph_keys
from functions.systems.orders.items import ALL_OPEN, ORDER
from functions.systems.places import keys as places_keys
from functions.systems.telemetry import keys as telemetry_keys
from tests.support.keys import instants, names


def test_the_partitions_of_the_indexes_read_as_they_are_documented() -> None:
    assert ALL_OPEN.shards(2) == ["OPEN_ORDERS#1", "OPEN_ORDERS#2"]
    assert ALL_OPEN.history == ("OPEN_ORDERS#SHARDS", "HISTORY")
    assert games_keys.leaderboard("chess") == "LEADERBOARD#chess"
    assert games_keys.award("Best of 8").shards(2) == ["AWARD#Best$20of$208#1", "AWARD#Best$20of$208#2"]
    assert games_keys.award("Champ").history == ("AWARD#SHARDS#Champ", "HISTORY")
    assert graph_keys.attributes_of("skill").history == ("FIND#SHARDS#skill", "HISTORY")
    assert entities("EQUIPMENT", "US").history == ("AT#SHARDS#EQUIPMENT#US", "HISTORY")


class TestBorders:
    def test_the_summary_of_a_node_stands_before_its_edges(self) -> None:
        edges = [
            chat_keys.POSTED_IN("amy", "a").sk,
            telemetry_keys.REPORTED_FROM("d", ("a",)).sk,
            places_keys.HOSTS(("a",), "d").sk,
        ]
        assert all(edge.startswith(aggregate_keys.EDGES) and edge > aggregate_keys.SUMMARY for edge in edges)
        assert places_keys.NUMBERS(("a", "\U0010ffff")).sk < places_keys.HOSTS(("a",), "0").sk

    @given(name=names, at=instants)
    def test_customers_and_players_begin_with_their_summaries(self, name: str, at: int) -> None:
        first = aggregate_keys.SUMMARY
        assert first < ORDER.key("c", name).sk < "ORDER$"
        edge, play = games_keys.PLAYED("p", name).sk, games_keys.PLAY("p", name, at).sk
        assert first < edge < play < games_keys.PLAYS_END
        assert play.startswith(games_keys.plays_of(name))
        assert not play.startswith(games_keys.plays_of(name[:-1]))
