"""Clients of AWS's services, made by botocore alone."""

from typing import Any

from botocore.config import Config
from botocore.session import get_session


def client(service: str, config: Config | None = None, endpoint: str | None = None) -> Any:
    """A client of one service, in the region and with the credentials of the environment, at its usual `endpoint`.

    boto3 would make the same client, but importing it takes 11 ms of a cold start for what nobody here uses:
    resources and transfers of files.
    """
    return get_session().create_client(service, config=config, endpoint_url=endpoint)
