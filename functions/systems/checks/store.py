"""Stores and finds runs and what they found."""

from functions.dynamodb.decoding import decoded
from functions.dynamodb.table import RefusedError, Table
from functions.dynamodb.writes import Put, at_version
from functions.errors import NotFoundError
from functions.systems.checks import codec, keys
from functions.systems.checks.entity import Numbered, Run


def find(table: Table, name: str) -> Run:
    """A run, strongly consistent; raises NotFoundError."""
    item = table.get(keys.run(name))
    if item is None:
        raise NotFoundError("run", name)
    return decoded(codec.run, item)


def ending(run: Run) -> Put:
    """The write that stores how a run has ended; it is refused if the run had ended before."""
    return Put(codec.run_item(run), at_version(codec.RUNNING_VERSION))


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
