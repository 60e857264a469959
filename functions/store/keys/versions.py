"""Numbers of revisions in keys."""

from functions.domain.versions import VERSION_DIGITS


def number(version: int) -> str:
    """A version with leading zeros, so that 10 sorts after 9."""
    return f"{version:0{VERSION_DIGITS}d}"
