"""How text becomes words: in the index, in queries, and where a hit is marked, always the same."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

# Words also match others of the same stem. Nobody says in which language a text is, so it has the stems of each.
LANGUAGES = ("english", "spanish", "german")
# Longer words are names of a machine's, cut nowhere; nobody types them.
LONGEST = 100
# One letter may be wrong, missing, too many, or have changed places with the next, in words of so many letters.
FORGIVING = 4


@cache
def plain() -> TextAnalyzer:
    """Words in lower case and without accents."""
    return _folding().build()


@cache
def stems() -> Mapping[str, TextAnalyzer]:
    """The stems of such words, by language."""
    return {language: _folding().filter(Filter.stemmer(language)).build() for language in LANGUAGES}


@cache
def _stemmers() -> Mapping[str, TextAnalyzer]:
    whole = {language: TextAnalyzerBuilder(Tokenizer.raw()) for language in LANGUAGES}
    return {language: builder.filter(Filter.stemmer(language)).build() for language, builder in whole.items()}


def words(text: str) -> Sequence[str]:
    """The words of a text."""
    return plain().analyze(text)


def stem(word: str, language: str) -> str:
    """The stem of a word of `words`, which is not taken apart again: accents off, ⑴ is (1), three words of text."""
    (found,) = _stemmers()[language].analyze(word)
    return found


def forgives(wanted: str, word: str) -> bool:
    """Whether two words differ by one letter at most."""
    if len(wanted) < FORGIVING or abs(len(wanted) - len(word)) > 1:
        return wanted == word
    start = next((at for at, (a, b) in enumerate(zip(wanted, word, strict=False)) if a != b), None)
    if start is None:
        return True
    left, right = wanted[start:], word[start:]
    swapped = left[:2] == right[1::-1] and left[2:] == right[2:]
    return swapped or left[1:] == right[1:] or left[1:] == right or left == right[1:]


class Alike:
    """Words, to be told from others as `forgives` does, with as many looks as the other has letters.

    Two words that differ by one letter at most have this in common: one of them, or one without one of its letters.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._by_part: dict[str, list[str]] = {}
        for word in dict.fromkeys(words):
            for part in _parts(word) if len(word) >= FORGIVING else (word,):
                self._by_part.setdefault(part, []).append(word)

    def __contains__(self, word: str) -> bool:
        return any(forgives(wanted, word) for wanted in self._near(word))

    def _near(self, word: str) -> set[str]:
        return {wanted for part in _parts(word) for wanted in self._by_part.get(part, ())}


def _parts(word: str) -> set[str]:
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def _folding() -> TextAnalyzerBuilder:
    builder = TextAnalyzerBuilder(Tokenizer.simple())
    return builder.filter(Filter.remove_long(LONGEST)).filter(Filter.lowercase()).filter(Filter.ascii_fold())
