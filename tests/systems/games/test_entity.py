"""What is counted of games; the exact rank against a sort of all players."""

from collections import defaultdict
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates.measures import Observation
from functions.catalog import CATALOG
from functions.systems.games.entity import SCORE_LIMIT, Play, Played, Standing, standing, way
from functions.systems.games.system import GAME, PLAYED, PLAYER, SCORES

LEAST, GREATEST = 1 - SCORE_LIMIT, SCORE_LIMIT - 1
# Many equals, many that share digits, and the ends.
scores = (
    st.integers(-3, 3)
    | st.integers(0, 2**17)
    | st.integers(LEAST, GREATEST)
    | st.sampled_from([LEAST, LEAST + 1, GREATEST - 1, GREATEST])
)


def tree(best: list[int]) -> dict[str, dict[str, int]]:
    """The counts that the consumer keeps for players with these best scores."""
    nodes: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for score in best:
        for about, cells in CATALOG.contributions("PLAYED", Played("p", "chess", 1, score)).items():
            for branch, seen in cells.items() if about.kind is SCORES else ():
                nodes[str(about.dimensions[1])][branch] += seen.weight
    return nodes


@given(best=st.lists(scores, min_size=1, max_size=60))
def test_the_rank_is_that_of_a_sort_of_all_players(best: list[int]) -> None:
    nodes, sort = tree(best), sorted(best, reverse=True)
    for score in best:
        found = standing(score, [nodes[prefix] for prefix, _ in way(score)])
        assert found == Standing(score, sort.index(score) + 1, len(best), sort.count(score) - 1)


@given(score=scores)
def test_a_best_score_that_the_counts_do_not_know_yet_has_a_rank_already(score: int) -> None:
    others = [LEAST, 0, 1, GREATEST]
    nodes = tree(others)
    found = standing(score, [nodes.get(prefix, {}) for prefix, _ in way(score)])
    assert found.rank == 1 + sum(other > score for other in others)
    assert (found.players, found.tied) == (4, 0)


@given(one=scores, other=scores)
def test_ways_sort_as_their_scores_do(one: int, other: int) -> None:
    ways = ["".join(branch for _, branch in way(score)) for score in (one, other)]
    assert (ways[0] < ways[1]) == (one < other)


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (0, [("", "80"), ("80", "00"), ("8000", "00"), ("800000", "00"), ("80000000", "00")]),
        (258, [("", "80"), ("80", "00"), ("8000", "00"), ("800000", "01"), ("80000001", "02")]),
        (LEAST, [("", "00"), ("00", "00"), ("0000", "00"), ("000000", "00"), ("00000000", "01")]),
        (GREATEST, [("", "ff"), ("ff", "ff"), ("ffff", "ff"), ("ffffff", "ff"), ("ffffffff", "ff")]),
    ],
)
def test_the_way_to_a_score_has_five_nodes(score: int, expected: list[tuple[str, str]]) -> None:
    assert way(score) == expected


def test_a_play_counts_for_its_edge_and_with_an_award_for_its_player() -> None:
    seen = {PLAYED("Rick", "chess"): {"Count": Observation(1, Decimal(420), 1_000)}}
    assert CATALOG.contributions("PLAY", Play("Rick", "chess", 1_000, 420)) == seen
    won = {PLAYER("Rick"): {"Awards": Observation()}}
    assert CATALOG.contributions("PLAY", Play("Rick", "chess", 1_000, 420, "Champ")) == seen | won


def test_an_edge_counts_for_player_and_game_and_at_five_nodes() -> None:
    assert CATALOG.contributions("PLAYED", Played("Rick", "chess", 7, 258)) == {
        PLAYER("Rick"): {"Plays": Observation(7), "Games": Observation()},
        GAME("chess"): {"Plays": Observation(7), "Players": Observation()},
        SCORES("chess", ""): {"80": Observation()},
        SCORES("chess", "80"): {"00": Observation()},
        SCORES("chess", "8000"): {"00": Observation()},
        SCORES("chess", "800000"): {"01": Observation()},
        SCORES("chess", "80000001"): {"02": Observation()},
    }
