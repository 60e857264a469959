"""Where a stage's search index is: files in a bucket, `s3://NAME`, or an OpenSearch domain, `https://ADDRESS`."""

import math
from pathlib import Path
from tempfile import gettempdir
from time import monotonic

from botocore.exceptions import BotoCoreError, ClientError

from edgewise.observability import logger
from functions.bucket import Bucket
from functions.search import signing
from functions.search.engine import Engine
from functions.search.indexing import Index
from functions.search.opensearch import OpenSearch
from functions.search.snapshots import Snapshots

BUCKET = "s3://"
# While the bucket does not answer, not every search need wait for it.
_PAUSE_SECONDS = 1


def writer(where: str) -> Index:
    """The index as its only writer sees it."""
    if where.startswith(BUCKET):
        return _snapshots(where, "written", writes=True)
    return OpenSearch(signing.sender(where))


class Served:
    """The index as searches see it: of one in a bucket a copy on this machine's disk."""

    def __init__(self, where: str) -> None:
        self._copied = _snapshots(where, "searched", writes=False) if where.startswith(BUCKET) else None
        self._other = None if self._copied else OpenSearch(signing.sender(where))
        self._there, self._failed = False, -math.inf

    def engine(self) -> tuple[Engine, bool]:
        """The index, and whether it has all that was written to it before this call.

        If not, the bucket does not answer, and it is what was copied last.
        """
        if self._copied is None:
            assert self._other
            return self._other, True
        renewed = self._renewed(self._copied)
        return self._copied.serving(), renewed

    def _renewed(self, copied: Snapshots) -> bool:
        if monotonic() - self._failed < _PAUSE_SECONDS:
            return False
        try:
            copied.refresh()
        except (BotoCoreError, ClientError):
            if not self._there:
                raise
            logger.exception("not renewed")
            self._failed = monotonic()
            return False
        self._there = True
        return True


def _snapshots(where: str, name: str, *, writes: bool) -> Snapshots:
    bucket = where.removeprefix(BUCKET)
    return Snapshots(Bucket(bucket), Path(gettempdir()) / "search" / name / bucket, writes=writes)
