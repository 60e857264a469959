"""Clients of AWS's services, made by botocore alone."""

from functools import cache
from typing import Any

from botocore.config import Config
from botocore.parsers import ResponseParserFactory
from botocore.session import get_session


def client(
    service: str,
    config: Config | None = None,
    endpoint: str | None = None,
    parsers: ResponseParserFactory | None = None,
) -> Any:
    """A client of one service, in the region and with the credentials of the environment, at its usual `endpoint`.

    Its answers are parsed by `parsers`, or else as usual.

    boto3 would make the same client and add what nobody here uses, so it is not shipped (decision 29).
    """
    session = get_session()
    if parsers is not None:
        session.register_component("response_parser_factory", parsers)
    return session.create_client(service, config=config, endpoint_url=endpoint)


@cache
def streams() -> Any:
    """The one client for the streams of tables."""
    return client("dynamodbstreams")
