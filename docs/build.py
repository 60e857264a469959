"""Writes everything generated: the OpenAPI document, access-patterns.md, the-table.md, the tables of hot-keys.md."""

from pathlib import Path

from benchmarks.partitions import page, tables
from docs import the_table
from docs.access_patterns import markdown
from docs.openapi import openapi
from functions.systems.api import routes as api

ACCESS_PATTERNS = Path(__file__).with_name("access-patterns.md")
THE_TABLE = Path(__file__).with_name("the-table.md")
OPENAPI = api.OPENAPI


if __name__ == "__main__":
    OPENAPI.write_text(openapi())
    ACCESS_PATTERNS.write_text(markdown())
    THE_TABLE.write_text(the_table.markdown())
    page.write(tables.tables())
