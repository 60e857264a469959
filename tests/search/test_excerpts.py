"""What is shown of a text: the part that was asked for, and where in it the words are."""

import pytest

from functions.search import analysis
from functions.search.excerpts import excerpt
from functions.search.query import clauses


def marked(text: str, asked: str) -> list[str]:
    found = excerpt(text, clauses(asked, analysis.words))
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
    found = excerpt(text, clauses("zeppelin", analysis.words))
    assert len(found.text) == 200
    assert [found.text[start:end] for start, end in found.marks] == ["zeppelin"]
    assert excerpt(text, clauses("word ", analysis.words)).text == text[:200]


def test_what_is_cut_off_is_not_marked() -> None:
    found = excerpt("a" * 195 + " zeppelin zeppelin", clauses("zeppelin", analysis.words))
    assert all(found.text[start:end] == "zeppelin" for start, end in found.marks)
