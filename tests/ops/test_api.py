"""The demo's client before a server that is busy, and before none."""

from types import SimpleNamespace
from typing import Any

import pytest
import requests
from requests.exceptions import ChunkedEncodingError, ContentDecodingError
from urllib3.connectionpool import ConnectionPool
from urllib3.exceptions import MaxRetryError, NewConnectionError

from ops import retries
from ops.api import Api, ApiError, BusyError, UnreachableError
from ops.retries import LAST, LONGEST, PATIENCE, SPREAD

COST = {f"x-consumed-{kind}": "1" for kind in ("requests", "read-units", "write-units")}
ACCEPTED = b'{"accepted": 1}'
WHOLE = {"content-length": str(len(ACCEPTED))}
Given = tuple[int, dict[str, str]] | requests.RequestException | type[requests.RequestException]
STORED: Given = (202, COST | WHOLE)
CUT: Given = (202, COST)
REFUSED = requests.ConnectionError(
    MaxRetryError(ConnectionPool("nowhere"), "/", NewConnectionError(None, "nobody listens"))  # type: ignore[arg-type]
)


class Server(requests.adapters.BaseAdapter):
    """Answers in turn, the last one for ever; an error is what the caller meets instead of an answer."""

    def __init__(self, *answers: Given) -> None:
        super().__init__()
        self.answers = list(answers)
        self.bodies: list[Any] = []
        self.tokens: list[str] = []

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        self.bodies.append(request.body)
        self.tokens.append(request.headers["authorization"])
        given = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if not isinstance(given, tuple):
            raise given
        response = requests.Response()
        response.status_code, response.request, response.url = given[0], request, str(request.url)
        response.headers.update(given[1])
        response._content = ACCEPTED
        return response

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Instead of sleeping; no other time passes."""
    slept: list[float] = []
    monkeypatch.setattr(retries, "time", SimpleNamespace(sleep=slept.append, monotonic=lambda: sum(slept)))
    return slept


def client(server: Server) -> Api:
    tokens = iter(("token", "renewed"))
    api = Api("http://nowhere", lambda: next(tokens), connections=1)
    api._session.mount("http://", server)
    return api


def post(server: Server) -> dict[str, Any]:
    return client(server).post("telemetry", body={"events": [1]})


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_it_comes_again_when_it_is_told_to_and_not_before(status: int, pauses: list[float]) -> None:
    server = Server((status, WHOLE | {"Retry-After": "10"}), (status, WHOLE | {"Retry-After": "2"}), STORED)
    assert post(server) == {"accepted": 1}
    assert server.bodies == [b'{"events": [1]}'] * 3
    assert [low <= pause <= low * (1 + SPREAD) for low, pause in zip((10, 2), pauses, strict=True)] == [True, True]


def test_clients_refused_together_do_not_come_again_together(pauses: list[float]) -> None:
    for _ in range(20):
        post(Server((503, WHOLE | {"Retry-After": "10"}), STORED))
    assert len(set(pauses)) > 10


@pytest.mark.parametrize("asked", ["86400", "Sun, 22 Nov 2026 09:00:00 GMT", None])
def test_no_pause_is_longer_than_a_bound(asked: str | None, pauses: list[float]) -> None:
    server = Server((503, WHOLE | ({"Retry-After": asked} if asked else {})))
    with pytest.raises(BusyError, match="503"):
        post(server)
    assert len(server.bodies) > PATIENCE / (LONGEST * (1 + SPREAD))
    assert 0 < max(pauses) <= LONGEST * (1 + SPREAD)


@pytest.mark.usefixtures("pauses")
def test_who_is_in_a_hurry_tries_twice() -> None:
    server = Server((503, WHOLE))
    with pytest.raises(BusyError, match="POST /telemetry: 503"):
        client(server).hurried().post("telemetry", body={})
    assert len(server.bodies) == 2


@pytest.mark.parametrize("busy", [(503, WHOLE), requests.ReadTimeout])
def test_it_asks_as_long_as_the_server_answers_anybody(busy: Given, pauses: list[float]) -> None:
    """Each pause is a minute at most; while another request is answered every nine of them, this one goes on."""
    server = Server(busy)
    api, others = client(server), client(Server(STORED))
    others._retries = api._retries
    send, sent = server.send, list[int]()

    def sending(*args: Any, **given: Any) -> requests.Response:
        sent.append(1)
        if len(sent) < 100 and not len(sent) % 9:
            others.post("telemetry", body={})
        return send(*args, **given)

    server.send = sending  # type: ignore[method-assign]
    with pytest.raises(BusyError):
        api.post("telemetry", body={})
    assert 100 < len(sent) < 130
    assert PATIENCE < sum(pauses[98:]) < PATIENCE + LONGEST * (1 + SPREAD)


def test_without_a_word_from_the_server_the_pauses_grow(pauses: list[float]) -> None:
    post(Server((503, WHOLE), (503, WHOLE), (503, WHOLE), STORED))
    assert [2**attempt <= pause <= 2**attempt * (1 + SPREAD) for attempt, pause in enumerate(pauses)] == [True] * 3


@pytest.mark.parametrize(
    "lost", [requests.ConnectionError, requests.ReadTimeout, ChunkedEncodingError, ContentDecodingError, CUT]
)
def test_a_lost_answer_is_asked_for_again(lost: Given, pauses: list[float]) -> None:
    server = Server(lost, STORED)
    assert post(server) == {"accepted": 1}
    assert (len(server.bodies), len(pauses)) == (2, 1)


@pytest.mark.usefixtures("pauses")
def test_where_nobody_listens_it_says_so() -> None:
    server = Server(REFUSED)
    with pytest.raises(UnreachableError, match=r"http://nowhere: .*stopped"):
        post(server)
    assert len(server.bodies) == LAST


@pytest.mark.parametrize("lost", [requests.ConnectionError, requests.ReadTimeout, ChunkedEncodingError, CUT])
def test_a_server_that_answers_nobody_is_given_up_in_the_end(lost: Given, pauses: list[float]) -> None:
    with pytest.raises(BusyError, match="POST telemetry: no whole answer"):
        post(Server(lost))
    assert sum(pauses) > PATIENCE


def test_a_token_that_has_ended_is_renewed(pauses: list[float]) -> None:
    server = Server((401, WHOLE), STORED)
    assert post(server) == {"accepted": 1}
    assert server.tokens == ["Bearer token", "Bearer renewed"]


def test_who_is_not_let_in_with_a_new_token_either_is_told(pauses: list[float]) -> None:
    server = Server((401, WHOLE))
    with pytest.raises(ApiError, match="401"):
        post(server)
    assert server.tokens == ["Bearer token", "Bearer renewed"]


@pytest.mark.parametrize("status", [400, 403, 409])
def test_what_would_not_change_is_not_repeated(status: int, pauses: list[float]) -> None:
    with pytest.raises(ApiError, match=str(status)):
        post(Server((status, WHOLE), STORED))
    assert not pauses


@pytest.mark.usefixtures("pauses")
def test_the_same_fault_three_times_is_told_even_to_who_has_time() -> None:
    for asking in (client(server := Server((500, WHOLE))), client(server).hurried()):
        server.bodies.clear()
        with pytest.raises(ApiError, match=r'500 \{"accepted": 1\}'):
            asking.post("telemetry", body={})
        assert len(server.bodies) == LAST


@pytest.mark.usefixtures("pauses")
def test_a_fault_that_passes_is_none() -> None:
    for other in ((503, WHOLE), requests.ReadTimeout):
        server = Server((500, WHOLE), (500, WHOLE), other, (500, WHOLE), (500, WHOLE), STORED)
        assert post(server) == {"accepted": 1}
