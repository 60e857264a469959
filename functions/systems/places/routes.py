"""Places: their numbers, the places and devices below them, and the entities there."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from pydantic import AfterValidator, TypeAdapter

from edgewise import Cell, NotFoundError
from functions.systems.places import keys, patterns, store
from functions.systems.places.entity import RESIDENT_KINDS, Resident, ResidentKind
from functions.systems.places.models import (
    PlaceChild,
    PlaceOut,
    PlaceSummary,
    ResidentIn,
    ResidentOut,
    ResidentsOut,
    RootPlaces,
)
from functions.systems.places.system import HOSTS, PLACE, PLACE_CHANGES, SYSTEM
from functions.web import answers, http, runtime, spelling
from functions.web.fields import ExactPlace, SpelledId
from functions.web.paging import DEFAULT_LIMIT, Beginning, CursorText, Limit, Paging, directory_page, edges_page

app = http.resolver(SYSTEM)
_place_path = TypeAdapter(ExactPlace)


def _is_path(text: str) -> str:
    _components(text)
    return text


def _components(text: str) -> tuple[str, ...]:
    return tuple(_place_path.validate_python([spelling.read(component) for component in text.split("/")]))


PathText = Annotated[str, AfterValidator(_is_path), Query(description="components joined by /, spelled as in a path")]


@http.route(
    app, "GET /places/roots", "All places that lie in no other, by name", responses=answers.described(RootPlaces)
)
def get_roots(begins_with: Beginning = None, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query of the index by value."""
    found, next_cursor = directory_page(keys.PLACES, begins_with, limit, cursor)
    return answers.reply(RootPlaces(places=found, cursor=next_cursor))


@http.route(
    app,
    "GET /places",
    "A place's numbers, the places directly below, the devices here or below",
    responses=answers.described(PlaceOut) | answers.NOT_FOUND,
    shows=(PLACE, HOSTS),
    live=PLACE_CHANGES,
)
def get_place(path: PathText, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query for the children and the devices; the place's own numbers are next to its siblings, except a root's."""
    place = _components(path)
    page = edges_page((PLACE, HOSTS), patterns.place(place), limit, cursor)
    own = page.summary.cells if page.summary else {} if cursor else store.numbers(runtime.table(), place)
    if not own and page.is_empty and cursor is None:
        raise NotFoundError("place", path)
    return answers.reply(
        PlaceOut(
            path=list(place),
            summary=PlaceSummary(**_numbers(own)) if own else None,
            places=[
                PlaceChild(name=each.target[0], **_numbers(each.cells)) for each in page.edges if each.kind is PLACE
            ],
            devices=[edge.target[0] for edge in page.edges if edge.kind is HOSTS],
            cursor=page.cursor,
        )
    )


@http.route(
    app, "GET /places/entities", "The entities of a kind at a place or below", responses=answers.described(ResidentsOut)
)
def get_residents(
    path: PathText,
    kind: Annotated[Literal["DEVICE", ResidentKind], Query()],
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """One query of the index by value, or one per shard, merged, by the prefix of the place."""
    place = _components(path)
    paging = Paging({"route": "residents", "of": [place, kind]}, cursor)
    found, position = store.residents(runtime.table(), place, kind, limit, paging.after)
    return answers.reply(ResidentsOut(entities=list(map(_resident, found)), cursor=paging.next(position)))


@http.route(
    app,
    "PUT /places/entities/{kind}/{id}",
    "Put an entity at a place, in place of any earlier one",
    responses=answers.described(ResidentOut),
    group="write",
)
def put_resident(
    kind: Annotated[ResidentKind, Path()], entity: Annotated[SpelledId, Path(alias="id")], body: ResidentIn
) -> Response[str]:
    """One write; the stream consumer updates the numbers of the old and the new place."""
    resident = Resident(kind, entity, tuple(body.path))
    store.put(runtime.table(), resident)
    return answers.reply(_resident(resident))


@http.route(
    app,
    "DELETE /places/entities/{kind}/{id}",
    "Remove an entity from its place",
    responses=answers.removal(),
    status_code=204,
    group="write",
)
def delete_resident(
    kind: Annotated[ResidentKind, Path()], entity: Annotated[SpelledId, Path(alias="id")]
) -> Response[str]:
    """One write; repeating it changes nothing."""
    store.delete(runtime.table(), kind, entity)
    return answers.no_content()


handler = http.handler(app)


def _numbers(cells: Mapping[str, Cell]) -> dict[str, Any]:
    counts = {name: cell.count for name, cell in cells.items()}
    return {
        "events": counts.get("Events", 0),
        "devices": counts.get("Devices", 0),
        "entities": {kind: counts[kind] for kind in RESIDENT_KINDS if kind in counts},
    }


def _resident(resident: Resident) -> ResidentOut:
    return ResidentOut(kind=resident.kind, id=resident.id, path=list(resident.place))
