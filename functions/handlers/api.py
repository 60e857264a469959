"""What belongs to no single system: places, the health check, the API's own description."""

from functools import cache
from pathlib import Path
from typing import Annotated
from urllib.parse import unquote

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import AfterValidator, BaseModel, TypeAdapter

from functions.domain.errors import NotFoundError
from functions.domain.measures import Cell
from functions.handlers import http, runtime
from functions.handlers.models.fields import PlacePath
from functions.handlers.models.places import PlaceChild, PlaceOut, PlaceSummary
from functions.handlers.paging import DEFAULT_LIMIT, CursorText, Limit, Paging
from functions.store import nodes, patterns
from functions.store.nodes import Member

OPENAPI = Path(__file__).with_name("openapi.json")

app = http.resolver()
_place_path = TypeAdapter(PlacePath)


def _is_path(text: str) -> str:
    _components(text)
    return text


def _components(text: str) -> tuple[str, ...]:
    return tuple(_place_path.validate_python([unquote(component) for component in text.split("/")]))


class Health(BaseModel):
    """The function answers."""

    status: str


@app.get(
    "/places",
    summary="A place's numbers, the places directly below, the devices here or below",
    responses=http.described(PlaceOut),
    tags=["places"],
)
def get_place(
    path: Annotated[str, AfterValidator(_is_path), Query(description="components joined by /, each percent-encoded")],
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
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


@app.get("/health", summary="Whether the API answers", responses=http.described(Health), tags=["service"])
def get_health() -> Response[str]:
    """No table is asked: this is the API's own pulse."""
    return http.reply(Health(status="ok"))


@app.get("/openapi.json", summary="This description", tags=["service"])
def get_openapi() -> Response[str]:
    """Made when the project is built, from the routes of all functions."""
    return Response(200, "application/json", _openapi())


handler = http.handler(app)


@cache
def _openapi() -> str:
    return OPENAPI.read_text()


def _numbers(member: Member) -> dict[str, int]:
    return {name.lower(): member.cells.get(name, Cell()).count for name in ("Events", "Devices")}
