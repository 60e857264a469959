"""Search: what the caller may read, by its words."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from http import HTTPStatus

from aws_lambda_powertools.event_handler import Response

from edgewise import InvalidInputError, rfc_3339
from functions.catalog import WATCHED
from functions.search import analysis, query, withdrawals
from functions.search.engine import Found
from functions.search.excerpts import Excerpt, excerpts
from functions.search.hints import HintQueue, Rebuild
from functions.search.indexes import Served
from functions.search.query import Search
from functions.search.reading import things
from functions.searchable import Contents
from functions.settings import SearchSettings
from functions.systems.search.models import (
    MOST_FOUND,
    Asked,
    ExcerptOut,
    FoundOut,
    Kinds,
    MarkOut,
    RebuildOut,
    SearchLimit,
    SearchOrder,
    SearchOut,
    Where,
)
from functions.systems.search.system import SYSTEM
from functions.web import answers, http, runtime, spelling
from functions.web.paging import CursorText, Paging
from functions.web.ranges import From, To, bounds

app = http.resolver(SYSTEM)
# Looking for hits in so many characters costs about as much as a write unit: a fiftieth of a second of this function.
LOOKED_AT_FOR_A_UNIT = 10_000


@cache
def settings() -> SearchSettings:
    """The function's settings."""
    return SearchSettings.from_env()


@cache
def served() -> Served:
    """The index."""
    return Served(settings().search_index)


@cache
def queue() -> HintQueue:
    """Where the index's writer is told what to do."""
    return HintQueue(settings().search_queue_url)


@http.route(
    app,
    "GET /search",
    "What the caller may read, by its words",
    responses=answers.described(SearchOut),
)
def find(
    q: Asked,
    kind: Kinds = None,
    where: Where = None,
    start: From = None,
    end: To = None,
    order: SearchOrder = "relevance",
    limit: SearchLimit = 20,
    cursor: CursorText = None,
) -> Response[str]:
    """One search of the index, then a read of what it has found: only what the caller may read now is shown.

    What was withdrawn is read before: so it is in no number of any page, whether the index knows of it or not.
    """
    caller = http.caller(app)
    since, until = bounds(start, end)
    kinds, attributes = _kinds(kind), _attributes(where)
    paging = Paging({"route": "search", "of": (q, kinds, attributes, since, until, order)}, cursor)
    wanted = Search(
        sub=caller.sub,
        clauses=query.clauses(q, analysis.words),
        # Of a kind that another release has indexed, this one knows nothing.
        kinds=kinds or sorted(WATCHED.kinds),
        attributes=attributes,
        start=since,
        end=until,
        order=order,
        offset=int((paging.after or {}).get("offset", "0")),
        limit=limit,
        facets=_facets(kinds),
    )
    found, exact = _searched(wanted)
    shown = _shown(found, caller.sub)
    # What went while this was read, or otherwise than through the application: elsewhere there may be more.
    hidden = Counter(each.kind for each in found.addresses) - Counter(kind for kind, _ in shown)
    kinds_found = {name: count - hidden[name] for name, count in found.kinds.items() if count > hidden[name]}
    after = wanted.offset + limit
    more = len(found.addresses) == limit and after < min(found.total, MOST_FOUND)
    titles, texts = [told.title for _, told in shown], [told.text for _, told in shown]
    parts, looked_at = excerpts([*titles, *texts], wanted.clauses)
    runtime.table().usage.caused += -(-looked_at // LOOKED_AT_FOR_A_UNIT)
    told = zip(shown, parts[: len(shown)], parts[len(shown) :], strict=True)
    return answers.reply(
        SearchOut(
            found=[_found(kind, contents, title, text) for (kind, contents), title, text in told],
            total=found.total - hidden.total(),
            at_most=bool(hidden) or not exact,
            kinds=kinds_found,
            attributes={name: dict(counts) for name, counts in found.attributes.items()},
            cursor=paging.next({"offset": str(after)} if more else None),
        )
    )


@http.route(
    app,
    "POST /search/rebuild",
    "Fill a new index with all that the table holds, beside the one that answers, which it then replaces",
    responses=answers.described(RebuildOut, HTTPStatus.ACCEPTED),
    status_code=HTTPStatus.ACCEPTED,
    group="admin",
)
def rebuild() -> Response[str]:
    """One message. The indexer reads the whole table; a rebuild that is under way is given up."""
    generation = uuid.uuid4().hex
    queue().rebuild(Rebuild(generation))
    return answers.reply(RebuildOut(generation=generation), HTTPStatus.ACCEPTED)


handler = http.handler(app)


def _kinds(given: str | None) -> Sequence[str]:
    kinds = given.split(",") if given else []
    for each in kinds:
        if each not in WATCHED.kinds:
            raise InvalidInputError.of("kind", f"{each} is none of {', '.join(WATCHED.kinds)}")
    return sorted(set(kinds))


def _attributes(given: str | None) -> Mapping[str, str]:
    """The attributes of a filter, such as `room:seattle,user:amy`."""
    known = {name for each in WATCHED.kinds.values() for name in each.attributes}
    found = dict[str, str]()
    for part in given.split(",") if given else ():
        name, colon, value = part.partition(":")
        if name not in known or not colon:
            raise InvalidInputError.of(
                "where", f"{part} must be one of {', '.join(sorted(known))}, a colon and a value"
            )
        try:
            found[name] = spelling.read(value, also=",:")
        except ValueError as error:
            raise InvalidInputError.of("where", f"{part} {error}") from error
    return found


def _facets(kinds: Sequence[str]) -> Sequence[str]:
    """The attributes that all of these kinds have; none unless there are kinds."""
    if not kinds:
        return ()
    first, *others = (WATCHED.kinds[kind].attributes for kind in kinds)
    return [name for name in first if all(name in each for each in others)]


def _searched(wanted: Search) -> tuple[Found, bool]:
    """What the index has found without what was withdrawn, and whether that is left out for certain.

    The notes are read first: what is not noted any more, an index that is read later knows.
    """
    withdrawn = withdrawals.withdrawn(runtime.table(), wanted.sub)
    engine, current = served().engine()
    return engine.search(replace(wanted, without=withdrawn.addresses)), withdrawn.complete and current


def _shown(found: Found, sub: str) -> list[tuple[str, Contents]]:
    """What was found, as the table holds it now, and by its kind: if the user may read it now."""
    read = {each.address: each.contents for each in things(runtime.table(), WATCHED, found.addresses)}
    return [(each.kind, told) for each in found.addresses if (told := read[each]) and told.readable(sub)]


def _found(kind: str, contents: Contents, title: Excerpt, text: Excerpt) -> FoundOut:
    return FoundOut(
        kind=kind,
        id=list(contents.id),
        title=_excerpt(title),
        excerpt=_excerpt(text),
        at=None if contents.at is None else rfc_3339(contents.at),
        attributes=dict(contents.attributes),
    )


def _excerpt(part: Excerpt) -> ExcerptOut:
    return ExcerptOut(text=part.text, marks=[MarkOut(start=start, end=end) for start, end in part.marks])
