"""What is counted of games; the exact rank against a sort of all players."""

import re
from collections import defaultdict
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates.measures import Observation
from functions.catalog import CATALOG
from functions.systems.games.entity import (
    BOUNDS,
    SCORE_LIMIT,
    Play,
    Played,
    Score,
    Standing,
    scored,
    standing,
    way,
)
from functions.systems.games.system import GAME, PLAYED, PLAYER, SCORES

LEAST, GREATEST = -SCORE_LIMIT, SCORE_LIMIT
ENDS = [2**39 - 1, 2**39, -(2**39), -(2**39) - 1, LEAST, LEAST + 1, GREATEST - 1, GREATEST]
# Many equals, many that share digits, the ends, and what lies between two whole scores.
scores = st.one_of(
    *(st.integers(-3, 3), st.integers(0, 2**17), st.integers(LEAST, GREATEST), st.sampled_from(ENDS)),
    st.builds(lambda thousandths: scored(Decimal(thousandths) / 1000), st.integers(-2500, 2500)),
    st.decimals(1 - 2**39, 2**39 - 1, places=6).map(scored),
)


def tree(best: list[Score]) -> dict[str, dict[str, int]]:
    """The counts that the consumer keeps for players with these best scores."""
    nodes: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for score in best:
        for about, cells in CATALOG.contributions("PLAYED", Played("p", "chess", 1, score)).items():
            for branch, seen in cells.items() if about.kind is SCORES else ():
                nodes[str(about.dimensions[1])][branch] += seen.weight
    return nodes


@given(best=st.lists(scores, min_size=1, max_size=60))
def test_the_rank_is_that_of_a_sort_of_all_players(best: list[Score]) -> None:
    nodes, sort = tree(best), sorted(best, reverse=True)
    for score in best:
        found = standing(score, [nodes[prefix] for prefix, _ in way(score)])
        assert found == Standing(score, sort.index(score) + 1, len(best), sort.count(score) - 1)


@given(score=scores)
def test_a_best_score_that_the_counts_do_not_know_yet_has_a_rank_already(score: Score) -> None:
    others: list[Score] = [LEAST, 0, 1, Decimal("1.5"), GREATEST]
    nodes = tree(others)
    found = standing(score, [nodes.get(prefix, {}) for prefix, _ in way(score)])
    assert found.rank == 1 + sum(other > score for other in others)
    assert (found.players, found.tied) == (5, 0)


@given(one=scores, other=scores)
def test_ways_sort_as_their_scores_do(one: Score, other: Score) -> None:
    ways = ["".join(branch for _, branch in way(score)) for score in (one, other)]
    assert (ways[0] < ways[1]) == (one < other)


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (0, [("", "80"), ("80", "00"), ("8000", "00"), ("800000", "00"), ("80000000", "00")]),
        (258, [("", "80"), ("80", "00"), ("8000", "00"), ("800000", "01"), ("80000001", "02")]),
        (1 - 2**39, [("", "00"), ("00", "00"), ("0000", "00"), ("000000", "00"), ("00000000", "01")]),
        (2**39 - 1, [("", "ff"), ("ff", "ff"), ("ffff", "ff"), ("ffffff", "ff"), ("ffffffff", "ff")]),
    ],
)
def test_the_way_to_a_score_has_five_nodes(score: int, expected: list[tuple[str, str]]) -> None:
    assert way(score) == expected


@pytest.mark.parametrize(
    ("score", "branches"),
    [
        (2**53, "g20 00 00 00 00 00 00"),
        (-(2**53), "-e0 00 00 00 00 00 00"),
        (Decimal("12.345"), "80 00 00 00 0c~ 34 50 00"),
        (Decimal("-0.25"), "7f ff ff ff ff~ 75 00 00"),
    ],
)
def test_a_great_score_has_seven_and_decimals_are_three_more(score: Score, branches: str) -> None:
    assert " ".join(branch for _, branch in way(score)) == branches


@pytest.mark.parametrize(
    "number", ["9007199254740993", "-9007199254740993", "0.0000001", "549755813888.5", "NaN", "1e99"]
)
def test_what_no_score_is_is_refused_with_the_bounds(number: str) -> None:
    with pytest.raises(ValueError, match=re.escape(BOUNDS)):
        scored(Decimal(number))


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
