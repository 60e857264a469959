"""One deployment asset for all functions: our code, its pinned dependencies, their bytecode; no Docker.

Dependencies are installed into `.build/` once per requirements file and platform; the asset is made once per
content.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import jsii
from aws_cdk import BundlingOptions, DockerImage, ILocalBundling
from aws_cdk.aws_lambda import Code, Runtime

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "functions"
REQUIREMENTS = SOURCE / "requirements.txt"
CACHE = ROOT / ".build"
RUNTIME = Runtime.PYTHON_3_11
PYTHON_VERSION = RUNTIME.name.removeprefix("python")
# botocore describes some 400 services in 26 MB; functions create clients for these only.
SERVICES = frozenset({"dynamodb", "s3", "secretsmanager"})
IGNORED = ("__pycache__", "*.pyc", ".*", REQUIREMENTS.name)  # tools leave their caches in hidden folders


class WrongPythonError(Exception):
    """This Python would bundle bytecode that the functions' Python ignores."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"Python {found} can't bundle functions that run on Python {PYTHON_VERSION}: make clean, "
            f"then install Python {PYTHON_VERSION} and begin again"
        )


def function_code(wheel_platform: str | None) -> Code:
    """The asset, for the platform tag of its wheels or for this machine (None); built when CDK needs it.

    Raises WrongPythonError.
    """
    found = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if found != PYTHON_VERSION:
        raise WrongPythonError(found)
    return Code.from_asset(
        str(SOURCE),
        exclude=[f"**/{pattern}" for pattern in IGNORED],
        asset_hash=_digest(REQUIREMENTS, *_sources(), key=str(wheel_platform)),
        bundling=BundlingOptions(
            # CDK insists on an image; it is never pulled, because local bundling does not decline.
            image=DockerImage.from_registry("unused"),
            local=_LocalBundling(wheel_platform),
        ),
    )


def write_bundle(target: Path, wheel_platform: str | None) -> None:
    """Fill the folder `target` with what Lambda unpacks; install dependencies unless `.build/` has them."""
    shutil.copytree(_dependencies(wheel_platform), target, dirs_exist_ok=True)
    code = target / SOURCE.name
    shutil.copytree(SOURCE, code, ignore=shutil.ignore_patterns(*IGNORED))
    _compile(code)


@jsii.implements(ILocalBundling)
class _LocalBundling:
    def __init__(self, wheel_platform: str | None) -> None:
        self._wheel_platform = wheel_platform

    def try_bundle(self, output_dir: str, *_options: Any, **_named: Any) -> bool:
        write_bundle(Path(output_dir), self._wheel_platform)
        return True


def _sources() -> list[Path]:
    def ours(path: Path) -> bool:
        return not any(fnmatch(part, pattern) for part in path.relative_to(SOURCE).parts for pattern in IGNORED)

    return sorted(path for path in SOURCE.rglob("*") if path.is_file() and ours(path))


def _digest(*files: Path, key: str) -> str:
    """A digest of the files' names and contents, and of this module: another way to bundle makes another bundle."""
    digest = hashlib.sha256(key.encode())
    for path in (Path(__file__), *files):
        digest.update(b"\0%b\0%b" % (path.relative_to(ROOT).as_posix().encode(), path.read_bytes()))
    return digest.hexdigest()


def _dependencies(wheel_platform: str | None) -> Path:
    ready = CACHE / f"deps-{_digest(REQUIREMENTS, key=str(wheel_platform))[:16]}"
    if not ready.exists():
        CACHE.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
            fresh = Path(scratch) / "deps"
            _install(fresh, wheel_platform)
            _prune(fresh)
            _compile(fresh)
            _publish(fresh, ready)
    return ready


def _publish(fresh: Path, ready: Path) -> None:
    """Move in one step, so that an interrupted installation never looks like a finished one."""
    try:
        fresh.rename(ready)
    except OSError:
        if not ready.exists():  # else another process has finished the same installation meanwhile
            raise


def _install(target: Path, wheel_platform: str | None) -> None:
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
    command += ["--only-binary=:all:", "--implementation", "cp", "--python-version", PYTHON_VERSION]
    command += ["--platform", wheel_platform] if wheel_platform else []
    subprocess.run([*command, "--target", str(target), "-r", str(REQUIREMENTS)], check=True)


def _prune(target: Path) -> None:
    shutil.rmtree(target / "bin", ignore_errors=True)
    for package in ("boto3", "botocore"):
        for path in (target / package / "data").iterdir():
            if path.is_dir() and path.name not in SERVICES:
                shutil.rmtree(path)


def _compile(target: Path) -> None:
    # Lambda's code folder is read-only: without bytecode each cold start compiles everything that it imports (0.7 s of
    # a whole processor; with it 0.2 s). Unchecked, because packing loses the file times that Python would compare.
    command = [sys.executable, "-m", "compileall", "-q", "-j0", "--invalidation-mode", "unchecked-hash"]
    subprocess.run([*command, "-s", str(target), str(target)], check=True)
