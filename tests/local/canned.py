"""The built console in a real browser, with answers that stand here in place of an API: no test deploys anything."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from local import console
from local.console import Site
from ops.processes import free_port
from tests.local.canned_proof import Broken

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Route

    from tests.e2e.console import Visitor

WIDE, NARROW = 1440, 390
AS_OF = "2026-11-29T12:04:31.000Z"
TOLD = {"cursor": None, "as_of": AS_OF}
SOURCE = {"text": "a source", "cost": 0.00001}
FLOWS = ("requests", "delivered", "written", "followed_up")
OVERVIEW = {
    "at": AS_OF,
    "measured": True,
    "flows": [{"name": name, "total": 13505, "minutes": [7] * 61} for name in FLOWS],
    "freshness": [{"name": name, "latest": 2900, "at": AS_OF, "greatest": 9400} for name in ("p50", "p99", "Maximum")],
    "shards": [],
    "lags": [{"name": name, "latest": None, "at": None, "greatest": None} for name in ("edge_aggregator", "cascade")],
    "quarantined": 1,
    "incomplete": 1,
    "check": {"run": "20261128T030000Z", "instant": "2026-11-28T03:00:00.000Z", "aggregates": 2600, "differences": 0},
    "units": [],
    "cost": 0.017,
    "sources": {name: SOURCE for name in ("metrics", "quarantine", "notes", "checks")},
}
STEP = {
    "at": AS_OF,
    "compared": 12,
    "equal": 12,
    "lacking": 0,
    "wrong": 0,
    "doubted": 1,
    "passed": 0,
    "shown": [],
    "ended": True,
    "cursor": "next",
}
LACKS = {
    "kind": "ROOM",
    "dimensions": ["harbour"],
    "stored": {"Messages": "1"},
    "recounted": {"Messages": "2"},
    "recounting": [],
    "sources": 2,
    "unreadable": 0,
    "named": [],
}
MOVED = [
    {"kind": kind, "dimensions": [name], "at": AS_OF, "cell": "Events", "count": 4301, "lacks": None}
    for kind, name in (
        ("DEVICE", "JFK"),
        ("ROOM", "harbour"),
        ("CUSTOMER", "Customer-7"),
        ("EQUIPMENT", "pump-7"),
        ("PLACE", ["US", "New York"]),
    )
]
ALERT = {"id": "1", "alert": "degraded", "kind": "STATES", "dimensions": [["business", "shop"]], "since": AS_OF}
PART = {"name": "user", "form": "text"}
FORBIDDEN = {
    "title": "Forbidden",
    "status": 403,
    "detail": "only members of the group 'admin' may call GET /checks",
    "group": "admin",
}
ANSWERS: Mapping[str, Any] = {
    "/overview": OVERVIEW,
    "/exactness": STEP,
    "/recent": {"at": AS_OF, "looked": 14, "moved": MOVED} | TOLD,
    "/alerts": {"alerts": [ALERT], "cursor": None},
    "/devices": {"devices": ["JFK", "LGA", "EWR"], "cursor": None},
    "/devices/JFK/events": {"events": [{"event_id": "1", "at": AS_OF, "metrics": {"temp": 45}}], "cursor": None},
    "/rooms": {"rooms": ["harbour", "quay"], "cursor": None},
    "/rooms/harbour/messages": {
        "messages": [{"user": "kim", "text": "the pilot boat is back"}],
        "cursor": None,
    },
    "/users/amy/rooms": {"rooms": [{"room": "harbour", "messages": 4, "last": AS_OF}]} | TOLD,
    "/customers": {"customers": ["Customer-7"], "cursor": None},
    "/orders/open": {"orders": []} | TOLD,
    "/aggregates/kinds": {
        "kinds": [{"kind": "USER", "cells": "messages", "rank": 1, "sources": ["POSTED_IN"], "parts": [PART]}]
    },
    "/aggregates/incomplete": {"incomplete": [], "cursor": None},
    "/checks": FORBIDDEN,
}


class Api:
    """What is answered, by path, where it moves by calling it; and what was asked."""

    def __init__(self) -> None:
        self.proof = Broken()
        self.answers: dict[str, Any] = {**ANSWERS, **self.proof.answers}
        self.asked: list[str] = []

    def answer(self, route: "Route") -> None:
        path = urlsplit(route.request.url).path.removeprefix("/api")
        self.asked.append(path)
        body = self.answers.get(path, {"title": "Not Found", "status": 404, "detail": f"there is no {path}"})
        if callable(body):
            body = body(route.request.post_data_json)
        if body is None:
            return  # nobody ever answers
        status = body.get("status", 200)
        kind = "application/json" if status == 200 else "application/problem+json"
        route.fulfill(status=status, body=json.dumps(body), content_type=kind)


class Tab(NamedTuple):
    """A tab that somebody is signed in to, and the API that it asks."""

    visitor: "Visitor"
    api: Api

    @property
    def page(self) -> "Page":
        return self.visitor.page


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a built page with its own headers; yields its origin."""
    port = free_port()
    origin = f"http://127.0.0.1:{port}"
    parts = {"live": False, "search": True, "faults": True}
    config = {"clientId": "console", "signInUrl": origin, "stage": "local", **parts}
    server = console.server(port, Site(folder, config, origin, origin, origin))
    server.handle_error = lambda *_: None  # type: ignore[method-assign] # a browser that leaves cuts its connections
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield origin
    server.shutdown()
    server.server_close()


def answered(context: "BrowserContext") -> Api:
    """Let the API of a context's pages be a canned one; whoever signs out comes to an empty page."""
    api = Api()
    context.route("**/api/**", api.answer)
    context.route("**/logout?*", lambda route: route.fulfill(body="gone", content_type="text/plain"))
    return api


def sign_in(page: "Page", origin: str, *groups: str) -> None:
    """Give a tab tokens, as a sign-in does."""
    profile = {"sub": "amy", "cognito:username": "amy", "cognito:groups": groups}
    tokens = {"access": "a-token", "refresh": "r", "ends": time.time() + 900, "profile": profile}
    page.goto(f"{origin}/")
    # Until then it may still ask other tabs for theirs, and put nothing in their place.
    page.get_by_role("button", name="Sign in").wait_for()
    page.evaluate("tokens => sessionStorage.setItem('session', JSON.stringify(tokens))", tokens)
