"""Keys of aggregates by templates: what an aggregate is about makes its key, and is read from it again."""

from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise import KeyTemplate, Millis
from edgewise.dynamodb.templates import Component, Template
from edgewise.times import EARLIEST, LATEST

NOON = 1535544000000
names, instants = st.text(max_size=8), st.integers(EARLIEST, LATEST)


class City(NamedTuple):
    country: str
    name: str


SUMMARY = KeyTemplate("ROOM#{room}")
EDGE = KeyTemplate("USER#{user}", "EDGE#POSTED_IN#ROOM#{room}")
PATH = KeyTemplate("DEVICE#{device}", "EDGE#AT#{place}", place=tuple[str, ...])
BLOCK = KeyTemplate("DEVICE#{device}", "ROLLUP#{block}", block=Millis)
ODD = KeyTemplate("TOTAL#{value}", Template((Component("EDGE"), Component("a#{b}"), Component("", "other"))))
CITY = KeyTemplate("CITY#{city}", "PER_DAY#{day}", city=City)


@pytest.mark.parametrize(
    ("template", "dimensions", "key"),
    [
        (SUMMARY, ("a b",), ("ROOM#a$20b", "EDGE#")),
        (EDGE, ("amy", ""), ("USER#amy", "EDGE#POSTED_IN#ROOM#")),
        (PATH, ("d", ("US", "New York")), ("DEVICE#d", "EDGE#AT#US#New$20York")),
        (BLOCK, ("d", NOON), ("DEVICE#d", "ROLLUP#2018-08-29T12:00:00.000Z")),
        (ODD, ("v", "o"), ("TOTAL#v", "EDGE#a$23{b}#o")),
        (CITY, (City("US", "a#b"), "2018"), ("CITY#US#a$23b", "PER_DAY#2018")),
    ],
)
def test_keys_read_as_they_are_declared(template: KeyTemplate, dimensions: Any, key: tuple[str, str]) -> None:
    assert template(*dimensions) == key
    assert template.parse(*key) == dimensions


@given(names, names, st.lists(names, min_size=1, max_size=3), instants)
def test_what_is_about_comes_back(one: str, other: str, path: list[str], at: int) -> None:
    told = ((EDGE, (one, other)), (PATH, (one, tuple(path))), (BLOCK, (one, at)), (CITY, (City(one, other), one)))
    assert [template.parse(*template(*about)) for template, about in told] == [about for _, about in told]


@pytest.mark.parametrize(
    ("template", "key"),
    [
        (SUMMARY, ("USER#amy", "EDGE#")),
        (SUMMARY, ("ROOM#a#b", "EDGE#")),
        (SUMMARY, ("ROOM", "EDGE#")),
        (SUMMARY, ("ROOM#a", "EDGE#POSTED_IN")),
        (EDGE, ("USER#amy", "EDGE#HOSTS#ROOM#a")),
        (EDGE, ("USER#amy", "EDGE#POSTED_IN#ROOM")),
        (PATH, ("DEVICE#d", "EDGE#AT")),
        (BLOCK, ("DEVICE#d", "ROLLUP#soon")),
        (CITY, ("CITY#US", "PER_DAY#2018")),
    ],
)
def test_keys_of_another_kind_are_refused(template: KeyTemplate, key: tuple[str, str]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (says which key, or what is wrong with its parts)
        template.parse(*key)


@pytest.mark.parametrize(
    ("template", "told", "dimensions"),
    [
        (BLOCK, ("d", "2018-08-29T12:00:00.000Z"), ("d", NOON)),
        (BLOCK, ("d", NOON), ("d", NOON)),
        (PATH, ("d", ("US",)), ("d", ("US",))),
        (CITY, (("US", "Reno"), "2018"), (City("US", "Reno"), "2018")),
    ],
)
def test_people_write_instants_and_lists(template: KeyTemplate, told: Any, dimensions: Any) -> None:
    assert template.named(*told) == dimensions


@pytest.mark.parametrize(
    ("template", "told", "why"),
    [
        (BLOCK, ("d", "noon"), "not an instant"),
        (PATH, ("d", "US"), "a list names"),
        (CITY, (("US",), "2018"), "name"),
        (CITY, ("US", "2018"), "a list names"),
        (SUMMARY, (), "0 given, needed are room"),
        (EDGE, ("amy",), "1 given, needed are user, room"),
        (SUMMARY, (("quay",),), "a text names"),
    ],
)
def test_what_people_write_that_names_nothing(template: KeyTemplate, told: Any, why: str) -> None:
    with pytest.raises((TypeError, ValueError), match=why):
        template.named(*told)


@pytest.mark.parametrize(
    ("templates", "types"),
    [
        (("ROOM",), {}),
        (("{room}",), {}),
        (("ROOM#{room}", "EDGE#{room}"), {}),
        (("ROOM#{room}", "EDGE#{user}"), {"amy": str}),
        (("ROOM#{room}", "EDGE#{user}"), {"user": float}),
        (("ROOM#{room}", "EDGE#at_{user}"), {}),
        (("ROOM#{room}", "EDGE#{number:04}"), {}),
        (("ROOM#{room}", "EDGE#{path}#{user}"), {"path": tuple[str, ...]}),
    ],
)
def test_templates_that_make_no_keys_are_refused(templates: tuple[str, ...], types: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        KeyTemplate(*templates, **types)
