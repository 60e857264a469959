"""The files that a module can import, directly or indirectly."""

import ast
from collections.abc import Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from typing import NamedTuple

from edgewise.public import homes

# Functions import nothing of `batch` and `infra` (a contract enforces this), but the deployment and the job import much
# of `functions`. A stage with faults has the simulator, too.
PACKAGES = frozenset({"batch", "delivery", "edgewise", "functions", "infra"})
# What edgewise's public names stand for: the package imports the module of each when somebody asks for the name.
PUBLIC = {f"edgewise.{name}": home for name, home in homes().items()}


class _Needs(NamedTuple):
    """The project's modules that a module imports, and the files in its folder that it names."""

    modules: frozenset[str]
    files: frozenset[Path]


def files_of(module: str, root: Path) -> list[Path]:
    """The files below `root`, sorted, of the module and of all the project's modules that it may import.

    Imports inside functions count too. A file that is not a module goes with the module in its folder that names it.
    Raises SyntaxError that names the file.
    """
    there = dict(_named(root))
    found: set[Path] = set()
    pending = {module}
    while pending:
        name = pending.pop()
        prefixes = (name[:end] for end, letter in enumerate(f"{name}.") if letter == ".")
        new = {there[prefix] for prefix in prefixes if prefix in there} - found
        for path in new:
            needs = _needs(path, path.stat().st_mtime_ns, path.relative_to(root).parent.as_posix())
            pending |= needs.modules
            found |= {path} | needs.files
    return sorted(found)


def _named(root: Path) -> Iterator[tuple[str, Path]]:
    """The project's modules and packages by name; files may come and go, so they are listed each time."""
    for path in (path for package in PACKAGES for path in (root / package).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


@cache
def _needs(path: Path, _modified: int, package: str) -> _Needs:
    # Of `from a import b` both a and a.b: b may be a module.
    modules: set[str] = set()
    texts: set[object] = set()
    for node in ast.walk(ast.parse(path.read_bytes(), str(path))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package.replace("/", "."))
            modules |= {base} | {PUBLIC.get(name := f"{base}.{alias.name}", name) for alias in node.names}
        elif isinstance(node, ast.Constant):
            texts.add(node.value)
    return _Needs(
        frozenset(name for name in modules if name.partition(".")[0] in PACKAGES),
        frozenset(other for other in path.parent.iterdir() if other.is_file() and other.name in texts),
    )
