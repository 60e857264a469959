"""Stores and finds runs and what they found."""

from dataclasses import replace

from edgewise import Condition, NotFoundError, Put, RefusedError, Table, decoded
from functions.systems.checks import codec, keys, patterns
from functions.systems.checks.entity import Numbered, Run

# Among how many runs the last one that did something is looked for.
LOOKED_AT = 20


def find(table: Table, name: str) -> Run:
    """A run, strongly consistent; raises NotFoundError."""
    item = table.get(keys.run(name))
    if item is None:
        raise NotFoundError("run", name)
    return decoded(codec.run, item)


def last_checked(table: Table) -> str | None:
    """The last reconcile that is done, if it is one of the last runs."""
    found = (decoded(codec.run, item) for item in table.query(replace(patterns.RUNS, limit=LOOKED_AT)).items)
    return next((run.name for run in found if run.kind == "reconcile" and run.state == "done"), None)


def ending(run: Run) -> Put:
    """The write that stores how a run has ended; it is refused if the run had ended before."""
    return Put(codec.run_item(run), Condition.at_version(codec.RUNNING_VERSION))


def end(table: Table, run: Run) -> Run:
    """Store how a run has ended; if it had ended before, that stays. Returns what is stored; raises NotFoundError."""
    try:
        table.write(ending(run))
    except RefusedError as refusal:
        if refusal.item is None:
            raise NotFoundError("run", run.name) from refusal
        return decoded(codec.run, refusal.item)
    return run


def add_differences(table: Table, run: str, found: Numbered) -> None:
    """Store differences of a run; storing them again changes nothing."""
    table.put_many([codec.difference_item(run, number, each) for number, each in found])
