"""The emulator, but for two things that AWS does otherwise.

It delivers no tables' streams: local/stream/ does, as AWS would. And outputs are a part of a template: a stack of which
nothing else changes is updated, too. Runs in the emulator's environment, which has none of the project's packages.
"""

from typing import Any

from ministack import app
from ministack.services import lambda_svc
from ministack.services.cloudformation import changesets

# It looks for records of all mappings of streams, and says whether there were any.
DELIVERS = "_poll_dynamodb_streams"
# It says what of a template is compared, when a change set is made: resources by their names.
COMPARES = "_resolve_props_for_diff"


class OtherEmulatorError(Exception):
    """The emulator is of another version, and does this in another way."""

    def __init__(self, module: Any, name: str) -> None:
        super().__init__(f"{module.__name__} has no {name}: change local/emulator.py with the version")


def replace(module: Any, name: str, by: Any) -> Any:
    """Let a function of the emulator be another one; returns the former. Raises OtherEmulatorError."""
    if not hasattr(module, name):
        raise OtherEmulatorError(module, name)
    before = getattr(module, name)
    setattr(module, name, by)
    return before


def deliver_nothing() -> bool:
    """Pass over all mappings of streams."""
    return False


def compare_outputs(template: Any, *others: Any) -> Any:
    """Take the outputs for one more resource."""
    compared = compare_resources(template, *others)
    if template:
        outputs = {"Type": "Outputs", "Properties": template.get("Outputs", {})}
        compared["Resources"] = {**compared["Resources"], "Outputs": outputs}
    return compared


if __name__ == "__main__":
    replace(lambda_svc, DELIVERS, deliver_nothing)
    compare_resources = replace(changesets, COMPARES, compare_outputs)
    app.main()
