"""The commands of the AWS CLI that pages name."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import boto3
from botocore import xform_name
from botocore.model import OperationModel

# Options of the CLI itself.
OWN = {"query", "output", "cli-read-timeout", "cli-binary-format"}
# Commands that the CLI adds to the operations of the services.
HIGH_LEVEL = {"s3", "sso"}
# What the CLI calls otherwise than the service, since it has an option of nearly that name itself.
RENAMED = {"endpoint": "notification-endpoint"}
ONE = re.compile(r"\baws ([a-z0-9-]+) ([a-z0-9-]+)((?: +[^`\n]+)?)")


@dataclass(frozen=True)
class Command:
    """`aws SERVICE OPERATION --option value ...`"""

    service: str
    operation: str
    rest: str

    @property
    def unknown(self) -> set[str]:
        """The options that the operation does not have."""
        return set(re.findall(r"(?<!\S)--([a-z0-9-]+)", self.rest)) - OWN - self._members.keys()

    @property
    def _members(self) -> dict[str, str]:
        """Each option with the name of the member that it sets."""
        shape = self.model.input_shape if self.model else None
        named = {xform_name(name, "-"): name for name in (shape.members if shape else ())}
        return {RENAMED.get(option, option): name for option, name in named.items()}

    @property
    def model(self) -> OperationModel | None:
        """What botocore, on which the CLI rests, knows of it; None if there is no such operation."""
        model = boto3.client(self.service, region_name="us-east-1").meta.service_model  # type: ignore[call-overload]
        found = (name for name in model.operation_names if xform_name(name, "-") == self.operation)
        return next((model.operation_model(name) for name in found), None)

    def arguments(self, **variables: str) -> dict[str, str]:
        """Each option with its text, as boto3's method takes them; `$NAME` stands for a variable."""
        _, *words = re.split(r"(?<!\S)--", self.rest)
        told = dict(shlex.split(each) for each in words)
        return {self._members[name]: variables.get(value.removeprefix("$"), value) for name, value in told.items()}


def commands(page: Path) -> list[Command]:
    """Those of a page, but for the ones that are no operation of a service."""
    # Code in a line of text may be wrapped, as a block's lines are by a backslash.
    text = re.sub(r"`aws [^`]*`", lambda found: " ".join(found[0].split()), page.read_text().replace("\\\n", " "))
    return [Command(*found.groups()) for found in ONE.finditer(text) if found[1] not in {"the", *HIGH_LEVEL}]
