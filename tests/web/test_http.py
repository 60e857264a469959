"""What all routes share: bodies, content types, groups, ids in paths, unknown routes."""

import base64
from typing import Any

import pytest

from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from functions.routes import PUBLIC, ROUTES
from tests.support.http import Client, http_event, send

pytestmark = pytest.mark.usefixtures("handlers")

DEVICE = Client(groups=("ingest",))
BODY = '{"events":[{"device_id":"é","at":0,"metrics":{}}]}'


def posted(body: str | None = BODY, **other: Any) -> dict[str, Any]:
    return DEVICE.event("POST /telemetry", body=body) | other


BAD_BODIES = {
    "none": (None, "events"),
    "empty": ("", "events"),
    "null": ("null", "body"),
    "no JSON": ("events", "body"),
    "cut off": ('{"events":[', "body"),
    "two values": ("{} {}", "body"),
    "NaN": ('{"events":[{"device_id":"a","at":0,"metrics":{"x":NaN}}]}', "events.0.metrics.x"),
    "infinity": ('{"events":[-Infinity]}', "events.0"),
    "a word in a text": ('{"events":"NaN or -Infinity"}', "events"),
    "a long name": ('{"' + "x" * 300 + '":[{"\\ud800":NaN}]}', "x" * 200 + "…"),
    "half a pair": ('{"\\ud800":NaN}', "?"),
    "a number of 5,000 digits": ('{"events":[' + "1" * 5000 + "]}", "body"),
    "an exponent of 23 digits": ('{"events":[1e99999999999999999999999]}', "body"),
    "100,000 levels": ("[" * 100_000, "body"),
    "a list": ("[]", "body"),
    "a number": ("3", "body"),
    "text": ('"events"', "body"),
    "no events": ("{}", "events"),
    "events are null": ('{"events":null}', "events"),
    "events are an object": ('{"events":{}}', "events"),
    "empty events": ('{"events":[]}', "events"),
    "501 events": ('{"events":[' + ",".join(["1"] * 501) + "]}", "events"),
    "unknown field": ('{"events":[1],"evens":1}', "evens"),
}


@pytest.mark.parametrize(("body", "field"), BAD_BODIES.values(), ids=BAD_BODIES.keys())
def test_a_body_that_is_no_request_is_400_and_stores_nothing(body: str | None, field: str, table: Table) -> None:
    answer = send(posted(body))
    assert (answer.status, answer.fields) == (400, [field])
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.body.keys() == {"type", "title", "status", "detail", "errors"}
    assert (answer.body["title"], answer.body["status"]) == ("Bad Request", 400)
    assert answer.cost == (0, 0, 0)


def encoded(body: bytes) -> dict[str, Any]:
    return posted(base64.b64encode(body).decode(), isBase64Encoded=True)


def test_a_base64_body_is_read() -> None:
    assert send(encoded(BODY.encode())).body == {"accepted": 1, "rejected": []}


@pytest.mark.parametrize("body", [b"\xff\xfe", BODY.encode("latin-1"), b"not JSON"])
def test_a_base64_body_that_is_no_json_text_is_400(body: bytes) -> None:
    answer = send(encoded(body))
    assert (answer.status, answer.fields) == (400, ["body"])


@pytest.mark.parametrize(
    "headers", [{}, {"content-type": "application/json; charset=utf-8"}, {"Content-Type": "application/json"}]
)
def test_json_may_come_without_saying_so(headers: dict[str, str]) -> None:
    assert send(posted(headers=headers)).status == 202


@pytest.mark.parametrize("content_type", ["text/plain", "application/xml", "application/octet-stream"])
def test_other_content_types_are_415(content_type: str) -> None:
    answer = send(posted(headers={"content-type": content_type}))
    assert (answer.status, answer.body["title"]) == (415, "Unsupported Media Type")
    assert answer.headers["Content-Type"] == "application/problem+json"


MESSAGE = {"messages": [{"text": "hi"}]}
RESTRICTED: list[tuple[str, dict[str, str], Any, str]] = [
    ("POST /telemetry", {}, {"events": [{"device_id": "1", "at": 0, "metrics": {}}]}, "ingest"),
    ("PUT /rooms/{room}", {"room": "seattle"}, {"shards": 2}, "admin"),
    ("POST /rooms/{room}/messages", {"room": "seattle"}, {"messages": [{"text": "hi", "user": "bob"}]}, "import"),
    ("POST /rooms/{room}/messages", {"room": "seattle"}, {"messages": [{"text": "hi", "sent_at": 0}]}, "import"),
]
ALL_GROUPS = ("ingest", "import", "admin")


