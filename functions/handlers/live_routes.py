"""The routes whose answers people subscribe to: what an address of theirs answers, and whether it would be answered."""

from aws_lambda_powertools.utilities.typing import LambdaContext

from functions.push.addresses import Address
from functions.systems.chat.routes import app as chat
from functions.systems.graph.routes import app as graph
from functions.systems.places.routes import app as places
from functions.systems.telemetry.routes import app as telemetry
from functions.systems.walks.routes import app as walks
from functions.web import http

APPS = {route: app for app in (chat, graph, places, telemetry, walks) for route in app.served}


def read(address: Address, context: LambdaContext) -> str | None:
    """What an address answers now, as JSON; None unless it answers at all."""
    return http.read(APPS[address.route.name], address.route, address.path, address.query, context)


def check(address: Address, context: LambdaContext) -> None:
    """Raises InvalidInputError for an address that a GET would refuse, without a request to the table."""
    http.check(APPS[address.route.name], address.route, address.path, address.query, context)
