"""An embedded index in a bucket: one function writes it, others copy what is new to their disks and search there."""

import json
import shutil
import uuid
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from edgewise import Millis
from functions.bucket import Bucket
from functions.search.embedded import Embedded
from functions.search.engine import Address, Changes
from functions.search.manifest import MANIFEST, PACKS, Generation, Manifest, Piece

# tantivy's own file that says which others count, and its list of those that it may delete.
_META, _MANAGED = "meta.json", ".managed.json"
_OF_SEGMENTS = frozenset({".idx", ".pos", ".term", ".store", ".fast", ".fieldnorm", ".del"})
_AT_ONCE = 8


class Stored(NamedTuple):
    """A manifest, and the tag of its object; no tag: it is not stored."""

    manifest: Manifest
    tag: str | None


class Snapshots:
    """The generations of an index: in a bucket, and in a folder of this machine. Who only searches needs one of them.

    `writes`: whether all are copied, to write to them.
    """

    def __init__(self, bucket: Bucket, folder: Path, *, writes: bool) -> None:
        self._bucket, self._folder, self._writes = bucket, folder, writes
        self._stored: Stored | None = None
        self._open: dict[str, Embedded] = {}

    def refresh(self) -> Manifest:
        """Copy what is new; returns the manifest."""
        known = self._stored
        found = self._bucket.read_unless(MANIFEST, known.tag if known else None)
        if found is None:
            self._stored = known or Stored(Manifest.first(_new_name()), None)
        else:
            content, tag = found
            self._copy(manifest := Manifest.of(content))
            self._stored = Stored(manifest, tag)
        return self._stored.manifest

    def serving(self) -> Embedded:
        """The index that answers, as it was when it was last refreshed."""
        assert self._stored
        return self._opened(self._stored.manifest.serving)

    def building(self) -> str | None:
        """The generation that is being filled, read anew."""
        return self.refresh().known().building

    def outdated(self) -> str | None:
        """The generation that answers, if it is of another form, as last read."""
        assert self._stored
        manifest = self._stored.manifest
        return None if manifest.generations[manifest.serving].current else manifest.serving

    def apply(self, changes: Changes, begins: str | None, ends: str | None, at: Millis) -> set[Address]:
        """Begin a generation, write changes to all of this form, let the one that is full answer; returns the refused.

        Raises ChangedError if another writer was faster than since the last refresh: what is here is then forgotten.
        """
        assert self._stored
        before, tag = self._stored
        changed = before.known().begun(begins) if begins else before.known()
        stored = False
        try:
            current = [name for name, each in changed.generations.items() if each.current]
            refused = {address for name in current for address in self._opened(name).write(changes)}
            pack, generations = self._packed(changed)
            full = replace(changed, generations=generations)
            after = (full.ended(ends) if ends else full).after(before, at)
            if pack.size:
                self._bucket.write(pack.name, pack.content())
            self._stored = Stored(after, self._bucket.replace(MANIFEST, after.text().encode(), tag))
            stored = True
        finally:
            if not stored:
                self.forget()
        self._bucket.delete(before.dropped.keys() - after.dropped.keys() - after.packs)
        self._remove_others(after.generations)
        return refused

    def show(self) -> None:
        """Let searches that begin from now on see what was written: they look at the bucket first."""

    def forget(self) -> None:
        """Begin anew with what the bucket has."""
        self._stored = None
        self._open.clear()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _opened(self, name: str) -> Embedded:
        if name not in self._open:
            assert self._stored
            known = self._stored.manifest.generations.get(name, Generation())
            self._open[name] = Embedded(self._folder / name, known.form)
        return self._open[name]

    def _packed(self, manifest: Manifest) -> "tuple[_Pack, dict[str, Generation]]":
        """A pack of all files that no pack has, and the generations with it."""
        pack = _Pack(f"{PACKS}{uuid.uuid4()}")
        return pack, {name: self._generation(name, each, pack) for name, each in manifest.generations.items()}

    def _generation(self, name: str, known: Generation, pack: "_Pack") -> Generation:
        if not known.current:
            return known
        folder = self._folder / name
        meta = (folder / _META).read_text()
        files = {each: known.files.get(each) or pack.add(folder / each) for each in _files(folder)}
        return replace(known, files=files, meta=meta)

    def _copy(self, manifest: Manifest) -> None:
        wanted: dict[str, list[tuple[Path, Piece]]] = {}
        copied = {
            name: each
            for name, each in manifest.generations.items()
            if (each.current if self._writes else name == manifest.serving)
        }
        for name, generation in copied.items():
            for path, piece in ((self._folder / name / each, piece) for each, piece in generation.files.items()):
                if not path.exists():
                    wanted.setdefault(piece.pack, []).append((path, piece))
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            list(threads.map(self._unpack, wanted, wanted.values()))
        for name, generation in copied.items():
            _describe(self._folder / name, generation)
            if name in self._open:
                self._open[name].reload()
        self._remove_others(copied)

    def _unpack(self, pack: str, pieces: Iterable[tuple[Path, Piece]]) -> None:
        content = self._bucket.read(pack)
        for path, piece in pieces:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_whole(path, content[piece.start : piece.start + piece.size])

    def _remove_others(self, generations: Mapping[str, Generation]) -> None:
        """Remove what these generations don't need. Who has such a file open keeps it until it is closed."""
        for folder in self._folder.iterdir() if self._folder.exists() else ():
            if folder.name not in generations:
                self._open.pop(folder.name, None)
                shutil.rmtree(folder)
            elif not self._writes:
                for path in folder.iterdir():
                    if path.suffix in _OF_SEGMENTS and path.name not in generations[folder.name].files:
                        path.unlink()


class _Pack:
    """Files to be stored together."""

    def __init__(self, name: str) -> None:
        self.name, self.size = name, 0
        self._paths: list[Path] = []

    def add(self, path: Path) -> Piece:
        """Where the file will be."""
        piece = Piece(self.name, self.size, path.stat().st_size)
        self._paths.append(path)
        self.size += piece.size
        return piece

    def content(self) -> bytes:
        """All files, one after the other."""
        return b"".join(path.read_bytes() for path in self._paths)


def _files(folder: Path) -> Iterator[str]:
    """The files that count: those of its segments, and of the deletions that each has at last."""
    meta = json.loads((folder / _META).read_text())
    for segment in meta["segments"]:
        name, deletes = segment["segment_id"].replace("-", ""), segment["deletes"]
        deleted = f"{name}.{deletes['opstamp']}.del" if deletes else None
        for path in folder.glob(f"{name}.*"):
            if path.suffix != ".del" or path.name == deleted:
                yield path.name


def _describe(folder: Path, generation: Generation) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if generation.meta:
        _write_whole(folder / _MANAGED, json.dumps([*generation.files, _META]).encode())
        _write_whole(folder / _META, generation.meta.encode())


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file so that nobody sees a part of it."""
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(content)
    part.replace(path)


def _new_name() -> str:
    return uuid.uuid4().hex
