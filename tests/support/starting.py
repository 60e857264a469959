"""How test processes start: on all cores, so that what they start hears interrupts, with a collector that seldom looks.

Of the million objects that a process has when its tests are collected, nearly all stay.
"""

import gc
import os
import signal

import pytest

# How many new objects the collector waits for, instead of 700.
NEW_OBJECTS = 20_000


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
    gc.set_threshold(NEW_OBJECTS)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Let the collector look no more at what stays."""
    gc.collect()
    gc.freeze()


def hear() -> None:
    """Let this process hear interrupts, and those that it starts.

    A shell lets what it starts in its background ignore them, and children inherit that: they would wait for ever for
    the interrupt that a test sends.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
