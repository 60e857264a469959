"""Push: tickets for sockets."""

from http import HTTPStatus

from aws_lambda_powertools.event_handler import Response

from edgewise import clock, rfc_3339
from functions.push import store
from functions.systems.push.models import TicketOut
from functions.systems.push.system import SYSTEM
from functions.web import answers, charges, http, runtime

app = http.resolver(SYSTEM)


@http.route(
    app,
    "POST /push/tickets",
    "A ticket that opens one socket within a minute",
    responses=answers.described(TicketOut, HTTPStatus.CREATED),
    status_code=HTTPStatus.CREATED,
)
def post_ticket() -> Response[str]:
    """One write. Browsers can't send a token when they open a socket, so they send this."""
    caller, ends = http.caller(app), http.token_ends(app)
    rate = charges.rated(caller).rate
    text, ticket = store.issue(runtime.table(), caller.sub, rate, caller.issued, ends, clock.now())
    out = TicketOut(ticket=text, expires_at=rfc_3339(ticket.expires), socket_ends_at=rfc_3339(ticket.ends))
    return answers.reply(out, HTTPStatus.CREATED)


handler = http.handler(app)
