"""Documents."""

from typing import Any

from tests.adversarial.cases.case import Case, Request, Seen, get
from tests.adversarial.texts import Texts


def _metadata(t: Texts, attributes: Any, description: str) -> Request:
    body = {"title": t.line, "description": description, "attributes": attributes}
    return Request("PUT /documents/{document}/metadata", {"document": t.id}, body)


def _described(t: Texts) -> Request:
    return _metadata(t, {t.metric: t.prose}, t.prose)


def _fully_described(t: Texts) -> Any:
    attributes = {f"{t.metric[:-2]}{n:02d}": t.prose[0] * 1000 for n in range(50)}
    return _metadata(t, attributes, t.prose[0] * 2000).body


def _version(t: Texts, content: str) -> Any:
    return {"content": content, "note": t.prose}


def _version_seen(t: Texts, body: Any) -> Seen:
    found = get("/documents/{document}", document=t.id)["newest"]
    return (found["content"], found["note"], found["version"]), (body["content"], body["note"], 1)


def _permitted(t: Texts) -> Any:
    readers, writers = ([f"{who}{n:02d}{t.id[3:]}" for n in range(10)] for who in "rw")
    return {"readers": readers, "writers": writers}


def _informed(method: str, t: Texts, body: Any = None) -> Request:
    return Request(f"{method} /documents/{{document}}/information/{{name}}", {"document": t.id, "name": t.name}, body)


def _document(t: Texts, part: str) -> Any:
    return get("/documents/{document}", document=t.id)[part]


DOCUMENTS = [
    Case(_described, lambda t, body: (_document(t, "metadata"), body), largest=_fully_described),
    Case(
        lambda t: Request(
            "PUT /documents/{document}/permissions", {"document": t.id}, {"readers": [t.id], "writers": [t.id]}
        ),
        lambda t, body: (_document(t, "permissions"), {"owner": "amy", **body}),
        before=lambda t: [_described(t)],
        largest=_permitted,
    ),
    Case(
        lambda t: _informed("PUT", t, {"data": {t.text: t.text}}),
        lambda t, body: (_informed("GET", t).send().body, {"name": t.name, **body}),
        before=lambda t: [_described(t)],
        largest=lambda t: {"data": {"a": t.text[0] * ((100_000 - len('{"a":""}')) // len(t.text[0].encode()))}},
        anything="data",
    ),
    Case(
        lambda t: _informed("DELETE", t),
        lambda t, _: (_document(t, "information"), []),
        before=lambda t: [_described(t), _informed("PUT", t, {"data": {}})],
    ),
    Case(
        lambda t: Request("POST /documents/{document}/versions", {"document": t.id}, _version(t, t.prose)),
        _version_seen,
        before=lambda t: [_described(t)],
        largest=lambda t: _version(t, t.prose[0] * (200_000 // len(t.prose[0].encode()))),
    ),
]
