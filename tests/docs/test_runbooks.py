"""What the pages tell operators to look at and to run is there."""

import re
from pathlib import Path

import pytest

from functions.routes import ROUTES
from tests.docs.aws_commands import Command, commands

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGE = (DOCS / "runbooks.md").read_text()
NAMED = [(page.name, command) for page in sorted(DOCS.glob("*.md")) for command in commands(page)]


@pytest.mark.parametrize("named", NAMED, ids=lambda named: f"{named[0]} {named[1].operation}")
def test_each_command_of_the_aws_cli_exists_with_its_options(named: tuple[str, Command]) -> None:
    """By the models of botocore, on which the CLI rests."""
    _, command = named
    assert command.model, f"aws {command.service} {command.operation}"
    assert command.unknown == set()


def test_a_command_that_there_is_not_is_found_out() -> None:
    assert Command("dynamodb", "lower-table", "").model is None
    assert Command("dynamodb", "update-table", " --table-name T --bound 1 --output text").unknown == {"bound"}


def test_the_tests_that_drill_are_there_and_so_are_the_routes_and_pages() -> None:
    tests = set(re.findall(r"`(tests/[\w/.]+)`", PAGE))
    assert len(tests) >= 4
    assert [each for each in tests if not (ROOT / each).exists()] == []
    assert set(re.findall(r"`((?:GET|PUT|POST|DELETE) [^`]+)`", PAGE)) <= {
        each for of in ROUTES.values() for each in of
    }


def test_a_query_asks_for_what_a_line_has() -> None:
    """`tests/web/test_told.py` says what a line has."""
    line = {"message", "caller", "sub", "status", "write_units", "read_units"}
    named = {"as", "asked", "writes", "reads", "by", "count", "sum", "filter", "stats", "sort", "desc", "answered"}
    (query,) = re.findall(r"^    filter message.*\n(?:    \|.*\n)+", PAGE, re.MULTILINE)
    assert set(re.findall(r"[a-z_]+", query)) <= line | named
