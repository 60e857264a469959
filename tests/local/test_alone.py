"""Set-ups of one user take turns at the caches that they share, and a command that fails is named."""

import subprocess
import sys
from pathlib import Path

import pytest

from local import alone

BEGIN = """
import sys
from pathlib import Path
from local import alone
sys.exit(alone.run(sys.argv[2:], Path(sys.argv[1])))
"""


def begun(lock: Path, program: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", BEGIN, str(lock), sys.executable, "-c", program]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_second_waits_for_the_first_and_says_so(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    first = begun(lock, "print('first', flush=True); input(); print('first ends')")
    assert first.stdout
    assert first.stdout.readline() == "first\n"
    second = begun(lock, "print('second')")
    assert second.stdout
    assert second.stdout.readline() == f"another set-up is under way and holds {lock}: waiting for its end ...\n"
    assert first.communicate("\n")[0] == "first ends\n"
    assert second.communicate()[0] == "second\n"


def test_a_failure_is_shown_and_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    failing = [sys.executable, "-c", "import sys; print('no space left', file=sys.stderr); sys.exit(217)"]
    assert alone.run(failing, tmp_path / "lock") == 217
    said = capfd.readouterr().err
    assert said.startswith("no space left\n")
    assert said.endswith(": ended with status 217\n")
