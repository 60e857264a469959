"""What people ask for: words and phrases, which all must be found, and what narrows the search."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from edgewise import InvalidInputError, Millis

Order = Literal["relevance", "time"]
# More would only slow the search: whoever knows so many words of a thing finds it with fewer.
MOST_WORDS = 16
_PARTS = re.compile(r'"([^"]*)"?|(\S+)')


@dataclass(frozen=True)
class Word:
    """A word; as `prefix`, also the beginning of one."""

    text: str
    prefix: bool = False


@dataclass(frozen=True)
class Phrase:
    """Words that follow each other."""

    words: tuple[str, ...]


Clause = Word | Phrase


@dataclass(frozen=True, kw_only=True)
class Search:
    """One search, for the user with this `sub`: what must be found, and where.

    `kinds`: only things of these kinds; none: of all. `attributes`: only things that have all of these. `start`, `end`:
    only things from then on, and before. `without`: the addresses, as texts, of what is not found in any case. `offset`
    and `limit`: which of those found. `facets`: the attributes whose values are counted.
    """

    sub: str
    clauses: Sequence[Clause] = ()
    kinds: Sequence[str] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    start: Millis | None = None
    end: Millis | None = None
    without: Sequence[str] = ()
    order: Order = "relevance"
    offset: int = 0
    limit: int = 20
    facets: Sequence[str] = ()


def clauses(text: str, words_of: Callable[[str], Sequence[str]]) -> tuple[Clause, ...]:
    """The clauses of what a person has typed; raises InvalidInputError for `q`.

    Text in quotes is a phrase. A word that ends in `*`, and one that is still being typed, the last, are also prefixes.
    `words_of` takes text apart as the index does: what it takes for several words, such as a date, is a phrase, unless
    the last of them is a prefix.
    """
    found = tuple(_clauses(text, words_of))
    if not found:
        raise InvalidInputError.of("q", "must contain a letter or a digit")
    if sum(len(each.words) if isinstance(each, Phrase) else 1 for each in found) > MOST_WORDS:
        raise InvalidInputError.of("q", f"must not have more than {MOST_WORDS} words")
    return found


def _clauses(text: str, words_of: Callable[[str], Sequence[str]]) -> Iterator[Clause]:
    for part in _PARTS.finditer(text):
        quoted, plain = part.groups()
        words = tuple(words_of(quoted if plain is None else plain))
        if words and plain is not None and (plain.endswith("*") or part.end() == len(text)):
            yield from map(Word, words[:-1])
            yield Word(words[-1], prefix=True)
        elif words:
            yield Phrase(words) if len(words) > 1 else Word(words[0])
