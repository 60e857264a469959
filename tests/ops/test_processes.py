import itertools
import subprocess
import sys
from itertools import chain, repeat
from pathlib import Path
from types import SimpleNamespace

import pytest

from ops import processes
from ops.processes import NotReadyError, alive, stop_group, wait_for_server, wait_until

DEAF_WITH_CHILD = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
time.sleep(600)
"""


def start(code: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True)


def test_deferred_ends_with_a_message_that_says_for_what() -> None:
    with pytest.raises(NotReadyError, match=r"the moon: not within 0\.1 seconds"):
        wait_until(lambda: False, 0.1, "the moon")


def test_it_waits_as_long_as_something_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each poll takes a second; something goes on for a hundred, and the condition never holds."""
    now = itertools.count()
    monkeypatch.setattr(processes, "time", SimpleNamespace(sleep=lambda _: None, monotonic=lambda: next(now)))
    seen = chain(range(10), repeat(9))
    with pytest.raises(NotReadyError, match="the moon: not within 10 seconds"):
        wait_until(lambda: False, 10, "the moon", lambda: next(seen))
    assert next(seen) == 9
    assert 100 < next(now) < 160


def test_a_program_that_ends_instead_of_serving_is_reported_with_its_last_words(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("no such option")
    process = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    with pytest.raises(NotReadyError, match=r"status 3(.|\n)*no such option"):
        wait_for_server(process, "http://localhost:1", 30, log)


def test_a_program_deaf_to_sigterm_is_ended_with_its_children() -> None:
    process = start(DEAF_WITH_CHILD)
    assert process.stdout is not None
    child = int(process.stdout.readline())
    stop_group(process.pid, seconds=0.2)
    wait_until(lambda: not alive(process.pid), 300, "end of the program")
    wait_until(lambda: not alive(child), 300, "end of its child")


def test_ending_what_has_ended_is_no_error() -> None:
    process = start("")
    process.wait()
    stop_group(process.pid)
    assert not alive(process.pid)
