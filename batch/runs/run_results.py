"""What the job of a run has left in its bucket: a summary, and files of lines. Only the first lines are read."""

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from batch.results import SUMMARY
from functions.systems.checks.results import direct, result, unverified

Line = Mapping[str, Any]


@dataclass(frozen=True)
class Results:
    """The results of one run; `s3` is a client of S3."""

    s3: Any
    bucket: str
    run: str

    def summary(self) -> dict[str, Any]:
        """What the job counted."""
        found: dict[str, Any] = json.loads(self._body(f"{self._prefix}/{SUMMARY}").read())
        return found

    def checked(self) -> Mapping[str, Any]:
        """The summary of a check; as `direct`, what was verified directly after it (systems/checks/results.py)."""
        found = self.summary()
        return found | {"direct": self._direct() or unverified(found["doubtful"]).model_dump()}

    def first(self, of: str, number: int) -> list[Line]:
        """The first lines of a folder, at most so many."""
        pages = self.s3.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket, Prefix=f"{self._prefix}/{of}/part-"
        )
        keys = (each["Key"] for page in pages for each in page.get("Contents", ()))
        return list(islice(chain.from_iterable(map(self._lines, keys)), number))

    def _direct(self) -> Any:
        """None if nothing was: the consumer was behind."""
        key = direct(self.run)
        there = self.s3.list_objects_v2(Bucket=self.bucket, Prefix=key).get("Contents")
        return json.loads(self._body(key).read()) if there else None

    @property
    def _prefix(self) -> str:
        return result(self.run)

    def _lines(self, key: str) -> Iterator[Line]:
        return map(json.loads, gzip.GzipFile(fileobj=self._body(key)))

    def _body(self, key: str) -> Any:
        return self.s3.get_object(Bucket=self.bucket, Key=key)["Body"]
