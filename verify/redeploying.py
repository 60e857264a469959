"""Updates the consumer while it is busy: its description changes, which affects nothing else, and changes back."""

import time
from typing import Any

from ops.processes import NotReadyError
from verify.target import Target

UPDATE_SECONDS, PAUSE_SECONDS = 120, 0.2


def update(target: Target, text: str) -> None:
    """Change the consumer's description and change it back, so Lambda replaces its running copies twice.

    Raises NotReadyError if an update does not take effect.
    """
    functions, name = target.client("lambda"), target.outputs["EdgeAggregatorFunctionName"]
    before = functions.get_function_configuration(FunctionName=name)["Description"]
    try:
        _describe(functions, name, text)
    finally:
        _describe(functions, name, before)


def _describe(functions: Any, name: str, text: str) -> None:
    """Change the description, and wait until the change takes effect; raises NotReadyError."""
    functions.update_function_configuration(FunctionName=name, Description=text)
    deadline = time.monotonic() + UPDATE_SECONDS
    while functions.get_function_configuration(FunctionName=name)["LastUpdateStatus"] == "InProgress":
        if time.monotonic() > deadline:
            raise NotReadyError(f"the update of the consumer: not within {UPDATE_SECONDS} seconds")
        time.sleep(PAUSE_SECONDS)
