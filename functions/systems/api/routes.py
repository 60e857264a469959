"""Routes that belong to no system: the health check and the API's description."""

from functools import cache
from pathlib import Path

from aws_lambda_powertools.event_handler import Response
from pydantic import BaseModel, ConfigDict

from functions.systems.api.system import SYSTEM
from functions.web import answers, http

OPENAPI = Path(__file__).with_name("openapi.json")

app = http.resolver(SYSTEM)


class Description(BaseModel):
    """An OpenAPI document."""

    model_config = ConfigDict(extra="allow")

    openapi: str


class Health(BaseModel):
    """The function answers."""

    status: str


@http.route(
    app,
    "GET /health",
    "Tell whether the API responds",
    responses=answers.described(Health),
    public=True,
)
def get_health() -> Response[str]:
    """Tells whether the API responds, without a request to the table."""
    return answers.reply(Health(status="ok"))


@http.route(
    app,
    "GET /openapi.json",
    "The OpenAPI document of this API",
    responses=answers.described(Description),
    public=True,
)
def get_openapi() -> Response[str]:
    """The OpenAPI document, generated when the project is built, from the routes of all functions."""
    return Response(200, "application/json", _openapi())


handler = http.handler(app)


@cache
def _openapi() -> str:
    return OPENAPI.read_text()
