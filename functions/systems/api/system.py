"""Routes that belong to no other system: the health check and the API's description."""

from functions import rates
from functions.derived import in_no_index
from functions.system import Rights, Route, System

GET_HEALTH = Route("GET /health", "Tell whether the API responds", public=True)
GET_OPENAPI = Route("GET /openapi.json", "The OpenAPI document of this API", public=True)

SYSTEM = System(
    name="api",
    routes=(
        GET_HEALTH,
        GET_OPENAPI,
    ),
    rights=Rights(),
    # What all callers may take is no system's own.
    ignored=(rates.TYPE,),
    anew={rates.TYPE: in_no_index},
)
