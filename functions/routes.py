"""Which function serves which route, and what may be called without a token. The API is deployed from this table."""

ROUTES: dict[str, tuple[str, ...]] = {
    "telemetry": (
        "POST /telemetry",
        "GET /devices/{device}",
        "GET /devices/{device}/events",
        "GET /devices/{device}/rollups",
    ),
    "chat": (
        "POST /rooms/{room}/messages",
        "GET /rooms/{room}/messages",
        "PUT /rooms/{room}",
        "GET /rooms/{room}",
        "GET /rooms/{room}/users",
        "GET /users/{user}/rooms",
    ),
    "api": (
        "GET /places",
        "GET /health",
        "GET /openapi.json",
    ),
}
PUBLIC = frozenset({"GET /health", "GET /openapi.json"})
GROUPS = ("ingest", "import", "write", "admin")
# Who may call what; every other guarded route is open to everybody with a token.
REQUIRED_GROUP = {"POST /telemetry": "ingest", "PUT /rooms/{room}": "admin"}