@pytest.mark.parametrize(("route", "ids", "body", "group"), RESTRICTED)
def test_only_the_group_may(route: str, ids: dict[str, str], body: Any, group: str, table: Table) -> None:
    others = tuple(one for one in ALL_GROUPS if one != group)
    for groups in ((), others, (f"not-{group}",), (group.upper(),)):
        answer = Client(groups=groups).call(route, None, body, **ids)
        assert (answer.status, answer.body["title"], answer.body["group"]) == (403, "Forbidden", group)
        assert f"'{group}'" in answer.body["detail"]
    assert table.client.scan(TableName=table.name)["Count"] == 0
    assert Client(groups=(group,)).call(route, None, body, **ids).status in (200, 202)


@pytest.mark.parametrize(
    ("event", "status"),
    [
        (Client().event("GET /rooms"), 200),
        (Client().event("GET /rooms/{room}", room="nowhere"), 404),
        (Client().event("GET /rooms", {"limit": "0"}), 400),
        (Client().event("POST /telemetry", body=BODY), 403),
        (http_event("GET /health", {}, {}, None, None), 200),
    ],
)
def test_no_answer_is_kept_or_taken_for_anything_else(event: Any, status: int) -> None:
    answer = send(event)
    assert answer.status == status
    assert (answer.headers["cache-control"], answer.headers["x-content-type-options"]) == ("no-store", "nosniff")


AMY: dict[str, Any] = {"sub": "8f1c", "username": "amy", "token_use": "access", "iat": "1535543000"}
CLAIMS: list[tuple[Any, int]] = [
    (AMY | {"cognito:groups": "[ingest]"}, 202),
    (AMY | {"cognito:groups": "[admin ingest]"}, 202),
    (AMY | {"cognito:groups": "[team,ingest [x] o'admin' ingest]"}, 202),
    (AMY | {"cognito:groups": "[]"}, 403),
    (AMY, 403),
    (AMY | {"username": "", "cognito:groups": "[ingest]"}, 401),
    (AMY | {"sub": "", "cognito:groups": "[ingest]"}, 401),
    ({"username": "amy", "token_use": "access", "iat": "1535543000", "cognito:groups": "[ingest]"}, 401),
    ({"sub": "8f1c", "token_use": "access", "iat": "1535543000", "cognito:groups": "[ingest]"}, 401),
    ({"sub": "8f1c", "username": "amy", "cognito:groups": "[ingest]"}, 401),
    ({}, 401),
    (None, 401),
]
# As Cognito makes them: an id token, and what else it might call a token.
NO_ACCESS: list[dict[str, Any]] = [
    {"sub": "8f1c", "cognito:username": "amy", "token_use": "id", "cognito:groups": "[ingest import write admin]"},
    *(AMY | {"token_use": use, "cognito:groups": "[ingest import write admin]"} for use in ("id", "refresh", "", None)),
]
# Each is one name of a group, as Cognito allows it, besides the group that the route requires.
LIKE_INGEST = [
    *("team,ingest", "ingest,team", "not[ingest]", "[ingest]", "[ingest", "ingest]", "o'ingest'", "'ingest'"),
    *('"ingest"', "ingest.", "x/ingest", "ingest|x", "Ingest", "ingest\u0301", "\ufeffingest", "ing\u200best"),
]
# What the gateway never passes, or not from groups that Cognito allows: nobody can tell which groups are meant.
UNCLEAR: list[Any] = [
    *("", " ", "ingest", "ingest,admin", '["admin","ingest"]x', "[ingest", "ingest]", "[ ingest]", "[ingest ]"),
    *("[a  ingest]", "[a\tingest]", "[a\u00a0ingest]", "[a\ningest]", "[ingest]\n", "[ingest] ", "[ ]"),
    *(["ingest"], ["admin", "ingest"], {"ingest": 1}, None, 1),
]


@pytest.mark.parametrize(("claims", "status"), CLAIMS)
def test_groups_are_read_from_the_token(claims: Any, status: int) -> None:
    assert send(http_event("POST /telemetry", {}, {}, BODY, claims)).status == status


@pytest.mark.parametrize("name", LIKE_INGEST)
def test_a_group_of_another_name_is_another_group(name: str) -> None:
    for groups in ((name,), ("first", name), (name, "last")):
        assert Client(groups=groups).call("POST /telemetry", None, BODY).status == 403


