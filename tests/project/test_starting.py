"""Plain pytest uses all cores, and what tests start hears an interrupt although the suite was started to ignore it."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support import starting

ROOT = Path(__file__).parents[2]
HEARING = """
import subprocess, sys
from tests.support.starting import hear
hear()
child = "import signal; print(signal.getsignal(signal.SIGINT).__name__)"
subprocess.run([sys.executable, "-c", child], check=True)
"""


def test_a_suite_in_the_background_starts_processes_that_hear_interrupts() -> None:
    command = [sys.executable, "-c", HEARING]
    done = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    assert done.stdout == "default_int_handler\n"


ALL, SOME = pytest.Config.ArgsSource.TESTPATHS, pytest.Config.ArgsSource.ARGS


@pytest.mark.parametrize(
    ("source", "told", "processes"),
    [
        (ALL, {}, os.cpu_count()),
        (SOME, {}, None),
        (ALL, {"numprocesses": 0}, 0),
        (ALL, {"numprocesses": 1}, 1),
        (ALL, {"collectonly": True}, None),
        (ALL, {"usepdb": True}, None),
        (ALL, {"keyword": "name"}, None),
    ],
    ids=str,
)
def test_all_tests_take_all_cores(source: Any, told: dict[str, Any], processes: int | None) -> None:
    untold = {
        "numprocesses": None,
        "collectonly": False,
        "usepdb": False,
        "trace": False,
        "keyword": "",
        "markexpr": "",
    }
    config: Any = SimpleNamespace(args_source=source, option=SimpleNamespace(**untold | told))
    starting.pytest_cmdline_main(config)
    assert config.option.numprocesses == processes
