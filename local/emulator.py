"""The emulator without its own delivery of tables' streams: local/stream/ delivers them, as AWS would.

Runs in the emulator's environment, which has none of the project's packages.
"""

from ministack import app
from ministack.services import lambda_svc

# It looks for records of all mappings of streams, and says whether there were any.
DELIVERS = "_poll_dynamodb_streams"


class OtherEmulatorError(Exception):
    """The emulator is of another version, and delivers streams in another way."""


def deliver_nothing() -> bool:
    """Pass over all mappings of streams."""
    return False


if __name__ == "__main__":
    if not hasattr(lambda_svc, DELIVERS):
        raise OtherEmulatorError(f"ministack's lambda_svc has no {DELIVERS}: change local/emulator.py with the version")
    setattr(lambda_svc, DELIVERS, deliver_nothing)
    app.main()
