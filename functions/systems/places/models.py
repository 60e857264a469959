"""Requests and responses of the place routes."""

from pydantic import BaseModel

from functions.web.common import Counted, Listed
from functions.web.fields import PlacePath, Request


class PlaceSummary(BaseModel):
    """Events, distinct devices, and residents by kind, at a place and below."""

    events: int
    devices: int
    entities: dict[str, int]


class RootPlaces(Listed):
    """One page of the names of places that lie in no other."""

    places: list[str]
    cursor: str | None


class PlaceChild(PlaceSummary):
    """A place directly below another one."""

    name: str


class PlaceOut(Counted, Listed):
    """A place: its summary (first page only), the places directly below, the devices here or below."""

    path: list[str]
    summary: PlaceSummary | None
    places: list[PlaceChild]
    devices: list[str]
    cursor: str | None


class ResidentIn(Request):
    """The place of an entity."""

    path: PlacePath


class ResidentOut(BaseModel):
    """An entity at a place."""

    kind: str
    id: str
    path: list[str]


class ResidentsOut(Listed):
    """One page of the entities at a place or below, place by place.

    An entity that was put at a place is listed once; a device is listed once for each place that it reported from.
    """

    entities: list[ResidentOut]
    cursor: str | None
