"""Writes what is generated: the OpenAPI document of the API, docs/access-patterns.md, the tables of hot-keys.md."""

from pathlib import Path

from benchmarks.partitions import page, tables
from docs.access_patterns import markdown
from docs.openapi import openapi
from functions.systems.api import routes as api

ACCESS_PATTERNS = Path(__file__).with_name("access-patterns.md")
OPENAPI = api.OPENAPI


if __name__ == "__main__":
    OPENAPI.write_text(openapi())
    ACCESS_PATTERNS.write_text(markdown())
    page.write(tables.tables())
