"""What belongs to no other system: the health check, the API's own description."""

from functions.system import Rights, Route, System

GET_HEALTH = Route("GET /health", "Whether the API answers", public=True)
GET_OPENAPI = Route("GET /openapi.json", "This description", public=True)

SYSTEM = System(
    name="api",
    routes=(
        GET_HEALTH,
        GET_OPENAPI,
    ),
    rights=Rights(),
)
