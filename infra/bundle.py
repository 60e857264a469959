"""Bundles for Lambda, made without Docker: each function's own modules, and separately the pinned dependencies.

Both include their bytecode. Dependencies are installed into `.build/` once per requirements file and platform.
"""

import hashlib
import py_compile
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from importlib.util import cache_from_source
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from functions.catalog import SYSTEMS, module_of
from infra import botocore_data, modules
from infra.fetched import fetched
from infra.modules import files_of

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "functions"
REQUIREMENTS = SOURCE / "requirements.txt"
SEARCH_REQUIREMENTS = SOURCE / "search" / "requirements.txt"
# What these run in a stage with faults, instead of what is called like them; it has the code of both.
BREAKABLE = {"edge_aggregator": "breakable_aggregator"}
# What a function starts as a process of its own, by its name.
STARTS = {"proof": "functions.replay.__main__"}
# These functions also carry the search engine.
SEARCHING = frozenset({"search", "indexer"})
CACHE = ROOT / ".build"
# Lambda's runtimes on which the checks run (.github/workflows/checks.yml): functions get the one that bundles them.
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# The one of them on which all stages of AWS run, whoever deploys them: another would replace the runtime of every
# function by the way. The workflows have it, too (tests/project/test_workflows.py).
DEPLOYED = "3.13"
# Lambda's folders are read-only: without bytecode, each cold start compiles all imported modules (0.7 s of a full vCPU;
# with bytecode 0.2 s). Unchecked, because packing loses the file times that Python would compare.
UNCHECKED = py_compile.PycInvalidationMode.UNCHECKED_HASH
# Where Lambda looks for the packages of a layer.
LAYER_FOLDER = "python"


class WrongPythonError(Exception):
    """Functions are not checked on this Python, or Lambda doesn't have it."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"functions can't run on Python {found}, but on {', '.join(PYTHONS)}: name one that you have installed, "
            f"such as PYTHON=python{PYTHONS[0]} make setup"
        )


def python_version() -> str:
    """The functions' Python: this one, because Lambda ignores the bytecode of others. Raises WrongPythonError."""
    found = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if found not in PYTHONS:
        raise WrongPythonError(found)
    return found


def write_code(name: str, target: Path, root: Path = ROOT) -> None:
    """Put the modules of the function `name`, and their bytecode, into the folder `target`.

    Raises SyntaxError or PyCompileError.
    """
    for path in files(name, root):
        copy = target / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        if copy.suffix == ".py":
            compiled = Path(cache_from_source(copy))
            compiled.parent.mkdir(exist_ok=True)
            compiled.write_bytes(_bytecode(path, copy.relative_to(target).as_posix(), copy.read_bytes()))


def files(name: str, root: Path = ROOT) -> list[Path]:
    """The files of a function; whatever answers live reads imports the routes of their systems by name.

    What it starts is not imported either.
    """
    found = files_of(module_of(name), root)
    if name in STARTS:
        return sorted({*found, *files_of(STARTS[name], root)})
    if root / "functions" / "handlers" / "live_routes.py" in found:
        live = (files_of(module_of(system.name), root) for system in SYSTEMS if system.live)
        return sorted({*found, *chain.from_iterable(live)})
    return found


@cache
def _bytecode(path: Path, shown: str, _content: bytes) -> bytes:
    """The bytecode of a module, which stands in many bundles; `shown`: the file that tracebacks name."""
    with TemporaryDirectory() as folder:
        compiled = f"{folder}/{path.stem}"
        py_compile.compile(str(path), compiled, shown, doraise=True, invalidation_mode=UNCHECKED)
        return Path(compiled).read_bytes()


def write_layer(target: Path, wheel_platform: str | None, requirements: Path = REQUIREMENTS) -> None:
    """Put what a list pins, for the platform tag of its wheels or for this machine (None), into `target`.

    Installs them unless `.build/` has them.
    """
    shutil.copytree(dependencies(wheel_platform, requirements), target / LAYER_FOLDER)


def code_digest(name: str, root: Path = ROOT) -> str:
    """A digest of the function's code; raises SyntaxError."""
    return digest_of(files(name, root), root)


def digest_of(files: Iterable[Path], root: Path = ROOT) -> str:
    """A digest of some of this project's files."""
    return _digest(root, *files, key="code")


def layer_digest(wheel_platform: str | None, requirements: Path = REQUIREMENTS) -> str:
    """A digest of the layer's content."""
    return _digest(ROOT, requirements, key=str(wheel_platform))


def deployment_digest(root: Path = ROOT) -> str:
    """A digest of all sources of the templates; raises SyntaxError."""
    return _digest(root, *deployment_sources(root), key="deployment")


def deployment_sources(root: Path = ROOT) -> list[Path]:
    """The files that templates are made from, those of all stages among them; raises SyntaxError."""
    modules = {path for name in ("infra.stacks", "infra.stages") for path in files_of(name, root)}
    lists = (each.relative_to(ROOT) for each in (REQUIREMENTS, SEARCH_REQUIREMENTS))
    others = (root / name for name in (Path("app.py"), Path("cdk.json"), *lists))
    return sorted({*modules, *others, *(root / "stages").glob("*.toml")})


def _digest(root: Path, *files: Path, key: str) -> str:
    """A digest of the files' names and contents, and of what bundles them, which changes the bundle, too."""
    digest = hashlib.sha256(f"{key} {python_version()}".encode())
    for module in (__file__, botocore_data.__file__, modules.__file__):
        digest.update(Path(module).read_bytes())
    for path in files:
        digest.update(b"\0%b\0%b" % (path.relative_to(root).as_posix().encode(), path.read_bytes()))
    return digest.hexdigest()


def dependencies(wheel_platform: str | None, requirements: Path = REQUIREMENTS) -> Path:
    """The folder of the pinned packages, for a platform or for this machine (None); installs them unless it exists."""

    def fetch(scratch: Path) -> Path:
        fresh = scratch / "deps"
        _install(fresh, wheel_platform, requirements)
        _prune(fresh)
        _compile(fresh)
        return fresh

    return fetched(CACHE / f"deps-{layer_digest(wheel_platform, requirements)[:16]}", fetch)


def _install(target: Path, wheel_platform: str | None, requirements: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--require-hashes",
        "--no-compile",
    ]
    command += ["--only-binary=:all:", "--implementation", "cp", "--python-version", python_version()]
    command += ["--platform", wheel_platform] if wheel_platform else []
    subprocess.run([*command, "--target", str(target), "-r", str(requirements)], check=True)


def _prune(target: Path) -> None:
    shutil.rmtree(target / "bin", ignore_errors=True)
    if (target / "botocore").exists():
        botocore_data.prune(target)


def _compile(target: Path) -> None:
    command = [sys.executable, "-m", "compileall", "-q", "-j0", "--invalidation-mode", "unchecked-hash"]
    subprocess.run([*command, "-s", str(target), str(target)], check=True)
