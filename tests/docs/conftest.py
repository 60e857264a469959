"""A copy of the project for the pages that are carried out."""

from pathlib import Path

import pytest

from tests.docs.carrying_out import Copy


@pytest.fixture
def copy(tmp_path: Path, check_packages: None) -> Copy:
    return Copy.made(tmp_path)
