"""Writes what is generated.

The OpenAPI document, access-patterns.md, the-table.md (as JSON, too, for the console), rights.md; the list of
decisions; the tables of costs.md and operations.md. Those of hot-keys.md depend on nothing that is declared
(benchmarks.partitions).
"""

from functools import cache
from pathlib import Path

from botocore import session

from benchmarks import pages
from docs import alarm_list, decision_list, rights, the_table
from docs.access_patterns import markdown
from docs.openapi import openapi
from functions.systems.api import routes as api
from functions.systems.operations import table

ACCESS_PATTERNS = Path(__file__).with_name("access-patterns.md")
THE_TABLE = Path(__file__).with_name("the-table.md")
RIGHTS = Path(__file__).with_name("rights.md")
OPENAPI = api.OPENAPI
DRAWING = table.DRAWING


if __name__ == "__main__":
    # Each example has clients of its own, and reading the models of services takes longer than the example.
    session.create_loader = cache(session.create_loader)
    OPENAPI.write_text(openapi())
    ACCESS_PATTERNS.write_text(markdown())
    THE_TABLE.write_text(the_table.markdown())
    DRAWING.write_text(the_table.drawing())
    RIGHTS.write_text(rights.markdown())
    decision_list.PAGE.write_text(decision_list.markdown())
    pages.write()
    alarm_list.PAGE.write_text(alarm_list.filled(alarm_list.PAGE.read_text()))
