"""The job on Apache Spark: the same functions, spread over many processes.

spark-submit batch/spark.py --run RUN --bucket s3://BUCKET --full PREFIX --out PREFIX
    [--increment PREFIX] [--previous PREFIX]
"""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from batch import job
from batch.distributed import SparkBucket, missing
from batch.exports import TornExportError
from batch.job import Job
from batch.reconcile import Declared


def arguments(description: str | None) -> argparse.ArgumentParser:
    """What every job is told by its command line."""
    parser = argparse.ArgumentParser(description=description)
    for name in ("run", "bucket", "full", "out"):
        parser.add_argument(f"--{name}", required=True)
    return parser


@contextmanager
def application(name: str, uri: str) -> Iterator[SparkBucket]:
    """The bucket, as Spark reads and writes it; an export that can't be read ends the process with one line."""
    session = SparkSession.builder.appName(name).getOrCreate()
    try:
        yield SparkBucket(session.sparkContext, uri.rstrip("/"))
    except TornExportError as error:
        sys.exit(str(error))
    except Py4JJavaError as error:
        if path := missing(error):
            sys.exit(f"{path}: it is missing")
        raise
    finally:
        session.stop()


def main() -> int:
    """Run the job; the exit code is 0 even if something differs: the summary says so."""
    parser = arguments(__doc__)
    for name in ("increment", "previous"):
        parser.add_argument(f"--{name}", default="")
    given = parser.parse_args()
    with application(f"reconcile {given.run}", given.bucket) as bucket:
        asked = Job(given.run, given.full, given.increment or None, given.out, given.previous)
        _, summary = job.run(bucket, asked, print, Declared())
    print(json.dumps(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
