"""The page as it is built: small, and as its policy demands."""

import gzip
import re
from pathlib import Path

import pytest

from infra.console import build as build_module
from local import page
from local.page import PageError

FIRST_LOAD_KB = 60


@pytest.fixture(scope="module")
def built(web_installed: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "left-over").touch()
    page.build(folder)
    return folder


def first(built: Path) -> list[Path]:
    """The files that a browser needs before it shows anything."""
    index = built / "index.html"
    return [index, *(built / name for name in re.findall(r'(?:src|href)="/([^"]+)"', index.read_text()))]


def test_the_first_load_needs_few_bytes(built: Path) -> None:
    files = first(built)
    assert {file.suffix for file in files} == {".html", ".js", ".css", ".svg", ".woff2"}
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) <= FIRST_LOAD_KB * 1000


@pytest.mark.parametrize("sign", ["uplot", "code_challenge"], ids=["charts", "signing in"])
def test_what_only_some_need_is_loaded_when_they_do(built: Path, sign: str) -> None:
    late = [file for file in built.rglob("*.js") if sign in file.read_text()]
    assert late
    assert not set(late) & set(first(built))


def test_no_script_or_style_stands_in_the_page(built: Path) -> None:
    text = (built / "index.html").read_text()
    assert not re.findall(r"<script(?![^>]* src=)|<style| style=| on\w+=|https?://", text)


def test_nothing_of_an_earlier_build_is_left(built: Path) -> None:
    assert not (built / "left-over").exists()


def test_a_failed_build_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(build_module, "WEB", tmp_path)
    with pytest.raises(PageError, match=r"index\.html"):
        page.build(tmp_path / "page")


def test_a_missing_installation_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(build_module, "VITE", tmp_path / "vite")
    with pytest.raises(PageError, match="make setup"):
        page.build(tmp_path / "page")
