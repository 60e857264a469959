"""Where a stage's search index is: files in a bucket, `s3://NAME`, or an OpenSearch domain, `https://ADDRESS`."""

import time
from pathlib import Path
from tempfile import gettempdir

from botocore.exceptions import BotoCoreError, ClientError

from edgewise.observability import logger
from functions.bucket import Bucket
from functions.search import signing
from functions.search.engine import Engine
from functions.search.indexing import Index
from functions.search.opensearch import OpenSearch
from functions.search.snapshots import Snapshots

BUCKET = "s3://"
# Each look at the bucket is a request; what was written a moment ago is found a moment later anyway.
_SECONDS = 1


def writer(where: str) -> Index:
    """The index as its only writer sees it."""
    if where.startswith(BUCKET):
        return _snapshots(where, "written", writes=True)
    return OpenSearch(signing.sender(where))


class Served:
    """The index as searches see it: of one in a bucket a copy on this machine's disk, at most a second old."""

    def __init__(self, where: str) -> None:
        self._copied = _snapshots(where, "searched", writes=False) if where.startswith(BUCKET) else None
        self._other = None if self._copied else OpenSearch(signing.sender(where))
        self._looked: float | None = None

    def engine(self) -> Engine:
        """The index, renewed unless that was a moment ago. While the bucket does not answer, what was copied last."""
        if self._copied is None:
            assert self._other
            return self._other
        if self._looked is None or time.monotonic() - self._looked >= _SECONDS:
            try:
                self._copied.refresh()
            except (BotoCoreError, ClientError):
                if self._looked is None:
                    raise
                logger.exception("not renewed")
            self._looked = time.monotonic()
        return self._copied.serving()


def _snapshots(where: str, name: str, *, writes: bool) -> Snapshots:
    bucket = where.removeprefix(BUCKET)
    return Snapshots(Bucket(bucket), Path(gettempdir()) / "search" / name / bucket, writes=writes)
