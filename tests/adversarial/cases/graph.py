"""Nodes and edges."""

from typing import Any

from tests.adversarial.cases.case import Case, Request, Seen, get
from tests.adversarial.texts import Texts


def _attributes(t: Texts) -> list[Any]:
    return [
        {"name": "born", "value": "1971-12-21"},
        {"name": "lives_in", "value": list(t.place)},
        {"name": "name", "value": t.id},
        {"name": "skill", "value": t.id},
    ]


def _node(t: Texts) -> Request:
    """Of any type: it has edges, and no attributes."""
    return Request("PUT /graph/nodes/{type}/{id}", {"type": t.name, "id": t.id}, {"attributes": []})


def _person(t: Texts) -> Request:
    return Request("PUT /graph/nodes/{type}/{id}", {"type": "person", "id": t.id}, {"attributes": _attributes(t)})


def _most_attributes(t: Texts) -> Any:
    places = [{"name": "lives_in", "value": [*t.place[:-1], f"{n:02d}"]} for n in range(37)]
    return {"attributes": [each for each in _attributes(t) if each["name"] != "lives_in"] + places}


def _node_seen(t: Texts, body: Any) -> Seen:
    found = get("/graph/nodes/{type}/{id}", type="person", id=t.id)["attributes"]
    return found, sorted(body["attributes"], key=lambda each: (each["name"], each["value"]))


def _edge(method: str, t: Texts, body: Any = None, of: str = "") -> Request:
    ids = {"type": of or t.name, "id": t.id, "label": t.name, "target_type": t.name, "target_id": t.id}
    return Request(f"{method} /graph/edges/{{type}}/{{id}}/{{label}}/{{target_type}}/{{target_id}}", ids, body)


def _edge_body(t: Texts, data: Any) -> Any:
    return {"weight": t.number, "data": data}


def _edges(t: Texts) -> Any:
    sides = ("out", "in")
    found = (get("/graph/nodes/{type}/{id}/edges", {"direction": side}, type=t.name, id=t.id) for side in sides)
    return [each["edges"] for each in found]


def _edge_seen(t: Texts, body: Any) -> Seen:
    node = {"type": t.name, "id": t.id}
    return _edges(t), [
        [{"source": node, "label": t.name, "target": node, "neighbour": None, "summary": None, **body}]
    ] * 2


def _state_seen(t: Texts, body: Any) -> Seen:
    found = get("/graph/nodes/{type}/{id}", type="host", id=t.id)
    return {name: found[name] for name in body}, body


GRAPH = [
    Case(_person, _node_seen, largest=_most_attributes),
    Case(
        lambda t: Request("DELETE /graph/nodes/{type}/{id}", {"type": "person", "id": t.id}),
        lambda t, _: (get("/graph/nodes/{type}/{id}", type="person", id=t.id)["status"], 404),
        before=lambda t: [_node(t), _person(t), _edge("PUT", t, {}, "person")],
    ),
    Case(
        lambda t: Request(
            "PUT /graph/nodes/{type}/{id}/state",
            {"type": "host", "id": t.id},
            {"state": "down", "measures": {"load": t.measure}},
        ),
        _state_seen,
        before=lambda t: [Request("PUT /graph/nodes/{type}/{id}", {"type": "host", "id": t.id}, {"attributes": []})],
    ),
    Case(
        lambda t: _edge("PUT", t, _edge_body(t, {t.text: t.text})),
        _edge_seen,
        before=lambda t: [_node(t)],
        largest=lambda t: _edge_body(t, {"a": t.text[0] * ((1024 - len('{"a":""}')) // len(t.text[0].encode()))}),
    ),
    Case(
        lambda t: _edge("DELETE", t),
        lambda t, _: (_edges(t), [[], []]),
        before=lambda t: [_node(t), _edge("PUT", t, {})],
    ),
]
