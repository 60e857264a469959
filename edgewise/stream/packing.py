"""Effects as text, for the state of a window: JSON, compressed, in Base64.

What many effects of a batch have in common stands in the text once: a record's place in the stream, and what it counts.
What waits is for shared aggregates: it counts and adds up, and has no extremes.
"""

import base64
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Batch, Effect, Made
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Observation, Observations

_FASTEST = 1
# Added and removed, as something that can be looked up.
_Counted = tuple[tuple[tuple[str, Observation], ...], ...]


def packed(waiting: Batch) -> str:
    """The effects as a text, compressed for speed rather than for size."""
    places, counted = dict[tuple[int, ...], int](), dict[Any, int]()
    effects = [
        [
            about.plain,
            [places.setdefault((*each.checkpoint[:2], *(each.made or ())), len(places)) for each in of_one],
            [counted.setdefault(_counted(each), len(counted)) for each in of_one],
        ]
        for about, of_one in waiting.items()
    ]
    plain = [list(places), [list(map(_plain, each)) for each in counted], effects]
    return base64.b64encode(zlib.compress(json.dumps(plain).encode(), _FASTEST)).decode()


def unpacked(catalog: Catalog, text: str) -> Iterator[tuple[AggregateId, list[Effect]]]:
    """The inverse of `packed`, without kinds that the catalog does not know."""
    places, counted, effects = json.loads(zlib.decompress(base64.b64decode(text)))
    at = [(Checkpoint(*place[:2]), Made(*place[2:]) if place[2:] else None) for place in places]
    both = [list(map(_observations, each)) for each in counted]
    for plain, placed, what in effects:
        if plain[0] in catalog.kinds:
            found = ((*at[place], *both[number]) for place, number in zip(placed, what, strict=True))
            yield catalog.named(plain), [Effect(last, came, went, made=made) for last, made, came, went in found]


def _counted(effect: Effect) -> _Counted:
    return tuple(effect.added.items()), tuple(effect.removed.items())


def _plain(observations: Sequence[tuple[str, Observation]]) -> dict[str, list[Any]]:
    return {name: [seen.weight, None if seen.amount is None else str(seen.amount)] for name, seen in observations}


def _observations(plain: Mapping[str, Sequence[Any]]) -> Observations:
    return {
        name: Observation(weight, amount=None if amount is None else Decimal(amount))
        for name, (weight, amount) in plain.items()
    }
