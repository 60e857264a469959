"""The job on Apache Spark: the same functions, spread over many processes.

spark-submit batch/spark.py --run RUN --bucket s3://BUCKET --full PREFIX [--increment PREFIX] --out PREFIX
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark import SparkContext, StorageLevel
from pyspark.sql import SparkSession

from batch import job
from batch.exports import Export, Part, TornExportError
from batch.job import Job
from batch.reconcile import Declared, Files
from batch.rows import Made, Name, Row, Rows, Value


@dataclass(frozen=True)
class Distributed(Rows[Row]):
    """Rows in the processes of a Spark application."""

    rdd: Any

    def flat_map(self, make: Callable[[Iterator[Row]], Iterable[Made]]) -> Rows[Made]:
        """What `make` makes of each part."""
        return Distributed(self.rdd.mapPartitions(make))

    def merged(self: Rows[tuple[Name, Value]], merge: Callable[[Value, Value], Value]) -> Rows[tuple[Name, Value]]:
        """One row for each name; values are merged in each part before they travel."""
        rdd = _rdd(self)
        return Distributed(rdd.reduceByKey(merge, rdd.context.defaultParallelism))

    def with_rows(self, others: Rows[Row]) -> Rows[Row]:
        """These rows and the others."""
        return Distributed(self.rdd.union(_rdd(others)))

    def of(self, rows: Iterable[Made]) -> Rows[Made]:
        """Rows like these from this process."""
        return Distributed(self.rdd.context.parallelize(list(rows), 1))

    def kept(self) -> Rows[Row]:
        """The same rows, made once: in memory, or on disk where that does not suffice."""
        return Distributed(self.rdd.persist(StorageLevel.MEMORY_AND_DISK))

    def all(self) -> list[Row]:
        """All rows, in this process."""
        return list(self.rdd.collect())


def _rdd(rows: Rows[Any]) -> Any:
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
            if _missing(error):
                raise FileNotFoundError(path) from error
            raise
        return bytes(content)

    def write(self, path: str, content: bytes) -> None:
        """Write a file through Hadoop's file systems, which Spark itself writes to."""
        context: Any = self.context
        where = context._jvm.org.apache.hadoop.fs.Path(f"{self.uri}/{path}")
        stream = where.getFileSystem(context._jsc.hadoopConfiguration()).create(where, True)
        stream.write(bytearray(content))
        stream.close()

    def files(self, export: Export) -> Files:
        """The data files of an export."""
        if not export.parts:
            return Distributed(self.context.parallelize([], 1))
        paths = ",".join(f"{self.uri}/{part.path}" for part in export.parts)
        files = self.context.binaryFiles(paths, len(export.parts))
        return Distributed(files.mapPartitions(partial(_with_parts, export.parts)))


def _with_parts(parts: tuple[Part, ...], files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[Part, bytes]]:
    depth = parts[0].path.count("/") + 1
    by_path = {part.path: part for part in parts}
    return ((by_path["/".join(uri.split("/")[-depth:])], content) for uri, content in files)


def _missing(error: Py4JJavaError) -> str | None:
    """The path that Spark did not find, if that is what the error says."""
    found = re.search(r"Input path does not exist: (\S+)", str(error))
    return found[1] if found else None


def main() -> int:
    """Run the job; the exit code is 0 even if something differs: the summary says so."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("run", "bucket", "full", "increment", "out"):
        parser.add_argument(f"--{name}", required=name != "increment")
    given = parser.parse_args()
    session = SparkSession.builder.appName(f"reconcile {given.run}").getOrCreate()
    bucket = SparkBucket(session.sparkContext, given.bucket.rstrip("/"))
    try:
        _, summary = job.run(bucket, Job(given.run, given.full, given.increment, given.out), print, Declared())
    except TornExportError as error:
        sys.exit(str(error))
    except Py4JJavaError as error:
        if path := _missing(error):
            sys.exit(f"{path}: it is missing")
        raise
    finally:
        session.stop()
    print(json.dumps(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
