"""The tour at the end of `make run`: one request to every system, its answer and its cost."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from local.examples import INVOICE
from ops.api import Answer, Api
from ops.errors import LocalError


@dataclass(frozen=True)
class Stop:
    """One line of the tour."""

    system: str
    answer: Answer
    told: str


def stops(guest: Api, room: str, user: str) -> list[Stop]:
    """Ask every system one question; `room` and `user` are those of a posted message. Raises ApiError."""
    amy = ("graph", "nodes", "person", "amy")
    asked: list[tuple[str, tuple[str, ...], dict[str, str | int], Callable[[Any], str]]] = [
        ("places", ("places", "entities"), {"path": "USA/TX", "kind": "EQUIPMENT"},
         lambda body: _names(body["entities"], "id")),
        ("audits", ("equipment", "Equipment_1", "audits", "latest"), {},
         lambda body: f"version {body['version']}: {body['result']}"),
        ("telemetry", ("devices", "JFK", "events"), {"order": "desc", "limit": 1},
         lambda body: f"last reading {body['events'][0]['at']}"),
        ("chat", ("rooms", room, "messages"), {"user": user, "limit": 5},
         lambda body: f"{len(body['messages'])} messages of {user}"),
        ("documents", ("documents", "handbook"), {},
         lambda body: f"{body['metadata']['title']}, version {body['newest']['version']}"),
        ("orders", ("customers", "Customer-7", "orders"), {"status": "open"},
         lambda body: _names(body["orders"], "order_id")),
        ("orders", ("orders", "open"), {"from": "2026-01-01T00:00:00Z"},
         lambda body: f"{len(body['orders'])} open orders of all customers"),
        ("games", ("awards", "Champ"), {}, lambda body: _names(body["plays"], "player", "score")),
        ("games", ("leaderboards", "chess", "players", "rick"), {},
         lambda body: f"rank {body['rank']} of {body['players']}"),
        ("billing", ("invoices", INVOICE), {},
         lambda body: f"{body['summary']['bills']} bills, {body['summary']['amount']} together"),
        ("graph", ("graph", "search"), {"name": "skill", "value": "DynamoDB"},
         lambda body: _names(sorted(body["nodes"], key=itemgetter("id")), "id")),
        ("edge aggregates", (*amy, "aggregates"), {},
         lambda body: _names(body["aggregates"], "direction", "label", "edges")),
        ("derived states", ("graph", "nodes", "business", "shop"), {},
         lambda body: f"shop {body['state']}, hosts down: {body['measures']['hosts_down']}"),
        ("graph walks", (*amy, "traverse"), {"depth": 3}, lambda body: _names(body["nodes"], "id", "depth")),
        ("graph walks", (*amy, "recommendations"), {"label": "KNOWS"},
         lambda body: _names(body["recommendations"], "id")),
    ]  # fmt: skip
    return [_stop(guest, *each) for each in asked]


def _stop(
    guest: Api, system: str, path: tuple[str, ...], parameters: dict[str, str | int], tell: Callable[[Any], str]
) -> Stop:
    answer = guest.call("GET", *path, **parameters)
    return Stop(system, answer, tell(answer.body))


def _names(rows: list[dict[str, Any]], *fields: str) -> str:
    if not rows:
        raise EmptyAnswerError
    return ", ".join(" ".join(str(row[field]) for field in fields) for row in rows)


class EmptyAnswerError(LocalError):
    """A system returned nothing although the tour has stored something."""

    def __init__(self) -> None:
        super().__init__("a stop of the tour found nothing")
