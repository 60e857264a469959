"""Decides who may open a socket: whoever has a ticket, which opens one socket within a minute."""

from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import Table, clock
from edgewise.dynamodb.table import IMPATIENT
from edgewise.observability import logger
from functions import revocations, startup
from functions.push import store
from functions.push.entity import Ticket
from functions.settings import AuthorizerSettings


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(AuthorizerSettings.from_env().table_name, config=IMPATIENT)


@logger.inject_lambda_context
def handler(event: dict[str, Any], _context: LambdaContext) -> dict[str, Any]:
    """Take the ticket, and tell the socket's function whose it is, the user's rate, and when the token ends."""
    text = (event.get("queryStringParameters") or {}).get("ticket") or ""
    ticket = store.redeem(table(), text, clock.now()) if text else None
    if ticket and revocations.known().refuse(table(), ticket.sub, ticket.issued):
        ticket = None
    logger.info("admitted" if ticket else "refused", caller=ticket.sub if ticket else None)
    statement = {
        "Action": "execute-api:Invoke",
        "Effect": "Allow" if ticket else "Deny",
        "Resource": event["methodArn"],
    }
    return {
        "principalId": ticket.sub if ticket else "nobody",
        "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
        # API Gateway passes on texts only.
        "context": _told(ticket) if ticket else {},
    }


def _told(ticket: Ticket) -> dict[str, str]:
    numbers = {"issued": ticket.issued, "ends": ticket.ends, "rate": ticket.rate}
    return {"user": ticket.sub} | {name: str(number) for name, number in numbers.items()}


startup.finish(table)
