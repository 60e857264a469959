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
    "places": (
        "GET /places",
        "GET /places/entities",
        "PUT /places/entities/{kind}/{id}",
        "DELETE /places/entities/{kind}/{id}",
    ),
    "billing": (
        "PUT /invoices/{invoice}",
        "GET /invoices/{invoice}",
        "PUT /invoices/{invoice}/bills/{bill}",
        "DELETE /invoices/{invoice}/bills/{bill}",
        "PUT /bills/{bill}",
        "GET /bills/{bill}",
        "GET /bills/{bill}/invoices",
    ),
    "graph": (
        "PUT /graph/nodes/{type}/{id}",
        "GET /graph/nodes/{type}/{id}",
        "DELETE /graph/nodes/{type}/{id}",
        "GET /graph/nodes/{type}/{id}/edges",
        "GET /graph/nodes/{type}/{id}/aggregates",
        "PUT /graph/edges/{type}/{id}/{label}/{target_type}/{target_id}",
        "DELETE /graph/edges/{type}/{id}/{label}/{target_type}/{target_id}",
        "GET /graph/search",
    ),
    "walks": (
        "GET /graph/rankings/{label}",
        "GET /graph/nodes/{type}/{id}/traverse",
        "GET /graph/nodes/{type}/{id}/recommendations",
        "GET /graph/nodes/{type}/{id}/subtree",
    ),
    "orders": (
        "POST /customers/{customer}/orders",
        "GET /customers/{customer}/orders",
        "POST /customers/{customer}/orders/{order}/ship",
        "GET /orders/open",
    ),
    "games": (
        "POST /players/{player}/games",
        "GET /players/{player}/games",
        "GET /awards/{award}",
        "GET /leaderboards/{game}",
        "GET /leaderboards/{game}/players/{player}",
    ),
    "audits": (
        "POST /equipment/{equipment}/audits",
        "GET /equipment/{equipment}/audits",
        "GET /equipment/{equipment}/audits/latest",
        "GET /equipment/{equipment}",
    ),
    "documents": (
        "PUT /documents/{document}/metadata",
        "PUT /documents/{document}/permissions",
        "PUT /documents/{document}/information/{name}",
        "GET /documents/{document}/information/{name}",
        "DELETE /documents/{document}/information/{name}",
        "POST /documents/{document}/versions",
        "GET /documents/{document}",
        "GET /documents/{document}/versions",
        "GET /documents/{document}/versions/{version}",
    ),
    "api": (
        "GET /health",
        "GET /openapi.json",
    ),
}
PUBLIC = frozenset({"GET /health", "GET /openapi.json"})
GROUPS = ("ingest", "import", "write", "admin")
# Who may call what; every other guarded route is open to everybody with a token.
_WRITTEN_BY_APPLICATIONS = ("places", "billing", "graph", "orders", "games", "audits")
REQUIRED_GROUP = {"POST /telemetry": "ingest", "PUT /rooms/{room}": "admin"} | {
    route: "write" for name in _WRITTEN_BY_APPLICATIONS for route in ROUTES[name] if not route.startswith("GET ")
}
