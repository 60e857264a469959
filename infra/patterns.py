"""What names of other people's things look like, wherever a setting has one."""

from typing import Final

REGION: Final = "^[a-z]+(-[a-z]+)+-[0-9]$"
HOST: Final = r"^[a-z0-9-]+(\.[a-z0-9-]+)+$"


def certificate_in(region: str) -> str:
    """Return the pattern of the ARN of a certificate in the regions that match a pattern."""
    return f"^arn:aws:acm:{region}:[0-9]{{12}}:certificate/[a-z0-9-]+$"
