import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_make_test_leaves_nothing_out() -> None:
    """Plain pytest skips what this machine lacks the programs for."""
    told = subprocess.run(["make", "-n", "test"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "-m pytest --everything " in told
