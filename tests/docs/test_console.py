"""The addresses on the console's page of the docs, and in the list of pictures, name what there is to see."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from edgewise.dynamodb.schema import INDEXES
from functions.catalog import CATALOG
from functions.systems.operations.families import QUERIED, READ, must_be_known
from tests.e2e.screenshots import PAGES

PAGE = (Path(__file__).parents[2] / "docs" / "console.md").read_text()
ADDRESSES = [*re.findall(r"`(/[^`]*)`", PAGE), *PAGES.values()]
OF_AGGREGATES = [each for each in ADDRESSES if each.startswith("/exactness/")]
OF_PARTITIONS = [each for each in ADDRESSES if each.startswith("/table?")]


@pytest.mark.parametrize("address", OF_AGGREGATES)
def test_an_aggregate_by_what_names_those_of_its_kind(address: str) -> None:
    split = urlsplit(address)
    kind = CATALOG.kinds[split.path.removeprefix("/exactness/")]
    assert parse_qs(split.query).keys() == kind.key.forms.keys()


@pytest.mark.parametrize("address", OF_PARTITIONS)
def test_a_partition_of_a_family_that_is_there(address: str) -> None:
    asked = {name: text for name, (text,) in parse_qs(urlsplit(address).query).items()}
    queried = {index.name: QUERIED[index] for index in INDEXES}
    must_be_known(asked["pk"], queried[asked["index"]] if "index" in asked else READ)


def test_there_are_some_of_both() -> None:
    assert len(OF_AGGREGATES) > 1
    assert len(OF_PARTITIONS) > 3
