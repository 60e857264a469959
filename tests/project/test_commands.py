"""Each command that is documented is run by a test, as people run it; or it stands here why not."""

import ast
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text()
LISTED = set(re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
DOCUMENTED = set(re.findall(r"^([a-z-]+):.*#[#-] ", MAKEFILE, re.MULTILINE))
TEXT = "\n".join(page.read_text() for page in PAGES)
NAMED = set(re.findall(r"(?:`|^    |[A-Z]+=\S+ )make (?:-s )?([a-z-]+)", TEXT, re.MULTILINE))
CI = "checks.yml runs `make check`, which sets everything up"
AWS = "it needs an AWS account; tests/e2e runs the same commands of the CDK on a local cloud"
LONG = "it takes half an hour or more; tests/benchmarks runs its parts on less"
NOT_RUN = {
    **dict.fromkeys(("setup", "lint", "style", "test", "check"), CI),
    **dict.fromkeys(("diff", "bootstrap", "deploy", "destroy"), AWS),
    **dict.fromkeys(("bench", "bench-batch", "night", "prove"), LONG),
    "dev": "it never ends; tests/local/test_dev.py runs its line, and edits a copy of the project beside it",
    "docs": "it writes into docs; tests/docs/carrying_out.py runs its line in a copy of the project",
    "synth": "`make sam` begins with it",
    "screenshots": "it takes minutes; tests/e2e/test_console_pages.py opens the same pages",
    "year": "it takes minutes; tests/infra/test_year.py walks a part of it",
    "lock": "its outcome is another one each day",
}


def run() -> Iterator[str]:
    """The commands that tests run: each call of `made` names one."""
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Name("made"), args=[ast.Constant(str(target)), *_]):
                    yield target


def test_each_command_is_run_or_it_is_said_why_not() -> None:
    assert set(run()) == DOCUMENTED - NOT_RUN.keys()


def test_the_list_is_short_and_each_other_command_stands_in_a_page() -> None:
    assert len(LISTED) <= 20
    assert DOCUMENTED - LISTED <= NAMED


def test_the_pages_name_no_command_that_there_is_not() -> None:
    assert NAMED <= DOCUMENTED
    assert all(map(find_spec, re.findall(r"/bin/python -m ([a-z_.]+)", TEXT)))
