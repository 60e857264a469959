"""What is deployed, what tests it and what the local cloud runs it with are the same versions."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_PIN = re.compile(r"^([a-z0-9-]+)==([^\s;]+)", re.MULTILINE)


def pins(name: str) -> dict[str, str]:
    """The version of each package in a list."""
    return dict(_PIN.findall((ROOT / name).read_text()))


@pytest.mark.parametrize("other", ["requirements.txt", "requirements-check.txt", "local/requirements.txt"])
def test_what_is_deployed_has_one_version_everywhere(other: str) -> None:
    deployed = pins("functions/requirements.txt")
    assert {"botocore", "pydantic", "aws-lambda-powertools"} <= set(deployed)
    assert {name: pins(other).get(name) for name in deployed} == deployed


def test_who_checks_has_what_everybody_has_and_more() -> None:
    few, all_of_them = pins("requirements.txt"), pins("requirements-check.txt")
    assert few.items() < all_of_them.items()


def test_types_are_of_the_botocore_that_is_deployed() -> None:
    listed = pins("requirements-check.txt")
    assert listed["boto3-stubs"] == listed["boto3"] == listed["botocore"]


@pytest.mark.parametrize("name", ["functions/requirements.txt", "requirements.txt", "requirements-check.txt"])
def test_nothing_is_installed_that_is_not_the_file_it_was(name: str) -> None:
    """Each pin has hashes: pip checks all as soon as one has any."""
    text = (ROOT / name).read_text()
    assert len(_PIN.findall(text)) == len(re.findall(r"^[a-z0-9-]+==.* \\\n    --hash=sha256:", text, re.MULTILINE))
