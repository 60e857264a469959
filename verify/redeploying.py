"""A change of the consumer in mid-stream: its description, which is none of what it does, and back."""

import time
from typing import Any

from local.processes import NotReadyError
from verify.target import Target

UPDATE_SECONDS, PAUSE_SECONDS = 120, 0.2


def update(target: Target, text: str) -> None:
    """Give the consumer another description, and its own again: Lambda replaces its running copies twice.

    Raises NotReadyError if an update does not come into force.
    """
    functions, name = target.client("lambda"), target.outputs["EdgeAggregatorFunctionName"]
    before = functions.get_function_configuration(FunctionName=name)["Description"]
    try:
        _describe(functions, name, text)
    finally:
        _describe(functions, name, before)


def _describe(functions: Any, name: str, text: str) -> None:
    """Change it, and wait until the change is in force; raises NotReadyError."""
    functions.update_function_configuration(FunctionName=name, Description=text)
    deadline = time.monotonic() + UPDATE_SECONDS
    while functions.get_function_configuration(FunctionName=name)["LastUpdateStatus"] == "InProgress":
        if time.monotonic() > deadline:
            raise NotReadyError(f"the update of the consumer: not within {UPDATE_SECONDS} seconds")
        time.sleep(PAUSE_SECONDS)
