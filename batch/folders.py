"""A folder that stands for a bucket."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from batch import exports
from batch.exports import Export, Part
from batch.reconcile import Files
from batch.rows import InProcess


@dataclass(frozen=True)
class Folder:
    """Files by their paths, as in a bucket."""

    root: Path

    def read(self, path: str) -> bytes:
        """A file; raises FileNotFoundError."""
        return (self.root / path).read_bytes()

    def write(self, path: str, content: bytes) -> None:
        """Write a file, and the folders above it."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(content)

    def files(self, export: Export) -> Files:
        """The data files of an export, each read when it is needed; reading raises TornExportError."""
        return InProcess(_Files(self, export))


@dataclass(frozen=True)
class _Files:
    folder: Folder
    export: Export

    def __iter__(self) -> Iterator[tuple[Part, bytes]]:
        return ((part, exports.file(self.folder.read, part.path)) for part in self.export.parts)
