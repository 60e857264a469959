"""Effects as text, for the state of a window: JSON, compressed, in Base64."""

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from functions.aggregates.catalog import Catalog
from functions.aggregates.checkpoints import Checkpoint
from functions.aggregates.effects import Batch, Effect
from functions.aggregates.ids import AggregateId
from functions.aggregates.measures import Observation, Observations

_FASTEST = 1


def packed(deferred: Batch) -> str:
    """The effects as a text, compressed for speed rather than for size."""
    plain = [[about.plain, [_plain(effect) for effect in effects]] for about, effects in deferred.items()]
    return base64.b64encode(zlib.compress(json.dumps(plain).encode(), _FASTEST)).decode()


def unpacked(catalog: Catalog, text: str) -> Iterable[tuple[AggregateId, list[Effect]]]:
    """The inverse of `packed`, without kinds that the catalog does not know."""
    for plain, effects in json.loads(zlib.decompress(base64.b64decode(text))):
        if plain[0] in catalog.kinds:
            yield catalog.named(plain), list(map(_effect, effects))


def _plain(effect: Effect) -> list[Any]:
    return [str(effect.checkpoint.sequence), effect.checkpoint.at, _observed(effect.added), _observed(effect.removed)]


def _effect(plain: Sequence[Any]) -> Effect:
    sequence, at, added, removed = plain
    return Effect(Checkpoint(int(sequence), at), _observations(added), _observations(removed))


def _observed(observations: Observations) -> dict[str, list[Any]]:
    return {name: [_text(field) for field in seen] for name, seen in observations.items()}


def _observations(plain: Mapping[str, Sequence[Any]]) -> Observations:
    return {
        name: Observation(weight, _number(value), at, _number(amount))
        for name, (weight, value, at, amount) in plain.items()
    }


def _text(field: Decimal | int | None) -> str | int | None:
    return str(field) if isinstance(field, Decimal) else field


def _number(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
