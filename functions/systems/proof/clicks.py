"""What was clicked, as a short text: `12k,60p,75r` kills the consumer in second 12, poisons a record in 60, redrives.

Its letters are the keys of the console's page, and R.
"""

import re
from collections.abc import Mapping
from typing import Final

from functions.systems.proof.entity import Act, Click

LETTERS: Final[Mapping[str, Act]] = {
    "k": "kill",
    "a": "lose answer",
    "p": "poison",
    "s": "slow",
    "d": "repeat",
    "h": "repeat half",
    "b": "rewind",
    "l": "lose state",
    "x": "split",
    "r": "redrive",
}
# Until then something may be clicked, in seconds; and how much at most.
LAST: Final = 180
MOST: Final = 60
# Of the whole text. Its parts are looked at one by one, to say what is wrong with which.
PATTERN: Final = f"^([0-9]{{1,3}}[{''.join(LETTERS)}](,[0-9]{{1,3}}[{''.join(LETTERS)}])*)?$"
_CLICK: Final = re.compile(f"([0-9]{{1,3}})([{''.join(LETTERS)}])")


def parsed(text: str) -> tuple[Click, ...]:
    """What is clicked, in the order of time; raises ValueError, which says what is wrong with which part."""
    parts = text.split(",") if text else []
    if len(parts) > MOST:
        raise ValueError(f"has {len(parts)} clicks: at most {MOST} can be seen again")
    return tuple(sorted(map(_click, parts), key=lambda each: each.second))


def _click(part: str) -> Click:
    found = _CLICK.fullmatch(part)
    if found is None:
        letters = ", ".join(f"{letter} ({act})" for letter, act in LETTERS.items())
        raise ValueError(f"{part[:12]!r} must be a second and one of {letters}, such as 12k")
    second = int(found[1])
    if second > LAST:
        raise ValueError(f"{part!r} is too late: a run has {LAST} seconds")
    return Click(second, LETTERS[found[2]])
