"""How test processes start: on all cores if all tests are asked for, and so that what they start hears interrupts."""

import os
import signal

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Plain `pytest` runs everything, in as many processes as there are cores, unless it is told how many."""
    if hasattr(config, "workerinput"):
        return  # one of these processes
    options = config.option
    everything = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not (options.keyword or options.markexpr)
    by_hand = options.collectonly or options.usepdb or options.trace
    if everything and not by_hand and getattr(options, "numprocesses", 0) is None:
        options.numprocesses, options.dist = os.cpu_count(), "loadgroup"


def pytest_configure() -> None:
    """Begin."""
    hear()


def hear() -> None:
    """Let this process hear interrupts, and those that it starts.

    A shell lets what it starts in its background ignore them, and children inherit that: they would wait for ever for
    the interrupt that a test sends.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
