"""Alerts: which conditions on aggregates hold now."""

from aws_lambda_powertools.event_handler import Response

from edgewise import alerting
from functions.systems.alerts.models import AlertOut, AlertsOut
from functions.systems.alerts.system import CHANGES, SYSTEM
from functions.web import answers, http, runtime
from functions.web.paging import DEFAULT_LIMIT, CursorText, Limit, Paging

app = http.resolver(SYSTEM)


@http.route(
    app,
    "GET /alerts",
    "The alerts whose conditions hold, the newest first",
    responses=answers.described(AlertsOut),
    live=CHANGES,
)
def get_alerts(limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query per shard of the index, in parallel, merged in order."""
    paging = Paging({"route": "alerts"}, cursor)
    found, position = alerting.raised(runtime.table(), limit, paging.after)
    return answers.reply(AlertsOut(alerts=list(map(_shown, found)), cursor=paging.next(position)))


def _shown(of: alerting.Crossing) -> AlertOut:
    told = of.plain
    return AlertOut(since=told["at"], **{name: told[name] for name in ("id", "alert", "kind", "dimensions")})


handler = http.handler(app)
