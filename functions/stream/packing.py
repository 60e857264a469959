"""Effects as text, for the state of a window: JSON, compressed, in Base64."""

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from functions.aggregates.catalog import Catalog
from functions.aggregates.cells import pack_extremes, unpack_extremes
from functions.aggregates.checkpoints import Checkpoint
from functions.aggregates.effects import Batch, Effect
from functions.aggregates.ids import AggregateId
from functions.aggregates.measures import Observation, Observations, Passed
from functions.dynamodb.attributes import s, string

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
    return {
        name: [weight, _text(value), at, _text(amount), *_passed(passed)]
        for name, (weight, value, at, amount, passed) in observations.items()
    }


def _observations(plain: Mapping[str, Sequence[Any]]) -> Observations:
    return {
        name: Observation(weight, _number(value), at, _number(amount), _read_passed(passed))
        for name, (weight, value, at, amount, *passed) in plain.items()
    }


def _passed(passed: Passed | None) -> list[Any]:
    return [] if passed is None else [string(pack_extremes(each)) for each in passed[:2]] + [passed.number]


def _read_passed(plain: Sequence[Any]) -> Passed | None:
    if not plain:
        return None
    came, went, number = plain
    return Passed(unpack_extremes(s(came)), unpack_extremes(s(went)), number)


def _text(number: Decimal | None) -> str | None:
    return None if number is None else str(number)


def _number(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
