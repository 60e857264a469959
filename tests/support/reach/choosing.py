"""Decide which tests a change reaches, from what they reached when they ran."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch

# A change of these reaches every test: of what runs tests, of what is installed.
EVERYTHING = (
    "Makefile",
    "pyproject.toml",
    "*requirements*",
    "*package*.json",
    "tests/conftest.py",
    "tests/support/*",
    ".npmrc",
)
# What tells what functions declare when they are imported, once in a process: routes, models, settings, rights.
OF_DECLARATIONS = (
    "tests/docs/test_generated.py",
    "tests/docs/test_openapi.py",
    "tests/infra/test_http.py",
    "tests/infra/test_starts.py",
    "tests/web/test_openapi.py",
)
# What only programs that are not Python read counts as a change of what starts them.
READ_BY = {
    "web/*": "infra/console/build.py",
    "tests/e2e/browser/*": "tests/e2e/console.py",
    "tests/search/specification/*": "tests/search/specification.py",
}


@dataclass(frozen=True)
class Reach:
    """What is known of the tests when they last ran.

    digests: of each file, and of the parts of each module: `FILE::` is what it declares, `FILE::NAME` a function.
    tests: what each test reached: the functions that ran, the files that were read.
    once: the functions that run once in a process, such as when it imports a module: whichever tests come later.
    """

    digests: Mapping[str, str]
    tests: Mapping[str, frozenset[str]]
    failed: frozenset[str] = frozenset()
    once: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Choice:
    """The tests to run, and why these."""

    tests: frozenset[str]
    why: str


def choose(known: Reach | None, now: Mapping[str, str], collected: Collection[str], imports: "Imports") -> Choice:
    """Choose among the collected tests: those that reach what has changed, that failed, or that are new.

    now: the digests of all files and their parts. All are chosen if nothing is known, if what changed reaches
    everything, or if no test is known to reach it.
    """
    everything = frozenset(collected)
    if known is None:
        return Choice(everything, "all tests: it is not known yet which files they reach")
    changed = {name for name in {*known.digests, *now} if known.digests.get(name) != now.get(name)}
    files = {name for name in changed if "::" not in name}
    for file in sorted(files):
        if any(fnmatch(file, pattern) for pattern in EVERYTHING):
            return Choice(everything, f"all tests: {file} has changed, which concerns all of them")
    reached = frozenset[str]().union(*known.tests.values())
    modules = {_file_of(name) for name in {*known.digests, *now} if name.endswith("::")}
    # A declaration, and a function that no test is seen to call, concern all that reaches the file.
    unseen = {name for name in changed if name.endswith("::") or ("::" in name and name not in reached - known.once)}
    whole = (files - modules) | {_file_of(name) for name in unseen}
    of_files = frozenset(map(_file_of, reached))
    wanted = {each for file in whole for each in _stand_for(file, of_files, imports)}
    if lost := sorted(file for file in wanted if file not in of_files and not file.startswith("tests/")):
        return Choice(everything, f"all tests: none is known to reach {lost[0]}")
    names = changed | {name for name in reached if _file_of(name) in wanted}
    new = everything - known.tests.keys()
    folders = tuple(f"tests/systems/{file.split('/')[2]}/" for file in files if file.startswith("functions/systems/"))
    folders += OF_DECLARATIONS if any(file.startswith("functions/") for file in whole) else ()
    reaching = {
        test
        for test in everything & known.tests.keys()
        # What a request that is refused early does not reach may be what should refuse it.
        if test.startswith(folders) or names & known.tests[test] or wanted & imports.of(test)
    }
    return Choice(
        frozenset(new | reaching | (known.failed & everything)),
        f"{len(files)} changed files; {len(reaching):,} tests reach them, {len(new):,} are new, "
        f"{len(known.failed & everything):,} failed before",
    )


def _file_of(name: str) -> str:
    return name.partition("::")[0]


def _stand_for(file: str, reached: frozenset[str], imports: "Imports") -> frozenset[str]:
    """Return the files whose reach is that of a change of this file: itself, or what alone can show the change."""
    for pattern, reader in READ_BY.items():
        if fnmatch(file, pattern):
            return frozenset((reader,))
    found, pending = set[str](), [file]
    while pending:
        each = pending.pop()
        # A module without functions shows in those that import it.
        if each not in found:
            found.add(each)
            if each not in reached:
                pending.extend(imports.importers(each))
    known = found & reached or {each for each in found if each.startswith("tests/")}
    return frozenset(known or {file})


class Imports:
    """Which files import which others, from their text alone."""

    def __init__(self, imported: Mapping[str, Iterable[str]]) -> None:
        self._imported = {file: frozenset(names) for file, names in imported.items()}
        self._closures: dict[str, frozenset[str]] = {}

    def importers(self, file: str) -> Iterable[str]:
        """Return the files that import a file."""
        return [each for each, names in self._imported.items() if file in names]

    def of(self, test: str) -> frozenset[str]:
        """Return the files that a test consists of: its own, and what it imports of other tests' and their helpers.

        Of the project itself, only what the test's own file imports: in the end, all of it is imported.
        """
        file = test.partition("::")[0]
        if file not in self._closures:
            found, pending = set[str](), [file, *_conftests(file)]
            while pending:
                if (each := pending.pop()) not in found:
                    found.add(each)
                    pending.extend(name for name in self._imported.get(each, ()) if name.startswith("tests/"))
            self._closures[file] = frozenset(found | self._imported.get(file, frozenset()))
        return self._closures[file]


def _conftests(file: str) -> Iterable[str]:
    parts = file.split("/")
    return ["/".join([*parts[:end], "conftest.py"]) for end in range(2, len(parts))]
