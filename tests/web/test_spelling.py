"""Each text has one spelling in a URL, no two share one, and no gateway can spoil it."""

from collections.abc import Callable
from urllib.parse import quote, unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from functions.web.spelling import composed, read, spell
from tests.support.http import Client, send

pytestmark = pytest.mark.usefixtures("handlers")

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)
# With an accent and letters of Hangul that can be composed.
ODD = st.text(st.sampled_from("~/%?.2FfEe5#\ufffdé\u0301\u1112\u1161\u11ab"), max_size=8)
DEVICE = Client(groups=("ingest",))
EVENTS = "GET /devices/{device}/events"


def once_but_for_percents(path: str) -> str:
    """As the emulator decodes, and as was long said of API Gateway."""
    return "%25".join(map(unquote, path.split("%25")))


def twice(path: str) -> str:
    """As API Gateway was seen to decode: what stands behind a `?` that was escaped is lost."""
    return unquote(unquote(path).partition("?")[0])


GATEWAYS: list[Callable[[str], str]] = [unquote, once_but_for_percents, twice]


@given(TEXTS | ODD)
@example("..")
@example("\ufffd")
@example("~\u0300")
@example("e\u0301")
def test_what_is_spelled_is_read_however_a_gateway_decodes(text: str) -> None:
    for decode in GATEWAYS:
        assert read(decode(quote(spell(text), safe=""))) == text


@given(TEXTS | ODD, st.sampled_from(["", ","]))
def test_a_text_has_one_spelling(spelled: str, also: str) -> None:
    try:
        text = read(spelled, also)
    except ValueError:
        assert spell(spelled, also) != spelled
    else:
        assert spell(text, also) == composed(spelled)


def handed_out(decode: Callable[[str], str], path: str) -> int:
    """The status of the answer to a path that a gateway has decoded."""
    event = DEVICE.event(EVENTS, device="x") | {"rawPath": decode(path)}
    return send(event).status


@pytest.mark.parametrize("decode", GATEWAYS[1:])
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/devices/A/events", 200),
        ("/devices/%41/events", 200),  # by the rules of URLs this is the same as A
        ("/devices/Z%C3%BCrich/events", 200),
        ("/devices/New%20York/events", 200),
        ("/devices/a~2Fb/events", 200),
        ("/devices/50~25/events", 200),
        ("/devices/~EF~BF~BD/events", 200),
        ("/devices/cafe%CC%81/events", 200),
        ("/devices/cafe~CC~81/events", 200),
        ("/devices/caf~C3~A9/events", 400),
        ("/devices/%FF/events", 400),
        ("/devices/%FE/events", 400),
        ("/devices/%C3/events", 400),
        ("/devices/%EF%BF%BD/events", 400),
        ("/devices/50%25/events", 400),
        ("/devices/a%2Fb/events", 400),
        ("/devices/~41/events", 400),
        ("/devices/a~2fb/events", 400),
        ("/devices/~FF/events", 400),
        ("/devices/a~/events", 400),
    ],
)
def test_a_path_names_one_id_or_none(decode: Callable[[str], str], path: str, status: int) -> None:
    assert handed_out(decode, path) == status


@pytest.mark.parametrize("path", ["/devices/%2541/events", "/devices/a%252Fb/events", "/devices/a%3Fb/events"])
def test_a_percent_or_a_question_checkpoint_is_spelled_with_a_tilde(path: str) -> None:
    """Where a gateway decodes twice, or cuts, there is nothing left to be refused."""
    assert handed_out(once_but_for_percents, path) == 400


def test_the_right_spelling_is_told() -> None:
    event = DEVICE.event(EVENTS, device="x") | {"rawPath": "/devices/50%/events"}
    assert send(event).body["errors"] == [{"field": "device", "error": "must be spelled 50~25"}]
