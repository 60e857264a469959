"""What moved last among all that is listed: read when somebody asks, and kept nowhere."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from aws_lambda_powertools.event_handler import Response

from edgewise import AggregateId, Item, Key, clock, each, rfc_3339
from edgewise.aggregates import keys, stored
from functions.systems.operations import listed
from functions.systems.operations.app import app
from functions.systems.operations.listed import LISTED, Place
from functions.systems.operations.naming import spelled
from functions.systems.operations.rolling_models import MovedOut, RecentOut
from functions.web import answers, http, runtime
from functions.web.paging import CursorText

# How many aggregates one request looks at, and how many it tells of.
LOOKED: Final = 100
TOLD: Final = 20
_QUERY: Final = {"route": "recent"}


@http.route(
    app,
    "GET /recent",
    "What moved last: of the next hundred listed aggregates, those with the newest records",
    responses=answers.described(RecentOut),
)
def get_recent(cursor: CursorText = None) -> Response[str]:
    """A query for each directory that it reads of, and batches of reads, eventually consistent."""
    table = runtime.table()
    # A system declares what it shows, but this one shows what all others declare.
    runtime.freshness().look(LISTED, after=None, by_index=True)
    start = Place.of(runtime.cursors().decode(_QUERY, cursor))
    abouts, place = listed.page(table, start, LOOKED)
    found = table.get_many([keys.of(about) for about in abouts])
    moved = sorted(_moved(abouts, found), key=lambda of: of.at, reverse=True)
    return answers.reply(
        RecentOut(
            at=rfc_3339(clock.now()),
            looked=len(abouts),
            moved=moved[:TOLD],
            cursor=runtime.cursors().encode(_QUERY, place and place.position),
        )
    )


def _moved(abouts: Sequence[AggregateId], found: Mapping[Key, Item]) -> Iterator[MovedOut]:
    """What is told of those that are stored. A foreign item is left out, as of any list."""
    for about in abouts:
        items = [item for item in [found.get(keys.of(about))] if item]
        yield from filter(None, each(runtime.table(), partial(moved, about), items))


def moved(about: AggregateId, item: Item) -> MovedOut | None:
    """What is told of an aggregate; None of one that no record has moved, or that counts nothing."""
    found = stored.aggregate(about, item)
    newest = max((checkpoint.at for checkpoint in found.checkpoints.values()), default=None)
    shown = {
        name: cell for name, cell in found.cells.items() if about.kind.shows(name) and not about.bucket_start(name)
    }
    if newest is None or not shown:
        return None
    # Of equal counts, the one that the kind names first: orders, before open orders.
    name = min(shown, key=lambda each: (-shown[each].count, f"{about.kind.cells} {each}".lower().find(each.lower())))
    return MovedOut(
        kind=about.kind.name,
        dimensions=spelled(about),
        at=rfc_3339(newest),
        cell=name,
        count=shown[name].count,
        lacks=found.lacks or None,
    )
