"""Objects that an HTTP function keeps between invocations, each created on first use."""

from functools import cache

from functions.dynamodb.cursors import Cursors
from functions.dynamodb.secrets import cursor_secret
from functions.dynamodb.table import IMPATIENT, Table
from functions.settings import HttpSettings


@cache
def settings() -> HttpSettings:
    """The function's settings."""
    return HttpSettings.from_env()


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(settings().table_name, config=IMPATIENT)


@cache
def cursors() -> Cursors:
    """Encodes and decodes cursors; fetches its secret with the first cursor."""
    return Cursors(lambda: cursor_secret(settings().cursor_secret_arn))
