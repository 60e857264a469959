"""Clients of AWS's services, made by botocore alone."""

from typing import Any

from botocore.config import Config
from botocore.session import get_session


def client(service: str, config: Config | None = None, endpoint: str | None = None) -> Any:
    """A client of one service, in the region and with the credentials of the environment, at its usual `endpoint`.

    boto3 would make the same client and add what nobody here uses, so it is not shipped (decision 48).
    """
    return get_session().create_client(service, config=config, endpoint_url=endpoint)
