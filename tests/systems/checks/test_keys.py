"""Keys of checks: a run is named by its instant, and what it found sorts causes first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.times import LATEST, from_rfc_3339
from functions.systems.checks import keys
from tests.support.keys import names

RUN = "20261123T054100Z"


def test_keys_read_as_they_are_documented() -> None:
    assert keys.run(RUN) == ("CHECK#20261123T054100Z", "RUN")
    assert keys.LOCK == ("CHECK", "LOCK")
    assert keys.difference(RUN, "wrong", "ROOM", 12) == (
        "CHECK#20261123T054100Z",
        "DIFFERENCE#0-wrong#ROOM#000000000012",
    )


def test_a_run_is_named_by_the_second_that_it_looks_at() -> None:
    assert keys.name_of(from_rfc_3339("2026-11-23T05:41:00.999Z")) == RUN
    assert keys.instant(RUN) == from_rfc_3339("2026-11-23T05:41:00.000Z")


# Of runs: not before there are four digits of a year without zeros.
seconds = st.integers(from_rfc_3339("1000-01-01T00:00:00.000Z") // 1000, LATEST // 1000).map(lambda each: each * 1000)


@given(st.tuples(seconds, seconds))
def test_names_sort_as_instants_do(instants: tuple[int, int]) -> None:
    by_name = sorted(instants, key=keys.name_of)
    assert by_name == sorted(instants)
    assert tuple(keys.instant(keys.name_of(each)) for each in instants) == instants


@pytest.mark.parametrize(
    "text",
    ["", "x", "20261123", "20261123T054100", "2026112T054100Z", "20261323T054100Z", "20261123T246000Z", " " + RUN],
)
def test_other_texts_name_no_run(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        keys.instant(text)


@given(names, names)
def test_causes_sort_first_then_kinds_then_numbers(one: str, other: str) -> None:
    first, second = (keys.difference(RUN, "wrong", one, number).sk for number in (9, 10))
    last, noted = keys.difference(RUN, "follows", other, 0).sk, keys.difference(RUN, "noted", other, 0).sk
    assert first < second < last < noted < keys.run(RUN).sk
    assert all(each.startswith(keys.differences()) for each in (first, second, last, noted))
    assert not keys.run(RUN).sk.startswith(keys.differences())
    assert first.startswith(keys.differences("wrong", one))
    assert last.startswith(keys.differences("follows"))
    assert not first.startswith(keys.differences("follows"))
