"""Responses of the place routes."""

from pydantic import BaseModel


class PlaceSummary(BaseModel):
    """Events and distinct devices at a place and below."""

    events: int
    devices: int


class PlaceChild(PlaceSummary):
    """A place directly below."""

    name: str


class PlaceOut(BaseModel):
    """A place: its summary (first page only), the places directly below, the devices here or below."""

    path: list[str]
    summary: PlaceSummary | None
    places: list[PlaceChild]
    devices: list[str]
    cursor: str | None
