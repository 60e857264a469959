"""Telemetry, chat, places."""

from typing import Any

from functions.web.spelling import spell
from tests.adversarial.cases.case import Case, Request, Seen, get
from tests.adversarial.texts import Texts


def _reading(t: Texts, metrics: Any, attributes: Any) -> Any:
    names = {"device_id": t.id, "at": t.instant, "event_id": t.short, "place": list(t.place)}
    return {"events": [names | {"metrics": metrics, "attributes": attributes}]}


def _most(t: Texts) -> Any:
    metrics = {f"{t.metric[:-2]}{n:02d}": t.measure for n in range(100)}
    return _reading(t, metrics, {f"{n:02d}": t.prose[0] * (8000 // 50 // len(t.prose[0].encode())) for n in range(50)})


def _reading_seen(t: Texts, body: Any) -> Seen:
    (event,) = body["events"]
    expected = {name: event[name] for name in ("event_id", "at", "place", "metrics", "attributes")}
    return _readings(t), [expected]


def _readings(t: Texts) -> Any:
    return get("/devices/{device}/events", device=t.id)["events"]


def _message(t: Texts, text: str) -> Any:
    return {"messages": [{"text": text, "message_id": t.short, "user": t.id, "sent_at": t.instant}]}


def _names(t: Texts) -> dict[str, str]:
    return {"user": t.id, "sent_at": t.instant}


def _message_seen(t: Texts, body: Any) -> Seen:
    return get("/rooms/{room}/messages", room=t.id)["messages"], body["messages"]


def _room_seen(t: Texts, body: Any) -> Seen:
    return get("/rooms/{room}", room=t.id), {"room": t.id, "shards": body["shards"], "messages": 0, "users": 0}


def _resident(t: Texts) -> Request:
    return Request("PUT /places/entities/{kind}/{id}", {"kind": "PLAYER", "id": t.id}, {"path": list(t.place)})


def _residents(t: Texts) -> Any:
    path = "/".join(map(spell, t.place))
    found = get("/places/entities", {"path": path, "kind": "PLAYER"})["entities"]
    return [entity for entity in found if entity["id"] == t.id]


INGESTION = [
    Case(
        lambda t: Request(
            "POST /telemetry", {}, _reading(t, {t.metric: t.measure}, {t.metric: t.prose, "n": t.measure})
        ),
        _reading_seen,
        largest=_most,
        judged="events",
    ),
    Case(
        lambda t: Request(
            "DELETE /devices/{device}/events/{id}", {"device": t.id, "id": t.short}, None, {"at": t.instant}
        ),
        lambda t, _: (_readings(t), []),
        before=lambda t: [Request("POST /telemetry", {}, _reading(t, {t.metric: t.number}, {}))],
    ),
    Case(
        lambda t: Request("POST /rooms/{room}/messages", {"room": t.id}, _message(t, t.text)),
        _message_seen,
        largest=lambda t: _message(t, t.text[0] * 10_000),
        judged="messages",
    ),
    Case(
        lambda t: Request("DELETE /rooms/{room}/messages/{id}", {"room": t.id, "id": t.short}, query=_names(t)),
        lambda t, _: (get("/rooms/{room}/messages", {"user": t.id}, room=t.id)["messages"], []),
        before=lambda t: [Request("POST /rooms/{room}/messages", {"room": t.id}, _message(t, t.text))],
    ),
    Case(lambda t: Request("PUT /rooms/{room}", {"room": t.id}, {"shards": 3}), _room_seen),
    Case(_resident, lambda t, _: (_residents(t), [{"kind": "PLAYER", "id": t.id, "path": list(t.place)}])),
    Case(
        lambda t: Request("DELETE /places/entities/{kind}/{id}", {"kind": "PLAYER", "id": t.id}),
        lambda t, _: (_residents(t), []),
        before=lambda t: [_resident(t)],
    ),
]
