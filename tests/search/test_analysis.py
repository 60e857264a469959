"""Whatever people write becomes the same words when it is indexed, when it is asked for, and where it is marked."""

import random
import sys
from pathlib import Path

import pytest

from edgewise import Key
from edgewise.dynamodb.table import chunks
from functions.search import analysis
from functions.search.embedded import Embedded
from functions.search.engine import Address
from functions.search.excerpts import excerpts
from functions.search.query import Search, clauses
from functions.searchable import Contents

# Surrogates are halves of characters: nothing that is stored has one.
CHARACTERS = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]
AT_ONCE, TRIPLES = 1_000, 20_000


@pytest.fixture(scope="module")
def letters() -> list[str]:
    """The characters that words are made of; most of the others are of no use to anybody, and many at once."""
    some = [each for each in chunks(CHARACTERS, AT_ONCE) if analysis.words(" ".join(each))]
    return [each for those in some for each in those if analysis.words(each)]


@pytest.fixture(scope="module")
def stemmed(letters: list[str]) -> dict[str, tuple[str, ...]]:
    """Words of each letter alone, doubled and between others, and of three characters; and their stems in the index."""
    chosen, found = random.Random(1), dict[str, tuple[str, ...]]()
    three = ["".join(chosen.choices(letters, k=2) + chosen.choices(CHARACTERS)) for _ in range(TRIPLES)]
    for texts in (letters, [each * 2 for each in letters], [f"stor{each}age" for each in letters], three):
        text = " ".join(texts)
        words, *of_languages = (analyzer.analyze(text) for analyzer in (analysis.plain(), *analysis.stems().values()))
        assert {len(each) for each in of_languages} == {len(words)}
        found.update(zip(words, zip(*of_languages, strict=True), strict=True))
    return found


def test_all_other_characters_only_separate_words(letters: list[str]) -> None:
    others = sorted(set(CHARACTERS) - set(letters))
    assert len(others) > 900_000
    assert set(analysis.words("a".join(each * 2 for each in others))) == {"a"}


def test_a_word_that_is_asked_for_has_the_stems_that_it_has_in_the_index(stemmed: dict[str, tuple[str, ...]]) -> None:
    assert len(stemmed) > 100_000
    wrong = {
        word
        for word, stems in stemmed.items()
        if tuple(analysis.stem(word, language) for language in analysis.LANGUAGES) != stems
    }
    assert not wrong


def test_no_word_has_a_space(stemmed: dict[str, tuple[str, ...]]) -> None:
    """A phrase is sent to OpenSearch as its words with spaces between."""
    assert not [word for word in stemmed if word.split() != [word]]


def test_what_is_written_is_found_as_it_is_written_and_marked(letters: list[str], tmp_path: Path) -> None:
    """Also where the words of a text, taken apart again, are others: of ⑴⑵ and İ."""
    odd = [each for each in letters if analysis.words(analysis.words(each)[0]) != analysis.words(each)]
    assert len(odd) > 50
    index, texts = Embedded(tmp_path), [f"storage stop{each}{each}" for each in odd]
    index.write({Address("x", Key(str(n), "x")): Contents((str(n),), "", text) for n, text in enumerate(texts)})
    for n, text in enumerate(texts):
        for q in (text, f'"{text}" ', f"{text.split()[1]} "):
            asked = clauses(q, analysis.words)
            hits = index.search(Search(sub="amy", clauses=asked, limit=100)).addresses
            assert Address("x", Key(str(n), "x")) in hits, q
            assert excerpts([text], asked).each[0].marks, q
    assert index.search(Search(sub="amy", clauses=clauses("storage", analysis.words))).total == len(odd)
