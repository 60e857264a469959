"""Excerpts: the part of a text in which something was found, and where in it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tantivy import Token

from functions.search import analysis
from functions.search.query import Clause, Phrase, Word

# How much is shown, how much of it before the first hit, and in how much of a long text hits are looked for.
_SHOWN, _BEFORE, _LOOKED_AT = 200, 60, 20_000


class Excerpt(NamedTuple):
    """A part of a text, and its words that were asked for: where each begins and ends, in characters."""

    text: str
    marks: Sequence[tuple[int, int]]


class _Placed(NamedTuple):
    word: str
    start: int
    end: int


def excerpt(text: str, clauses: Sequence[Clause]) -> Excerpt:
    """The part of a text around the first of its words that were asked for; without any, its beginning."""
    marks = list(_marks(text[:_LOOKED_AT], clauses))
    first = marks[0][0] if marks else 0
    start = _boundary(text, first - _BEFORE) if first > _SHOWN - _BEFORE else 0
    end = start + _SHOWN
    inside = [(low - start, high - start) for low, high in marks if start <= low and high <= end]
    return Excerpt(text[start:end], inside)


def _boundary(text: str, start: int) -> int:
    """Where the next word begins."""
    return text.find(" ", start, start + _BEFORE) + 1 or start


def _marks(text: str, clauses: Sequence[Clause]) -> Iterator[tuple[int, int]]:
    placed = [_Placed(each.text, each.char_offset_from, each.char_offset_to) for each in _tokens(text)]
    found = {at for clause in clauses for at in _found(placed, clause)}
    return ((placed[at].start, placed[at].end) for at in sorted(found))


def _tokens(text: str) -> Sequence[Token]:
    return analysis.plain().pre_tokenize(text).tokens


def _found(placed: Sequence[_Placed], clause: Clause) -> Iterator[int]:
    if isinstance(clause, Phrase):
        words, length = [each.word for each in placed], len(clause.words)
        for at in range(len(words) - length + 1):
            if tuple(words[at : at + length]) == clause.words:
                yield from range(at, at + length)
        return
    stems = {language: analysis.stem(clause.text, language) for language in analysis.LANGUAGES}
    for at, each in enumerate(placed):
        if _is(clause, each.word) or _of_stem(each.word, stems, clause):
            yield at


def _is(clause: Word, word: str) -> bool:
    return (
        word == clause.text or (clause.prefix and word.startswith(clause.text)) or analysis.forgives(clause.text, word)
    )


def _of_stem(word: str, stems: dict[str, str], clause: Word) -> bool:
    # Words of one stem begin alike, and only few words do: so few need be stemmed.
    if word[:2] != clause.text[:2]:
        return False
    return any(analysis.forgives(of_wanted, analysis.stem(word, language)) for language, of_wanted in stems.items())
