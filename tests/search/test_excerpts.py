"""What is shown of a text: the part that was asked for, and where in it the words are."""

import itertools
import random
from collections.abc import Callable
from string import ascii_lowercase

import pytest

from functions.search import analysis
from functions.search.excerpts import MOST_LOOKED_AT, Excerpt, excerpts
from functions.search.query import clauses


def excerpt(text: str, asked: str) -> Excerpt:
    (found,) = excerpts([text], clauses(asked, analysis.words)).each
    return found


def marked(text: str, asked: str) -> list[str]:
    found = excerpt(text, asked)
    return [found.text[start:end] for start, end in found.marks]


@pytest.mark.parametrize(
    ("text", "asked", "expected"),
    [
        ("The quick foxes jumped", "fox jumping ", ["foxes", "jumped"]),
        ("Über Straßen und Häuser", "strasse haus ", ["Straßen", "Häuser"]),
        ("a tabel, a table", "table ", ["tabel", "table"]),
        ("Zeppelins depart", "zepelin ", ["Zeppelins"]),
        ("see you; you see", '"you see"', ["you", "see"]),
        ("🎈 zeppelin", "zepp", ["zeppelin"]),
        ("nothing here", "zeppelin", []),
    ],
)
def test_words_are_marked_as_they_are_written(text: str, asked: str, expected: list[str]) -> None:
    assert marked(text, asked) == expected


def test_of_a_long_text_the_part_around_the_first_hit_is_shown() -> None:
    text = "word " * 300 + "zeppelin " + "word " * 300
    found = excerpt(text, "zeppelin")
    assert len(found.text) == 200
    assert [found.text[start:end] for start, end in found.marks] == ["zeppelin"]
    assert excerpt(text, "word ").text == text[:200]


def test_what_is_cut_off_is_not_marked() -> None:
    found = excerpt("a" * 195 + " zeppelin zeppelin", "zeppelin")
    assert all(found.text[start:end] == "zeppelin" for start, end in found.marks)


def test_what_short_texts_leave_is_for_long_ones() -> None:
    long, asked = "word " * 10_000 + "zepelin", clauses("zeppelin", analysis.words)
    assert [each.marks for each in excerpts(["short", "zeppelin", "", long], asked).each] == [[], [(0, 8)], [], []]
    assert excerpts(["a" * 50] * 100, asked).looked_at == 5_000
    assert excerpts(["a" * 50, *[long] * 99], asked).looked_at == pytest.approx(MOST_LOOKED_AT, abs=100)
    assert excerpts([], asked).each == []


def test_what_is_there_as_it_was_asked_for_is_shown_of_many_long_texts_too() -> None:
    text = "word " * 2_000 + "the Zeppelin departs " + "word " * 2_000
    for each in excerpts([text] * 100, clauses("zeppelin", analysis.words)).each:
        assert [each.text[start:end] for start, end in each.marks] == ["Zeppelin"]


_CHOSEN = random.Random(1)
STORED = [f"storage{letter}" for letter in ascii_lowercase[:16]]


def _word(length: int, of: str = ascii_lowercase) -> str:
    return "".join(_CHOSEN.choices(of, k=length))


def _misspelt() -> str:
    """A word that begins like those asked for, with two wrong letters."""
    return f"st{_word(2)}age{_word(1)}"


def _almost() -> str:
    """One that has all but one letter in common with each of them, and is none of them."""
    return f"sto{chr(_CHOSEN.randrange(0x4E00, 0x9FFF))}rage"


def _text(word: Callable[[], str], length: int) -> str:
    text = ""
    while len(text) < length:
        text += f"{word()} "
    return text[:length]


def _page(word: Callable[[], str], length: int) -> list[str]:
    return [_text(word, length) for _ in range(100)]


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[str], str], int]:
    """How many words are compared, or looked up, for the excerpts of a page."""
    forgives, parts = analysis.forgives, analysis._parts
    count = 0

    def counted_forgives(wanted: str, word: str) -> bool:
        nonlocal count
        count += 1
        return forgives(wanted, word)

    def counted_parts(word: str) -> set[str]:
        nonlocal count
        found = parts(word)
        count += len(found)
        return found

    def of(page: list[str], asked: str) -> int:
        nonlocal count
        count = 0
        excerpts([*[""] * len(page), *page], clauses(asked, analysis.words))
        return count

    monkeypatch.setattr(analysis, "forgives", counted_forgives)
    monkeypatch.setattr(analysis, "_parts", counted_parts)
    return of


@pytest.mark.parametrize("word", [_misspelt, _almost, lambda: "a", lambda: _word(99), lambda: "storage"])
def test_a_hostile_page_costs_at_most_ten_times_an_ordinary_one(
    compared: Callable[[list[str], str], int], word: Callable[[], str]
) -> None:
    ordinary = compared(_page(lambda: _word(_CHOSEN.randint(2, 9)), 100), "zeppelin departs")
    assert compared(_page(word, 1_000), " ".join(STORED)) <= 10 * ordinary


@pytest.mark.parametrize("wanted", [["abca"], ["abc", "abcd", "bcda"], ["aaaa", "aaab"], []])
def test_words_that_are_alike_are_recognized_as_one_by_one(wanted: list[str]) -> None:
    alike = analysis.Alike(wanted)
    words = ["".join(letters) for length in range(7) for letters in itertools.product("abcd", repeat=length)]
    assert [each in alike for each in words] == [any(analysis.forgives(one, each) for one in wanted) for each in words]
