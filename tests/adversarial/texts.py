"""Texts of every kind that requests hold: harmless ones, odd ones, the longest, and those that must be refused."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any


@dataclass(frozen=True)
class Texts:
    """One value of each kind; functions/web/fields.py says what is legal."""

    id: str = "an id"
    short: str = "a short id"
    name: str = "a name"
    metric: str = "a metric"
    line: str = "a line"
    prose: str = "some\nprose"
    text: str = "a text"
    place: tuple[str, ...] = ("a place",)
    number: Decimal = Decimal("12.5")
    measure: Decimal = Decimal("12.75")
    score: int | Decimal = 7
    instant: str = "2018-08-29T12:00:00.000Z"


def everywhere(text: str) -> Texts:
    """The same text in every field."""
    return Texts(text, text, text, text, text, text, text, (text,))


# A letter of each of Unicode's seventeen planes; most of the later ones stand for nothing yet.
PLANES = "".join(chr(plane << 16 | 0x21F3) for plane in range(17))
ODD = (
    *("é", "\u1e69", "Å"),  # composed, as names are made (tests/web/test_equivalent_names.py)
    *("\U0001f600", "👩\u200d👩\u200d👧", "🇫🇷", "שלום", "\u202eabc", "مرحبا", "\u0627\u0301", "日本", PLANES),
    *("\U0010ffff", "\ufdd0", "\ue000", "\ufeff", "\u200b", "\u2028", "\u00ad"),
    *(" ", "  a ", "\u00a0", "\u3000"),
    *("#", "##", "a#b", "#a", "a#", "$", "$23", "$$", "%", "%23", "%2523", "50%", "/", "a/b", "..", ".", "+", "&=?"),
    *("0", "007", "7", "-1", "1e5", "9" * 40, "1535544000000", "2018-08-29", "null", "true", "NaN", "[]", "{}"),
    *(
        "{id}",
        "<id>",
        "'",
        '"',
        "\\",
        "\\u0000",
        "`;--",
        "META",
        "NODE",
        "EDGE",
        "DEGREE#out#a",
        "v000000001",
        "LATEST",
    ),
)

# Of one, two, three and four bytes; and one that takes three in a key, as it is escaped there.
WIDTHS = {"x": 1, "é": 2, "€": 3, "\U0001f600": 4, " ": 3}


def longest(character: str) -> Texts:
    """The longest texts of one character that are accepted."""
    bytes_ = WIDTHS[character]
    eighth = character * ((900 // 8 - 1) // bytes_)
    return Texts(
        id=character * 200,
        short=character * min(200, 190 // bytes_),
        name=character * min(64, 90 // bytes_),
        metric=character * 64,
        line=character * 200,
        prose=character * 1000,
        text=character * 1000,
        place=(eighth,) * 8,
    )


_CONTROLS = ("\x00", "a\x1bb", "\x7f", "\x85", "\ud800", "\ude00\ud83d")
_LINES = ("", "a\nb", "\t", *_CONTROLS)
WRONG: dict[str, tuple[Any, ...]] = {
    "id": (*_LINES, "x" * 201),
    "line": (*_LINES, "x" * 201),
    "short": (*_LINES, "x" * 191, "€" * 64, " " * 64),
    "name": (*_LINES, "x" * 65, "€" * 31, " " * 31),
    "metric": (*_LINES, "x" * 65),
    "prose": _CONTROLS,
    "text": ("\ud800", "\ude00\ud83d"),
    "place": ((), ("a",) * 9, ("",), ("x" * 201,), ("€" * 200, "€" * 100), *((text,) for text in _LINES)),
    "number": tuple(map(Decimal, ("1e13", "-1e13", "1e-19", "1e400", "-1e-400", "0.1234567890123456789"))),
    "measure": tuple(map(Decimal, ("1.8e308", "-1e309", "1e-325", "1e400", "-1e-400", "1" * 39, "0.1" + "2" * 38))),
    "score": (2**53 + 1, -(2**53) - 1, Decimal("549755813888.5"), Decimal("0.0000001"), 10**4000),
    "instant": ("", "2018-08-29", "2018-08-29T12:00:00", "2018-02-30T00:00:00Z", "10000-01-01T00:00:00Z", "1535544000"),
}
ACCEPTED_NUMBERS = tuple(map(Decimal, ("0", "-0.000000000000000001", "9999999999999.999999999999999999", "1e12")))
ACCEPTED_MEASURES = tuple(
    map(Decimal, ("1e13", "-18446744073708291555", "1.7976931348623157e308", "-5e-324", "1e-200"))
)
ACCEPTED_SCORES: tuple[int | Decimal, ...] = (0, 2**53, -(2**53), Decimal("12.345"), Decimal("-549755813887.999999"))
ACCEPTED_INSTANTS = ("0001-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "2016-02-29T23:59:59.999Z")
