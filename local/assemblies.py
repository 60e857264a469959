"""What was synthesized for the local cloud is kept, so that the same sources are synthesized once.

A cloud gets a copy with its own addresses. What is kept has those of a cloud that nobody runs.
"""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from infra.bundle import digest_of
from ops.local_cloud import Cloud
from ops.paths import LOCAL, ROOT

KEPT = LOCAL / "assemblies"
# A few are kept: of several stages, and of what one has edited and takes back.
MOST = 6
ASSETS = "asset.*"
# Of the assets of all that is kept, by their digests.
ARCHIVES = KEPT / "archives.zip"
# Whose addresses templates have until they are copied: no cloud has this port.
NOBODY = Cloud(2**16 - 1)
# All that a synthesis may read; what programs leave there has other suffixes.
SOURCES = ("edgewise", "functions", "infra", "batch", "app.py", "cdk.json", "requirements.txt", "package-lock.json")
SUFFIXES = frozenset({".py", ".pyi", ".json", ".toml", ".txt", ".in", ".yaml", ".html", ".js"})


@contextmanager
def kept(stage: str, like: str, stages: Path) -> "Iterator[Path]":
    """Give the folder of what the sources make of a stage now, locked: it may not exist yet."""
    folder = KEPT / digest(stage, like, stages)
    KEPT.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def digest(stage: str, like: str, stages: Path) -> str:
    """Digest all that a synthesis reads."""
    made = hashlib.sha256(f"{stage} {like} {digest_of(_sources(), ROOT)}".encode())
    for path in sorted(stages.glob("*.toml")):  # in a folder of anybody's
        made.update(b"\0%b\0%b" % (path.name.encode(), path.read_bytes()))
    return made.hexdigest()[:16]


def begin(scratch: Path) -> None:
    """Make the folder of a synthesis, with the assets of the last one: the CDK bundles only those with new digests."""
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    for asset in (asset for last in _by_use()[:1] for asset in last.glob(ASSETS)):
        shutil.copytree(asset, scratch / asset.name, copy_function=_link)


def keep(scratch: Path, assembly: Path) -> None:
    """Keep what was synthesized, without assets that it does not name, and remove what was not used for longest."""
    named = _manifests(scratch)
    for asset in scratch.glob(ASSETS):
        if asset.name not in named:
            shutil.rmtree(asset)
    scratch.rename(assembly)
    every = _by_use()
    for old in every[MOST:]:
        shutil.rmtree(old, ignore_errors=True)
    named = "".join(map(_manifests, every[:MOST]))
    for archive in ARCHIVES.glob("*.zip"):
        if archive.stem not in named:
            archive.unlink(missing_ok=True)


def copy(assembly: Path, target: Path, cloud: Cloud) -> None:
    """Copy an assembly, with the addresses of a cloud; what is large is linked. The archives of assets are shared."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(assembly, target, copy_function=_link, ignore=shutil.ignore_patterns(".cache"))
    for template in target.glob("*.template.json"):
        text = template.read_text()
        for origin, own in ((NOBODY.url, cloud.url), (NOBODY.console_url, cloud.console_url)):
            text = text.replace(origin, own)
        template.unlink()
        template.write_text(text)
    ARCHIVES.mkdir(exist_ok=True)
    (target / ".cache").symlink_to(ARCHIVES)
    os.utime(assembly)


def _manifests(assembly: Path) -> str:
    return "".join(each.read_text() for each in assembly.glob("*.assets.json"))


def _by_use() -> list[Path]:
    """List what is kept, the last used first."""
    folders = (each for each in KEPT.iterdir() if each.is_dir() and not each.suffix)
    return sorted(folders, key=lambda each: -each.stat().st_mtime)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)


def _sources() -> list[Path]:
    found = (path for name in SOURCES for path in (ROOT / name, *(ROOT / name).rglob("*")))
    return sorted(path for path in found if path.suffix in SUFFIXES and path.is_file())
