"""The routes whose answers people subscribe to: what an address of theirs answers, and whether it would be answered."""

from collections.abc import Mapping
from importlib import import_module

from aws_lambda_powertools.utilities.typing import LambdaContext

from functions.catalog import SYSTEMS, module_of
from functions.push import addresses
from functions.push.addresses import Address
from functions.system import Route
from functions.web import http

_APPS: tuple[http.Resolver, ...] = tuple(import_module(module_of(each.name)).app for each in SYSTEMS if each.live)
APPS: Mapping[Route, http.Resolver] = {route: app for app in _APPS for route in app.served.values() if route.live}


def parsed(text: str) -> Address:
    """The parts of an address; raises InvalidInputError for one of no read that can be subscribed to."""
    return addresses.parsed(APPS, text)


def read(address: Address, context: LambdaContext) -> str | None:
    """What an address answers now, as JSON; None unless it answers at all."""
    return http.read(APPS[address.route], address.route, address.path, address.query, context)


def check(address: Address, context: LambdaContext) -> None:
    """Raises InvalidInputError for an address that a GET would refuse, without a request to the table."""
    http.check(APPS[address.route], address.route, address.path, address.query, context)
