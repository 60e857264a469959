"""Quarantine and its register fit DynamoDB's limits."""

import pytest

from edgewise.stream import register
from edgewise.stream.quarantine import quarantine_items
from functions.replay.validation import ITEM_BYTES
from tests.support.limits import assert_keys_fit, item_size
from tests.support.streams import PRESENT


def test_the_longest_shard_and_sequence_number_fit_quarantine() -> None:
    (item,) = quarantine_items("x" * 65, {"dynamodb": {"SequenceNumber": "9" * 40}}, "e" * 5000)
    assert_keys_fit(item)


def test_the_fullest_register_is_far_from_the_limit_of_an_item() -> None:
    names = frozenset(f"{number:040d}" for number in range(register.LIMIT))
    one_shard = register.Register(1, {"x" * 65: names})
    each_its_own = register.Register(
        1, {f"{'x' * 61}{number:04d}": frozenset([name]) for number, name in enumerate(names)}
    )
    assert max(item_size(register.replacement(full).item) for full in (one_shard, each_its_own)) < ITEM_BYTES / 3


def test_so_is_one_that_lets_readers_doubt_as_much_as_it_can() -> None:
    """All records that it has room for: no more are announced."""
    names = [f"{number:040d}" for number in range(register.LIMIT)]
    doubts = [f"{'X' * 40} {number:016d}" for number in range(20)]
    full = register.Register(1, {"x" * 65: frozenset(names)})
    for name in names:
        full = full.with_doubts("x" * 65, {name: doubts}, PRESENT)
    with pytest.raises(register.QuarantineFullError):
        full.with_doubts("x" * 65, {f"9{names[0][1:]}": doubts}, PRESENT)
    told = register.replacements(register.Register(), full)
    assert item_size(told[0].item) < ITEM_BYTES
    assert item_size(told[1].item) < 4096, "a reader pays one unit for it"
