"""What the rows on growth say: a request costs the same where there is a lot."""

from collections.abc import Iterator

import pytest

from benchmarks import engine, many

UNITS = slice(3, 6)


@pytest.fixture(scope="module")
def running(java: None) -> Iterator[None]:
    with engine.running():
        yield


def test_units_do_not_grow_with_what_is_stored(running: None, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = list[int]()
    monkeypatch.setattr(many, "MANY", 2_000)
    rows = many.measure(stored.append).rows
    assert sum(stored) == many.steps(whole=False) == 3 * 3_000
    few, lot = ({(row[0], row[2]): row[UNITS] for row in rows if row[1] == size} for size in ("1,000", "2,000"))
    assert few.keys() == lot.keys()
    grown = {what for what in few if few[what] != lot[what]}
    assert grown <= {("a room's messages", "GET /rooms/{room}/messages user")}, "one user's messages: twice as many"
    writes = float(lot["edges at a hub", "the stream"][1])
    assert 1 < writes < 1.5, "a new edge is counted at its source, too, which nothing else shares"


def test_all_of_it_is_a_million() -> None:
    assert [many.sizes(each, whole=True)[-1] for each in many.COLLECTIONS] == [1_000_000, 1_000_000, 100_000]
