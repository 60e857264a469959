"""pytest by itself, in an environment that lacks a program."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
NEEDS_JAVA = "tests/local/test_dynamodb.py::test_it_serves_tables_while_the_block_runs_and_ends_with_it"


def run(folder: Path, *options: str) -> tuple[int, str]:
    """What pytest returns and says about one test that needs Java, where no program is found."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, NEEDS_JAVA]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PATH": str(folder)}, capture_output=True, text=True)
    return done.returncode, done.stdout


def test_what_cannot_run_is_left_out_and_counted(tmp_path: Path) -> None:
    status, said = run(tmp_path)
    assert status == 0
    assert "left out; make test runs them all" in said
    assert "1 tests: Java 17 is not found" in said


def test_it_is_counted_by_processes_too(tmp_path: Path) -> None:
    assert "1 tests: Java 17 is not found" in run(tmp_path, "-n", "1")[1]


def test_everything_leaves_nothing_out(tmp_path: Path) -> None:
    status, said = run(tmp_path, "--everything")
    assert status == 1
    assert "java is needed and not found" in said
