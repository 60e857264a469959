"""Writes what is generated: the OpenAPI document of the API, docs/access-patterns.md, the tables of hot-keys.md."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.partitions import page, tables
from docs.access_patterns import markdown
from functions.handlers import api
from functions.routes import PUBLIC, ROUTES

ACCESS_PATTERNS = Path(__file__).with_name("access-patterns.md")
OPENAPI = api.OPENAPI
TITLE = "Edgewise"
_NEVER_SENT = frozenset({"HTTPValidationError", "ValidationError"})


def openapi() -> str:
    """One OpenAPI document from the routes of all functions; a token is required but for the public routes."""
    documents: list[dict[str, Any]] = [
        json.loads(
            import_module(f"functions.handlers.{name}").app.get_openapi_json_schema(title=TITLE, version="1.0.0")
        )
        for name in ROUTES
    ]
    schemas = {name: schema for document in documents for name, schema in document["components"]["schemas"].items()}
    merged = {
        "openapi": documents[0]["openapi"],
        "info": documents[0]["info"],
        "paths": {path: _operations(path, item) for document in documents for path, item in document["paths"].items()},
        "components": {
            "schemas": {name: schema for name, schema in schemas.items() if name not in _NEVER_SENT},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        },
    }
    return json.dumps(merged, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _operations(path: str, item: dict[str, Any]) -> dict[str, Any]:
    return {method: _operation(f"{method.upper()} {path}", operation) for method, operation in item.items()}


def _operation(route: str, operation: dict[str, Any]) -> dict[str, Any]:
    # Powertools describes a 422 for every route; ours answer bad input with 400.
    responses = {status: response for status, response in operation["responses"].items() if status != "422"}
    security: list[dict[str, list[str]]] = [] if route in PUBLIC else [{"token": []}]
    return operation | {"responses": responses, "security": security}


if __name__ == "__main__":
    OPENAPI.write_text(openapi())
    ACCESS_PATTERNS.write_text(markdown())
    page.write(tables.tables())
