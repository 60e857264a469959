"""Places: their numbers, what they contain, and who lives there."""

from typing import Annotated, Any, Literal

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from pydantic import AfterValidator, TypeAdapter

from functions.domain.errors import NotFoundError
from functions.domain.places import RESIDENT_KINDS, Resident, ResidentKind
from functions.handlers import http, runtime, spelling
from functions.handlers.models.fields import PathId, PlacePath
from functions.handlers.models.places import (
    PlaceChild,
    PlaceOut,
    PlaceSummary,
    ResidentIn,
    ResidentOut,
    ResidentsOut,
)
from functions.handlers.paging import DEFAULT_LIMIT, CursorText, Limit, Paging
from functions.store import nodes, patterns, residents
from functions.store.nodes import Member

app = http.resolver()
_place_path = TypeAdapter(PlacePath)


def _is_path(text: str) -> str:
    _components(text)
    return text


def _components(text: str) -> tuple[str, ...]:
    return tuple(_place_path.validate_python([spelling.read(component) for component in text.split("/")]))


PathText = Annotated[str, AfterValidator(_is_path), Query(description="components joined by /, spelled as in a path")]


@app.get(
    "/places",
    summary="A place's numbers, the places directly below, the devices here or below",
    responses=http.described(PlaceOut) | http.NOT_FOUND,
    tags=["places"],
)
def get_place(path: PathText, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query: the summary stands before the children, and they before the devices."""
    place = _components(path)
    paging = Paging({"route": "place", "place": place}, cursor)
    members, position = nodes.page(runtime.table(), patterns.places.place(place), limit, paging.after)
    if not members and cursor is None:
        raise NotFoundError("place", path)
    return http.reply(
        PlaceOut(
            path=list(place),
            summary=next((PlaceSummary(**_numbers(member)) for member in members if member.kind == "PLACE"), None),
            places=[
                PlaceChild(name=member.target[0], **_numbers(member)) for member in members if member.kind == "CONTAINS"
            ],
            devices=[member.target[0] for member in members if member.kind == "HOSTS"],
            cursor=paging.next(position),
        )
    )


@app.get(
    "/places/entities",
    summary="The entities of a kind that live at a place or below",
    responses=http.described(ResidentsOut),
    tags=["places"],
)
def get_residents(
    path: PathText,
    kind: Annotated[Literal["DEVICE", ResidentKind], Query()],
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """One query of the index by value: what begins with the place."""
    place = _components(path)
    paging = Paging({"route": "residents", "place": place, "kind": kind}, cursor)
    found, position = residents.page(runtime.table(), patterns.places.residents(place, kind), limit, paging.after)
    return http.reply(ResidentsOut(entities=list(map(_resident, found)), cursor=paging.next(position)))


@app.put(
    "/places/entities/<kind>/<id>",
    summary="Let an entity live at a place, wherever it lived before",
    responses=http.described(ResidentOut),
    tags=["places"],
)
def put_resident(
    kind: Annotated[ResidentKind, Path()], entity: Annotated[PathId, Path(alias="id")], body: ResidentIn
) -> Response[str]:
    """One write; the numbers of the old and the new place follow."""
    resident = Resident(kind, entity, tuple(body.path))
    residents.put(runtime.table(), resident)
    return http.reply(_resident(resident))


@app.delete(
    "/places/entities/<kind>/<id>",
    summary="Let an entity live nowhere",
    status_code=204,
    responses=http.removal(),
    tags=["places"],
)
def delete_resident(
    kind: Annotated[ResidentKind, Path()], entity: Annotated[PathId, Path(alias="id")]
) -> Response[str]:
    """One write; again changes nothing."""
    residents.delete(runtime.table(), kind, entity)
    return http.no_content()


handler = http.handler(app)


def _numbers(member: Member) -> dict[str, Any]:
    counts = {name: cell.count for name, cell in member.cells.items()}
    return {
        "events": counts.get("Events", 0),
        "devices": counts.get("Devices", 0),
        "entities": {kind: counts[kind] for kind in RESIDENT_KINDS if kind in counts},
    }


def _resident(resident: Resident) -> ResidentOut:
    return ResidentOut(kind=resident.kind, id=resident.id, path=list(resident.place))