@pytest.mark.parametrize("claim", UNCLEAR)
def test_groups_that_cannot_be_told_apart_are_refused_and_nobody_is_let_in(claim: Any) -> None:
    claims = AMY | {"cognito:groups": claim, "exp": "4102444800"}
    for route, body in (("POST /telemetry", BODY), ("POST /push/tickets", None), ("GET /rooms", None)):
        assert send(http_event(route, {}, {}, body, claims)).status == 401


@pytest.mark.parametrize("route", sorted({route for routes in ROUTES.values() for route in routes} - PUBLIC))
def test_every_guarded_route_wants_an_access_token(route: str) -> None:
    ids = {part.partition("}")[0]: "x" for part in route.split("{")[1:]}
    for claims in NO_ACCESS:
        answer = send(http_event(route, ids, {}, None, claims | {"exp": "4102444800"}))
        assert (answer.status, answer.body["title"]) == (401, "Unauthorized")
        assert answer.headers["WWW-Authenticate"] == 'Bearer error="invalid_token"'


ODD_IDS = [
    "123",
    "a/b",
    "/",
    "a#b",
    "a$23b",
    "50%",
    "%",
    "%41",
    "%2F",
    "%252F",
    "a b",
    "a+b",
    "a?b=c&d",
    "..",
    "{device}",
    "<device>",
    "Zürich",
    "日本",
    "\U0001f600",
    "'\"\\`|^~",
    "\u2028",
]


@pytest.mark.parametrize("device", ODD_IDS)
def test_every_id_can_be_written_and_read(device: str) -> None:
    body = {"events": [{"device_id": device, "at": 0, "event_id": device, "metrics": {}}]}
    assert DEVICE.call("POST /telemetry", body=body).body["accepted"] == 1
    answer = DEVICE.call("GET /devices/{device}/events", device=device)
    assert [event["event_id"] for event in answer.body["events"]] == [device]


@pytest.mark.parametrize("device", ["a\nb", "\x00", "x" * 201, "\U0001f600" * 200 + "x"])
def test_ids_that_nothing_can_be_stored_under_are_400(device: str) -> None:
    answer = DEVICE.call("GET /devices/{device}/events", device=device)
    assert (answer.status, answer.fields) == (400, ["device"])


@pytest.mark.parametrize("method", ["DELETE", "GET", "PATCH"])
def test_what_no_route_serves_is_404(method: str) -> None:
    event = posted()
    event["requestContext"]["http"]["method"] = method
    answer = send(event)
    assert (answer.status, answer.body["detail"]) == (404, "there is no such route")


MISSING = [
    ("GET /devices/{device}", {"device": "x"}, {}, "there is no device 'x'"),
    ("GET /rooms/{room}", {"room": "x"}, {}, "there is no room 'x'"),
    ("GET /places", {}, {"path": "x/y"}, "there is no place 'x/y'"),
]


@pytest.mark.parametrize(("route", "ids", "query", "detail"), MISSING)
def test_what_is_not_there_is_404(route: str, ids: dict[str, str], query: dict[str, str], detail: str) -> None:
    answer = Client().call(route, query, **ids)
    assert (answer.status, answer.body["title"], answer.body["detail"]) == (404, "Not Found", detail)
    # The numbers of a place are not with what is below it.
    assert answer.cost[0] == (2 if route == "GET /places" else 1)


def test_health_asks_nobody() -> None:
    answer = send(http_event("GET /health", {}, {}, None, None))
    assert (answer.status, answer.body, answer.cost) == (200, {"status": "ok"}, (0, 0, 0))


@pytest.mark.parametrize("content_type", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_forms_are_415_even_where_powertools_would_read_them(content_type: str) -> None:
    event = Client(groups=("ingest",)).event("POST /telemetry", body='{"events": [{}]}')
    event["headers"]["content-type"] = content_type
    assert send(event).status == 415


def test_who_may_not_is_told_nothing_about_the_body() -> None:
    assert Client().call("POST /telemetry", body="{").status == 403
    assert Client().call("PUT /rooms/{room}", body="{", room="seattle").status == 403


def test_numbers_are_written_plainly() -> None:
    event = {"device_id": "d", "at": 0, "metrics": {"wind_dir": 110, "far": 9e12, "small": 0.00001}}
    assert Client(groups=("ingest",)).call("POST /telemetry", body={"events": [event]}).status == 202
    (found,) = Client().call("GET /devices/{device}/events", device="d").body["events"]
    assert {name: str(value) for name, value in found["metrics"].items()} == {
        "wind_dir": "110",
        "far": "9000000000000",
        "small": "0.00001",
    }


def test_no_test_depends_on_how_fast_the_machine_is(table: Table) -> None:
    table.allow(1e-9)
    assert table.get(Key("PK", "SK")) is None
