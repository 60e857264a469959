"""Objects that an HTTP function keeps between invocations, each created on first use."""

from functools import cache

from edgewise import Table
from edgewise.dynamodb.table import IMPATIENT
from functions import revocations
from functions.cursors import Cursors
from functions.secrets import cursor_secret
from functions.settings import HttpSettings, RoutesSettings
from functions.web.admission import Caller
from functions.web.freshness import Freshness
from functions.web.leases import Leases


@cache
def settings() -> HttpSettings:
    """The function's settings."""
    return HttpSettings.from_env()


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(settings().table_name, config=IMPATIENT)


@cache
def freshness() -> Freshness:
    """What is known of how fresh aggregates are."""
    return Freshness(lambda: table())


def revoked(caller: Caller) -> bool:
    """Whether the caller's token was taken back: a read at most once in 20 seconds."""
    return revocations.known().refuse(table(), caller.sub, caller.issued)


@cache
def limits() -> RoutesSettings:
    """What callers may take."""
    return RoutesSettings.from_env()


@cache
def leases() -> Leases:
    """What callers may still take, as far as it was leased."""
    return Leases(lambda: table())


@cache
def cursors() -> Cursors:
    """Encodes and decodes cursors; fetches its secret with the first cursor."""
    return Cursors(lambda: cursor_secret(settings().cursor_secret_arn))
