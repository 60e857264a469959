"""Excerpts: the part of a text in which something was found, and where in it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from functions.search import analysis
from functions.search.analysis import Alike
from functions.search.query import Clause, Phrase, Word

# How much is shown, and how much of it before the first hit.
_SHOWN, _BEFORE = 200, 60
# In how many characters hits are looked for, of all texts of one answer together, and up to which one of each: whoever
# writes long texts makes nobody else's search slow.
MOST_LOOKED_AT = 20_000


class Excerpt(NamedTuple):
    """A part of a text, and its words that were asked for: where each begins and ends, in characters."""

    text: str
    marks: Sequence[tuple[int, int]]


class Excerpts(NamedTuple):
    """Those of the texts of one answer, and in how many characters hits were looked for."""

    each: Sequence[Excerpt]
    looked_at: int


def excerpts(texts: Sequence[str], clauses: Sequence[Clause]) -> Excerpts:
    """Of each text the part around the first of its words that were asked for; without any, its beginning."""
    asked, share = _Asked(clauses), _share([len(text) for text in texts])
    looked_at = sum(min(len(text), share) for text in texts)
    return Excerpts([_excerpt(text, asked, share) for text in texts], looked_at)


def _share(lengths: Sequence[int]) -> int:
    """In how much of each text hits are looked for: what short ones leave is for the others, in equal parts."""
    left = MOST_LOOKED_AT
    for shorter, length in enumerate(sorted(lengths)):
        share = left // (len(lengths) - shorter)
        if length > share:
            return share
        left -= length
    return MOST_LOOKED_AT


def _excerpt(text: str, asked: "_Asked", share: int) -> Excerpt:
    begin = _begin(text, asked, share)
    marks = [(begin + low, begin + high) for low, high in asked.marks(text[begin : begin + share])]
    first = marks[0][0] if marks else 0
    start = _boundary(text, first - _BEFORE) if first > _SHOWN - _BEFORE else 0
    end = start + _SHOWN
    inside = [(low - start, high - start) for low, high in marks if start <= low and high <= end]
    return Excerpt(text[start:end], inside)


def _begin(text: str, asked: "_Asked", share: int) -> int:
    """From where on to look, if not in all: a little before what is there just as it was asked for."""
    begin = asked.written_in(text[:MOST_LOOKED_AT]) - _BEFORE if len(text) > share else 0
    return _boundary(text, begin) if begin > 0 else 0


def _boundary(text: str, start: int) -> int:
    """Where the next word begins."""
    return text.find(" ", start, start + _BEFORE) + 1 or start


class _Asked:
    """What was asked for, in which each word of a text is looked up: how much it is makes that no slower."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._phrases = [clause.words for clause in clauses if isinstance(clause, Phrase)]
        words = [clause for clause in clauses if isinstance(clause, Word)]
        self._beginnings = tuple(clause.text for clause in words if clause.prefix)
        self._words = Alike(clause.text for clause in words)
        self._stems = {
            language: Alike(analysis.stem(clause.text, language) for clause in words) for language in analysis.LANGUAGES
        }
        # Words of one stem begin alike, and only few words do: so few need be stemmed.
        self._first = {clause.text[:2] for clause in words}
        self._written = {clause.text for clause in words} | {phrase[0] for phrase in self._phrases}
        self._known: dict[str, bool] = {}

    def written_in(self, text: str) -> int:
        """About where a text first has what was asked for just as it is written; 0 if nowhere."""
        lowered = text.lower()
        found = (lowered.find(each) for each in self._written)
        return min((at for at in found if at >= 0), default=0)

    def marks(self, text: str) -> Sequence[tuple[int, int]]:
        """Where a text has what was asked for."""
        tokens = analysis.plain().pre_tokenize(text).tokens
        words = [each.text for each in tokens]
        found = {at for at, word in enumerate(words) if self._is(word)} | set(self._in_phrases(words))
        return [(tokens[at].char_offset_from, tokens[at].char_offset_to) for at in sorted(found)]

    def _is(self, word: str) -> bool:
        if word not in self._known:
            self._known[word] = word.startswith(self._beginnings) or word in self._words or self._of_stem(word)
        return self._known[word]

    def _of_stem(self, word: str) -> bool:
        return word[:2] in self._first and any(
            analysis.stem(word, language) in wanted for language, wanted in self._stems.items()
        )

    def _in_phrases(self, words: Sequence[str]) -> Iterator[int]:
        for phrase in self._phrases:
            for at in range(len(words) - len(phrase) + 1):
                if words[at] == phrase[0] and tuple(words[at : at + len(phrase)]) == phrase:
                    yield from range(at, at + len(phrase))
