"""Bytes of items: those of the benchmarks, which count for themselves."""

from hypothesis import given
from hypothesis import strategies as st

from delivery.sizes import item_size
from edgewise.dynamodb.units import item_bytes

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=3).map(str) | st.integers().map(str)
LEAVES = st.one_of(
    TEXTS.map(lambda text: {"S": text}),
    NUMBERS.map(lambda number: {"N": number}),
    st.binary(max_size=8).map(lambda content: {"B": content}),
    st.lists(TEXTS, max_size=3).map(lambda texts: {"SS": texts}),
    st.lists(NUMBERS, max_size=3).map(lambda numbers: {"NS": numbers}),
    st.booleans().map(lambda flag: {"BOOL": flag}),
    st.just({"NULL": True}),
)
VALUES = st.recursive(
    LEAVES,
    lambda values: (
        st.lists(values, max_size=3).map(lambda each: {"L": each})
        | st.dictionaries(TEXTS, values, max_size=3).map(lambda each: {"M": each})
    ),
)


@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_they_are_counted_alike(item: dict[str, dict[str, object]]) -> None:
    assert item_bytes(item) == item_size(item)  # type: ignore[arg-type]


def test_an_item_of_the_documentation() -> None:
    """A name and a text, byte by byte; a number takes a byte for two digits, and one more."""
    assert item_bytes({"PK": {"S": "é"}, "N": {"N": "-123.45"}, "M": {"M": {"a": {"BOOL": True}}}}) == 4 + 6 + 7
