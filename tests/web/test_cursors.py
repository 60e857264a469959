"""Cursors tell nothing, and can't be made up, changed, or used for another query."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.errors import InvalidInputError
from functions.cursors import MAX_LENGTH, Cursors

QUERY: dict[str, object] = {"route": "events", "device": "123", "order": "asc", "place": ("US", "TX")}
POSITION = {"PK": "DEVICE#123", "SK": "EVENT#2018 Zürich \U0001f600"}
CURSORS = Cursors(lambda: b"a secret of thirty-two bytes ....")


def cursor() -> str:
    made = CURSORS.encode(QUERY, POSITION)
    assert made is not None
    return made


def refused(text: str, query: dict[str, object] = QUERY, cursors: Cursors = CURSORS) -> None:
    with pytest.raises(InvalidInputError, match="is not a cursor of this query") as caught:
        cursors.decode(query, text)
    assert [error.field for error in caught.value.errors] == ["cursor"]


@given(st.dictionaries(st.text(), st.text()))
def test_a_position_comes_back(position: dict[str, str]) -> None:
    assert CURSORS.decode(QUERY, CURSORS.encode(QUERY, position)) == position


def test_no_position_is_no_cursor_and_needs_no_secret() -> None:
    def secret() -> bytes:
        raise AssertionError("asked for")

    assert Cursors(secret).encode(QUERY, None) is None
    assert Cursors(secret).decode(QUERY, None) is None


def opened(text: str) -> bytes:
    """What anybody can make of a cursor without the secret."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def test_it_tells_none_of_the_keys() -> None:
    raw = opened(cursor())
    texts = [part for value in POSITION.values() for part in value.replace("#", " ").split()]
    assert [text for text in (*texts, *POSITION) if len(text) > 1 and text.encode() in raw] == []


def test_no_two_cursors_are_equal_and_each_is_read() -> None:
    """One nonce for two positions would let whoever holds both cursors read them."""
    made = {cursor() for _ in range(100)}
    assert len(made) == len({opened(text)[:12] for text in made}) == 100
    assert all(CURSORS.decode(QUERY, text) == POSITION for text in made)


KEY_BYTES, PLACE_BYTES = 1024, 900
PLACE = "\\" * PLACE_BYTES  # JSON doubles each


@pytest.mark.parametrize(
    "keys",
    [
        *(4 * [character * (KEY_BYTES // len(character.encode()))] for character in "xé\U0001f600"),
        [PLACE, "x", PLACE, "x"],
    ],
)
def test_the_longest_keys_fit(keys: list[str]) -> None:
    """Four of them; no partition key of ours is longer than a sort key may be (test_keys.py)."""
    position = dict(zip(("PK", "SK", "GSI2PK", "GSI2SK"), keys, strict=True))
    made = CURSORS.encode(QUERY, position)
    assert made is not None
    assert len(made) <= MAX_LENGTH
    assert CURSORS.decode(QUERY, made) == position


def test_what_is_longer_is_not_even_looked_at() -> None:
    def secret() -> bytes:
        raise AssertionError("asked for")

    refused("A" * (MAX_LENGTH + 1), cursors=Cursors(secret))


def test_a_cursor_can_stand_in_an_address() -> None:
    assert set(cursor()) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


@pytest.mark.parametrize(
    "other",
    [
        {"device": "124"},
        {"order": "desc"},
        {"route": "device"},
        {"place": ("US",)},
        {"place": ("US TX",)},
        {"after": None},
    ],
)
def test_another_query_refuses_it(other: dict[str, object]) -> None:
    refused(cursor(), QUERY | other)


def test_another_secret_refuses_it() -> None:
    refused(cursor(), cursors=Cursors(lambda: b"another secret"))


def test_every_truncation_is_refused() -> None:
    for length in range(len(cursor())):
        refused(cursor()[:length])


def test_every_changed_byte_is_refused() -> None:
    raw = base64.urlsafe_b64decode(cursor() + "=" * (-len(cursor()) % 4))
    assert len(raw) > 12 + 16  # nonce, position and tag
    for index in range(len(raw)):
        changed = raw[:index] + bytes([raw[index] ^ 1]) + raw[index + 1 :]
        refused(base64.urlsafe_b64encode(changed).decode().rstrip("="))


def test_a_forged_position_is_refused() -> None:
    forged = json.dumps({"PK": "DEVICE#other", "SK": "EVENT#"}).encode()
    refused(base64.urlsafe_b64encode(bytes(16) + forged).decode().rstrip("="))


@pytest.mark.parametrize("text", ["", "A", "====", "not a cursor", "é", "\ud800", "AAAA" * 1000, "null"])
def test_anything_else_is_refused(text: str) -> None:
    refused(text)
