"""Every link of a page to another page, a file or a title leads somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
# On GitHub, a workflow's result is beside the files.
LINK = re.compile(r"\]\((?!https?:|\.\./\.\./actions/)([^)#\s]*)(?:#([^)\s]+))?\)")


def titles(page: Path) -> set[str]:
    """The anchors that GitHub makes of a page's titles."""
    found = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in found}


def broken(page: Path, text: str) -> list[str]:
    """The links in a text of this page that lead nowhere."""
    found = {(name, title): page.parent / name if name else page for name, title in LINK.findall(text)}
    return [
        f"{name}#{title}"
        for (name, title), target in found.items()
        if not target.exists() or (title and title not in titles(target))
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    assert broken(page, page.read_text()) == []


def test_a_link_that_leads_nowhere_is_found() -> None:
    page = ROOT / "README.md"
    assert broken(page, "[a](docs/none.md) [b](#none) [c](docs/api.md#none) [d](#try-it) [e](https://none)") == [
        "docs/none.md#",
        "#none",
        "docs/api.md#none",
    ]
