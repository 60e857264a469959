import re
import subprocess
from pathlib import Path

import pytest

from ops.paths import CDK

ROOT = Path(__file__).parents[2]


def test_make_test_leaves_nothing_out() -> None:
    """Plain pytest skips what this machine lacks the programs for."""
    told = subprocess.run(["make", "-n", "test"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "-m pytest --everything " in told


@pytest.mark.parametrize("target", ["synth", "diff", "bootstrap", "deploy", "destroy"])
def test_the_cdk_knows_the_options_that_make_gives_it(target: str, local_cloud: None) -> None:
    """It refuses others, and only an account would tell."""
    made = ["make", "-n", "-o", "setup", target, "APPROVAL=never"]
    printed = subprocess.run(made, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    lines = [each for each in printed.splitlines() if f"cdk {target}" in each]
    assert lines
    told = subprocess.run([CDK, target, "--help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r" (--[a-z-]+)", " ".join(lines))) <= set(re.findall(r"(--[a-z-]+)[ ,]", told))
