"""Keys: reversible, injective, in the order of their components, with prefixes that end at a border."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.dynamodb import keys
from tests.support.keys import texts

components = st.lists(texts, min_size=1, max_size=4).map(tuple)


def stored_order(components: tuple[str, ...]) -> tuple[bytes, ...]:
    """What DynamoDB compares: UTF-8."""
    return tuple(component.encode() for component in components)


class TestJoin:
    @given(one=components)
    def test_a_key_is_taken_apart_into_what_it_was_made_of(self, one: tuple[str, ...]) -> None:
        assert keys.split(keys.join(*one)) == one

    @given(one=components, other=components)
    def test_different_components_give_different_keys(self, one: tuple[str, ...], other: tuple[str, ...]) -> None:
        assert (keys.join(*one) == keys.join(*other)) == (one == other)

    @given(one=components, other=components)
    def test_keys_sort_as_their_components_do(self, one: tuple[str, ...], other: tuple[str, ...]) -> None:
        assert (keys.join(*one).encode() < keys.join(*other).encode()) == (stored_order(one) < stored_order(other))

    @given(one=components, other=components)
    def test_a_prefix_finds_what_goes_on_after_it_and_nothing_else(
        self, one: tuple[str, ...], other: tuple[str, ...]
    ) -> None:
        goes_on = len(other) > len(one) and other[: len(one)] == one
        assert keys.join(*other).startswith(keys.prefix(*one)) == goes_on

    @given(one=texts)
    def test_no_component_holds_a_delimiter_and_none_gets_shorter(self, one: str) -> None:
        assert "#" not in keys.escape(one)
        assert len(keys.escape(one)) >= len(one)

    @pytest.mark.parametrize(
        ("component", "escaped"),
        [
            ("", ""),
            ("TX", "TX"),
            ("New York", "New$20York"),
            ("a#b", "a$23b"),
            ("$23", "$2423"),
            ("50%", "50%"),
            ("a/b-c:d", "a/b-c:d"),
            ("\x00\n", "$00$0a"),
            ("Zürich", "Zürich"),
        ],
    )
    def test_only_characters_up_to_the_escape_are_escaped(self, component: str, escaped: str) -> None:
        assert keys.escape(component) == escaped
        assert keys.unescape(escaped) == component

    def test_the_prefix_of_a_state_finds_no_other_state(self) -> None:
        assert keys.prefix("US", "TX") == "US#TX#"
        assert keys.join("US", "TX", "Houston").startswith(keys.prefix("US", "TX"))
        assert not keys.join("US", "TXX", "Houston").startswith(keys.prefix("US", "TX"))
        assert not keys.join("US", "TX#Houston").startswith(keys.prefix("US", "TX"))
