"""Requests to an OpenSearch domain, signed with the function's credentials."""

from collections.abc import Callable

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.httpsession import URLLib3Session
from botocore.session import get_session

from functions.search.opensearch_requests import Request, text

_SERVICE, _SECONDS = "es", 5


def sender(endpoint: str) -> Callable[[Request], tuple[int, bytes]]:
    """What sends requests to a domain and returns the status and the body of each answer; raises botocore's errors."""
    session, connections = get_session(), URLLib3Session(timeout=_SECONDS)
    credentials, region = session.get_credentials(), session.get_config_variable("region")

    assert credentials

    def send(request: Request) -> tuple[int, bytes]:
        signed = AWSRequest(request.method, endpoint + request.path, {"Content-Type": _type(request)}, text(request))
        SigV4Auth(credentials.get_frozen_credentials(), _SERVICE, region).add_auth(signed)
        answer = connections.send(signed.prepare())
        return answer.status_code, answer.content

    return send


def _type(request: Request) -> str:
    return "application/x-ndjson" if request.path == "/_bulk" else "application/json"
