"""Rows and files on Apache Spark, spread over many processes."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark import SparkContext, StorageLevel

from batch.exports import Export, Part
from batch.reconcile import Files
from batch.rows import Made, Name, Row, Rows, Value

_GZIP = "org.apache.hadoop.io.compress.GzipCodec"


@dataclass(frozen=True)
class Distributed(Rows[Row]):
    """Rows in the processes of a Spark application."""

    rdd: Any

    def flat_map(self, make: Callable[[Iterator[Row]], Iterable[Made]]) -> Rows[Made]:
        """What `make` makes of each part."""
        return Distributed(self.rdd.mapPartitions(make))

    def merged(self: Rows[tuple[Name, Value]], merge: Callable[[Value, Value], Value]) -> Rows[tuple[Name, Value]]:
        """One row for each name; values are merged in each part before they travel."""
        ours = rdd(self)
        return Distributed(ours.reduceByKey(merge, ours.context.defaultParallelism))

    def with_rows(self, others: Rows[Row]) -> Rows[Row]:
        """These rows and the others."""
        return Distributed(self.rdd.union(rdd(others)))

    def of(self, rows: Iterable[Made]) -> Rows[Made]:
        """Rows like these from this process."""
        return Distributed(self.rdd.context.parallelize(list(rows), 1))

    def kept(self) -> Rows[Row]:
        """The same rows, made once: in memory, or on disk where that does not suffice."""
        return Distributed(self.rdd.persist(StorageLevel.MEMORY_AND_DISK))

    def all(self) -> list[Row]:
        """All rows, in this process."""
        return list(self.rdd.collect())


def rdd(rows: Rows[Any]) -> Any:
    """What Spark has of them."""
    assert isinstance(rows, Distributed)
    return rows.rdd


@dataclass(frozen=True)
class SparkBucket:
    """A bucket, or a folder, that Spark reads and writes: `uri` is `s3://BUCKET` or `file:///FOLDER`."""

    context: SparkContext
    uri: str

    def read(self, path: str) -> bytes:
        """A file; raises FileNotFoundError."""
        try:
            ((_, content),) = self.context.binaryFiles(f"{self.uri}/{path}").collect()
        except Py4JJavaError as error:
            if missing(error):
                raise FileNotFoundError(path) from error
            raise
        return bytes(content)

    def write(self, path: str, content: bytes) -> None:
        """Write a file through Hadoop's file systems, which Spark itself writes to."""
        files, where = self._place(path)
        stream = files.create(where, True)
        stream.write(bytearray(content))
        stream.close()

    def write_lines(self, folder: str, lines: Rows[str]) -> None:
        """Write gzipped files of lines, each where its part is, in place of what an earlier attempt left there."""
        files, where = self._place(folder)
        files.delete(where, True)
        rdd(lines).saveAsTextFile(f"{self.uri}/{folder}", _GZIP)

    def files(self, export: Export) -> Files:
        """The data files of an export."""
        if not export.parts:
            return Distributed(self.context.parallelize([], 1))
        paths = ",".join(f"{self.uri}/{part.path}" for part in export.parts)
        files = self.context.binaryFiles(paths, len(export.parts))
        return Distributed(files.mapPartitions(partial(_with_parts, export.parts)))

    def _place(self, path: str) -> tuple[Any, Any]:
        """The file system that a path belongs to, and the path there: Hadoop's, for Python has none of its own."""
        context: Any = self.context
        where = context._jvm.org.apache.hadoop.fs.Path(f"{self.uri}/{path}")
        return where.getFileSystem(context._jsc.hadoopConfiguration()), where


def _with_parts(parts: tuple[Part, ...], files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[Part, bytes]]:
    depth = parts[0].path.count("/") + 1
    by_path = {part.path: part for part in parts}
    return ((by_path["/".join(uri.split("/")[-depth:])], content) for uri, content in files)


def missing(error: Py4JJavaError) -> str | None:
    """The path that Spark did not find, if that is what the error says."""
    found = re.search(r"Input path does not exist: (\S+)", str(error))
    return found[1] if found else None
