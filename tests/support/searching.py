"""Search in tests: an index on this machine's disk, of what a table holds when a test says so."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from edgewise.dynamodb.table import Table
from functions.catalog import WATCHED
from functions.search import withdrawals
from functions.search.embedded import Embedded
from functions.search.hints import Rebuild
from functions.search.reading import things
from functions.systems.search import routes
from ops.search_check import addresses, items


def index(table: Table, engine: Embedded) -> None:
    """Let people find what a table holds now; notes on what was withdrawn are removed, as by the indexer."""
    engine.write({each.address: each.contents for each in things(table, WATCHED, list(addresses(table)))})
    noted = [each.key for item in items(table) for each in WATCHED.told_by(item) if each.kind == withdrawals.TYPE]
    withdrawals.remove(table, noted)


class Asked:
    """The queue of hints, which remembers what rebuilds were asked for."""

    def __init__(self) -> None:
        self.rebuilds: list[Rebuild] = []

    def rebuild(self, wanted: Rebuild) -> None:
        self.rebuilds.append(wanted)


class Searched:
    """What `GET /search` searches: nothing, until a test gives it an engine."""

    def __init__(self, folder: Path) -> None:
        self.nothing = self.own = Embedded(folder)
        self.current = True

    def engine(self) -> tuple[Embedded, bool]:
        return self.own, self.current


SEARCHED: list[Searched] = []


@pytest.fixture(autouse=True, scope="session")
def nothing_is_found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Unless a test indexes something."""
    SEARCHED[:] = [Searched(tmp_path_factory.mktemp("index"))]
    asked = Asked()
    with patch.object(routes, "served", lambda: SEARCHED[0]), patch.object(routes, "queue", lambda: asked):
        yield


@pytest.fixture
def searched(tmp_path: Path) -> Iterator[Embedded]:
    """The index that `GET /search` searches in this test."""
    SEARCHED[0].own = Embedded(tmp_path / "index")
    yield SEARCHED[0].own
    SEARCHED[0].own = SEARCHED[0].nothing
