"""Sends to open connections, through API Gateway."""

from collections.abc import Callable
from enum import Enum, auto

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from edgewise import aws
from edgewise.dynamodb.table import CONFIG

# One for each thread that sends.
CONNECTIONS = 32
# A dead or slow client must not hold up the others: what it misses it reads again.
_CONFIG = CONFIG.merge(
    Config(
        max_pool_connections=CONNECTIONS,
        retries={"mode": "standard", "total_max_attempts": 1},
        connect_timeout=1,
        read_timeout=2,
    )
)
_GONE = "GoneException"


class Sent(Enum):
    """What became of a frame, or of a wish to close; `GONE`: nobody is there; `MISSED`: the gateway did not take it."""

    TAKEN = auto()
    GONE = auto()
    MISSED = auto()


class Gateway:
    """The connections of one WebSocket API. Safe to use from several threads."""

    def __init__(self, endpoint: str) -> None:
        self._client = aws.client("apigatewaymanagementapi", _CONFIG, endpoint)

    def send(self, connection: str, frame: str) -> Sent:
        """Send one frame to one connection."""
        return _taken(self._client.post_to_connection, ConnectionId=connection, Data=frame.encode())

    def close(self, connection: str) -> Sent:
        """Close one connection."""
        return _taken(self._client.delete_connection, ConnectionId=connection)


def _taken(request: Callable[..., object], **parameters: object) -> Sent:
    try:
        request(**parameters)
    except ClientError as error:
        return Sent.GONE if error.response["Error"]["Code"] == _GONE else Sent.MISSED
    except BotoCoreError:
        return Sent.MISSED
    return Sent.TAKEN
