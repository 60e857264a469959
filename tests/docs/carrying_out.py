"""A page of the docs whose blocks are done to a copy of the project: what it promises to bring is there afterwards.

A ```python block is a new file, a ```diff block edits one. A diff's lines need not follow one another in the file; each
that is not added must stand there exactly once.
"""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPIED = (
    "edgewise",
    "functions",
    "infra",
    "ops",
    "local",
    "demo",
    "batch",
    "benchmarks",
    "delivery",
    "tests",
    "docs",
    "stages",
    "pyproject.toml",
    "cdk.json",
)
# With bytecode, or each command would compile all again; without what another process is just writing.
UNFINISHED = shutil.ignore_patterns("*.pyc.*", ".*")
_BLOCK = re.compile(r"^```(python|diff) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EMPTY = re.compile(r"\ban empty `(\S+)`")


@dataclass(frozen=True)
class Page:
    """A page by its name in docs."""

    name: str

    @property
    def text(self) -> str:
        """The page as it stands."""
        return (ROOT / "docs" / self.name).read_text()

    @property
    def new(self) -> dict[str, str]:
        """Each new file and what stands in it."""
        made = {name: content for kind, name, content in _BLOCK.findall(self.text) if kind == "python"}
        return dict.fromkeys(_EMPTY.findall(self.text), "") | made

    @property
    def diffs(self) -> list[tuple[str, str]]:
        """Each edited file and how."""
        return [(name, content) for kind, name, content in _BLOCK.findall(self.text) if kind == "diff"]

    @property
    def edited_lines(self) -> int:
        """How many lines of files that exist are added or replaced."""
        return sum(line.startswith("+") for _, diff in self.diffs for line in diff.splitlines())

    @property
    def block_lines(self) -> int:
        """How long its blocks are."""
        return sum(len(content.splitlines()) for _, _, content in _BLOCK.findall(self.text))

    @property
    def words(self) -> int:
        """How long its prose is."""
        return len(_BLOCK.sub("", self.text).split())


@dataclass(frozen=True)
class Copy:
    """A copy of the project, in which commands run as they do in the project."""

    folder: Path
    new: list[str] = field(default_factory=list)
    edited: list[str] = field(default_factory=list)

    @classmethod
    def made(cls, folder: Path) -> "Copy":
        """All that is needed to run tests."""
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=UNFINISHED)
            else:
                shutil.copy(source, folder / name)
        (folder / ".local").symlink_to(ROOT / ".local")  # what DynamoDB Local is run from
        return cls(folder)

    def follow(self, page: Page) -> None:
        """Do what the page says, and what it leaves to tools."""
        for name, content in page.new.items():
            target = self.folder / name
            assert not target.exists(), f"{name} exists already"
            target.parent.mkdir(exist_ok=True)
            target.write_text(content)
        for name, diff in page.diffs:
            target = self.folder / name
            target.write_text(applied(target.read_text(), diff))
        edited = [name for name, _ in page.diffs]
        self.run("ruff", "check", "--quiet", *page.new, *edited)
        self.run("ruff", "format", "--quiet", "--check", *page.new, *edited)
        self.run("docs.build")

    def test(self, *arguments: str) -> None:
        """Run some tests; none at all is a failure too."""
        self.run("pytest", "-n0", "-p", "no:cacheprovider", *arguments)

    def run(self, *command: str) -> None:
        """Run a Python module; raises AssertionError with all that it said."""
        done = subprocess.run([sys.executable, "-m", *command], cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def applied(text: str, diff: str) -> str:
    """The text with the lines of a diff removed (-) and added (+), the latter after the line before them."""
    lines, at = text.splitlines(), 0
    for change in diff.splitlines():
        sign, line = change[:1], change[1:]
        if sign == "+":
            lines.insert(at, line)
            at += 1
            continue
        assert lines.count(line) == 1, f"{line!r} stands {lines.count(line)} times"
        at = lines.index(line) + 1
        if sign == "-":
            at -= 1
            del lines[at]
    return "\n".join([*lines, ""])
