"""`make search-check`: whether the search index says what the table holds."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from edgewise import Item
from edgewise.dynamodb.table import Table, chunks
from functions.bucket import Bucket
from functions.catalog import WATCHED
from functions.search import signing
from functions.search.engine import Address, Engine, digest
from functions.search.indexes import BUCKET
from functions.search.opensearch import OpenSearch
from functions.search.reading import things
from functions.search.snapshots import Snapshots
from ops.errors import LocalError
from ops.stage import Stage, StageError

# What differs may only have changed a moment ago: it is looked at again after so many seconds.
_PAUSES = (5, 10, 20)
_AT_ONCE, _SHOWN = 1_000, 20


class Checked(NamedTuple):
    """How many things the table has, and what is wrong with the index: each thing with what that is."""

    things: int
    wrong: Mapping[Address, str]


def check(table: Table, index: Callable[[], Engine], pauses: Iterable[float] = _PAUSES) -> Checked:
    """Compare the whole index with the whole table, and what differs again after each pause.

    `index` is called for the index as it is then.
    """
    indexed = _indexed(index)
    there = addresses(table)
    wrong = _differing(table, indexed, there | indexed.keys())
    for seconds in pauses:
        if not wrong:
            break
        time.sleep(seconds)
        wrong = _differing(table, _indexed(index), wrong.keys())
    return Checked(len(there), wrong)


def _indexed(index: Callable[[], Engine]) -> dict[Address, str]:
    return dict(index().everything())


def addresses(table: Table) -> set[Address]:
    """All things in a table that people can find."""
    told = {address for item in items(table) for address in WATCHED.told_by(item)}
    return {address for address in told if address.kind in WATCHED.kinds}


def items(table: Table) -> Iterator[Item]:
    """All items of a table, of each its key and its type."""
    after = None
    while True:
        found, after = table.keys_after(after)
        yield from found
        if after is None:
            return


def _differing(table: Table, indexed: Mapping[Address, str], looked_at: Iterable[Address]) -> dict[Address, str]:
    """What of these things is wrong in the index, by what the table holds now."""
    wrong = dict[Address, str]()
    for some in chunks([each for each in looked_at if each.kind in WATCHED.kinds], _AT_ONCE):
        for each in things(table, WATCHED, some):
            expected = digest(each.contents) if each.contents else None
            if (found := indexed.get(each.address)) != expected:
                wrong[each.address] = "missing" if found is None else "too much" if expected is None else "out of date"
    return wrong


def _index(stage: Stage, where: str, folder: Path) -> Callable[[], Engine]:
    if not where.startswith(BUCKET):
        domain = OpenSearch(signing.sender(where))
        return lambda: domain
    return copied(Bucket(where.removeprefix(BUCKET), stage.client("s3")), folder)


def copied(bucket: Bucket, folder: Path) -> Callable[[], Engine]:
    """What copies an index from its bucket into a folder whenever it is called."""
    index = Snapshots(bucket, folder, writes=False)

    def renewed() -> Engine:
        index.refresh()
        return index.serving()

    return renewed


def main(on: str) -> int:
    """Check a stage and print what is wrong; returns the exit status. Raises LocalError."""
    stage = Stage(on)
    with stage.telling(), TemporaryDirectory() as folder:
        found = stage.optional("search", "SearchIndex")
        if found is None:
            raise StageError(f"ON={on}: the stage has no search (docs/search.md)")
        name = stage.outputs("table", "TableName")["TableName"]
        table = Table(name, stage.client("dynamodb"))
        checked = check(table, _index(stage, found["SearchIndex"], Path(folder)))
    for address, what in list(checked.wrong.items())[:_SHOWN]:
        print(f"{what}: {address.kind} PK={address.key.pk} SK={address.key.sk}")
    if checked.wrong:
        print(f"{len(checked.wrong):,} of {checked.things:,} things: POST /search/rebuild fills the index anew")
        return 1
    print(f"exact: the index says of {checked.things:,} things what the table holds")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1]))
    except LocalError as error:
        sys.exit(str(error))
