"""Responses of the alerts' route."""

from typing import Any

from pydantic import BaseModel

from functions.web.common import Listed


class AlertOut(BaseModel):
    """An alert whose condition holds `since` then: its name, and the kind and dimensions of the aggregate.

    `id` is that of the message which told of it.
    """

    id: str
    alert: str
    kind: str
    dimensions: list[Any]
    since: str


class AlertsOut(Listed):
    """One page of the alerts whose conditions hold, the newest first."""

    alerts: list[AlertOut]
    cursor: str | None
