"""What people type becomes words and phrases, and what it can't be is said."""

import pytest

from edgewise import InvalidInputError
from functions.search import analysis
from functions.search.query import MOST_WORDS, Clause, Phrase, Word, clauses


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Zeppelins depart", [Word("zeppelins"), Word("depart", prefix=True)]),
        ("depart ", [Word("depart")]),
        ("zep* now ", [Word("zep", prefix=True), Word("now")]),
        ('"see you" CAFÉ ', [Phrase(("see", "you")), Word("cafe")]),
        ('"see you', [Phrase(("see", "you"))]),
        ('"One" ', [Word("one")]),
        ("dev-17 x", [Phrase(("dev", "17")), Word("x", prefix=True)]),
        ("dev-1", [Word("dev"), Word("1", prefix=True)]),
        ("readers:* + OR", [Word("readers", prefix=True), Word("or", prefix=True)]),
    ],
)
def test_words_phrases_and_beginnings(text: str, expected: list[Clause]) -> None:
    assert list(clauses(text, analysis.words)) == expected


@pytest.mark.parametrize("text", ["...", '""', "*", " "])
def test_something_must_be_asked_for(text: str) -> None:
    with pytest.raises(InvalidInputError, match="a letter or a digit"):
        clauses(text, analysis.words)


def test_nobody_asks_for_more_words_than_help() -> None:
    assert len(clauses("a " * MOST_WORDS, analysis.words)) == MOST_WORDS
    for text in ("a " * (MOST_WORDS + 1), f'"{"a " * (MOST_WORDS + 1)}"'):
        with pytest.raises(InvalidInputError, match="words"):
            clauses(text, analysis.words)


@pytest.mark.parametrize(
    ("wanted", "word", "forgiven"),
    [
        ("tabels", "tables", True),
        ("abcd", "abc", True),
        ("abcd", "abcde", True),
        ("abcd", "xbcd", True),
        ("abcd", "bacd", True),
        ("abcd", "abcd", True),
        ("abcd", "badc", False),
        ("abcd", "abxy", False),
        ("abcd", "abcdef", False),
        ("abc", "abd", False),
    ],
)
def test_one_wrong_letter_is_forgiven_in_words_that_are_not_short(wanted: str, word: str, forgiven: bool) -> None:
    assert analysis.forgives(wanted, word) is forgiven
