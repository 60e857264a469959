"""Commands to try on the running cloud; they work as printed."""

from textwrap import dedent

from ops.local_cloud import DEFAULT_PORT, Cloud
from ops.passwords import DEMO_USERS, PASSWORD
from ops.recounting.samples import Message

EVENTS = '{"events": [{"device_id": "123", "at": "2018-08-29T12:00:00Z", "metrics": {"temp": 39.02}}]}'


def address(cloud: Cloud) -> str:
    """Where the running application can be used."""
    return dedent(f"""
        The console: {cloud.console_url} (sign in as admin or guest; the password of all is {PASSWORD})
        The local cloud runs until `{_port(cloud)}make stop`; its log is {cloud.log_file}
    """)


def hints(cloud: Cloud, message: Message) -> str:
    """A way to get tokens, and five requests; `message` is one of the posted messages."""
    port = _port(cloud)
    users = ", ".join(f"{name} ({group or 'none'})" for name, group in DEMO_USERS.items())
    return dedent(f"""
        Address and tokens. Each user is in one group, which lets it write, or in none, which lets it read and chat:
        {users}

        API={cloud.api_url}
        token() {{ {port}.venv/bin/python -m ops.token $1; }}
        GUEST="Authorization: Bearer $(token guest)" SENSOR="Authorization: Bearer $(token sensor)"

        curl -H "$GUEST" "$API/rooms/{message.room}"
        curl -H "$GUEST" "$API/users/{message.user}/rooms"
        curl -H "$GUEST" "$API/devices/JFK/rollups?metric=temp&grain=day&limit=3"
        curl -H "$GUEST" "$API/places?path=US/New%20York"
        curl -H "$SENSOR" -H "Content-Type: application/json" "$API/telemetry" -d '{EVENTS}'
    """)


def _port(cloud: Cloud) -> str:
    return "" if cloud.port == DEFAULT_PORT else f"EDGEWISE_PORT={cloud.port} "
