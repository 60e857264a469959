"""A bucket: objects are read whole, or line by line while they are unpacked."""

import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Any, TypeVar

from botocore.exceptions import ClientError

from edgewise import aws
from edgewise.dynamodb.table import chunks
from edgewise.errors import PassingError
from edgewise.failures import code_of
from functions.errors import TornResultError

T = TypeVar("T")

# What S3 answers where an object is as it was, or missing, or not as a condition says.
_NOTHING_NEW = frozenset({"304", "NotModified", "NoSuchKey"})
_CHANGED = frozenset({"PreconditionFailed", "ConditionalRequestConflict", "NoSuchKey"})
# S3 takes no more in one request.
_MOST_DELETED = 1000


class ChangedError(PassingError):
    """An object is not as it was read: another writer has replaced it."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key} has been replaced")


@cache
def client() -> Any:
    """The client for all buckets."""
    return aws.client("s3")


@dataclass(frozen=True)
class Bucket:
    """The objects of one bucket; `s3` is a client where it is."""

    name: str
    s3: Any = field(default_factory=lambda: client(), compare=False, repr=False)

    def keys(self, prefix: str) -> list[str]:
        """The keys that begin with this prefix, sorted."""
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket=self.name, Prefix=prefix)
        return sorted(each["Key"] for page in pages for each in page.get("Contents", ()))

    def read(self, key: str) -> bytes:
        """The whole object; raises TornResultError if there is none."""
        return bytes(self._body(key).read())

    def lines(self, key: str) -> Iterator[bytes]:
        """The lines of a gzipped object, one after the other; raises TornResultError if it is missing or cut off."""
        try:
            yield from gzip.GzipFile(fileobj=self._body(key))
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise TornResultError(key, f"it can't be unpacked: {error}") from error

    def parsed(self, key: str, parse: Callable[[bytes], T], start: int = 0) -> Iterator[T]:
        """What `parse` makes of each line after the first `start` ones; raises TornResultError where it can't."""
        for number, line in islice(enumerate(self.lines(key), 1), start, None):
            try:
                yield parse(line)
            except (KeyError, TypeError, ValueError, ArithmeticError) as error:
                raise TornResultError(f"{key}, line {number}", str(error)) from error

    def read_unless(self, key: str, tag: str | None) -> tuple[bytes, str] | None:
        """The whole object and its tag; None if there is none, or if it still has this tag."""
        unless = {"IfNoneMatch": tag} if tag else {}
        try:
            found = self.s3.get_object(Bucket=self.name, Key=key, **unless)
        except ClientError as error:
            if code_of(error) in _NOTHING_NEW:
                return None
            raise
        return bytes(found["Body"].read()), found["ETag"]

    def write(self, key: str, content: bytes) -> None:
        """Store an object, in place of an earlier one."""
        self.s3.put_object(Bucket=self.name, Key=key, Body=content)

    def replace(self, key: str, content: bytes, tag: str | None) -> str:
        """Store an object in place of the one with this tag, None: where there is none; returns its own tag.

        Raises ChangedError if somebody else has been faster.
        """
        condition = {"IfMatch": tag} if tag else {"IfNoneMatch": "*"}
        try:
            return str(self.s3.put_object(Bucket=self.name, Key=key, Body=content, **condition)["ETag"])
        except ClientError as error:
            if code_of(error) in _CHANGED:
                raise ChangedError(key) from error
            raise

    def delete(self, keys: Iterable[str]) -> None:
        """Delete objects, whether they exist or not."""
        for some in chunks(sorted(keys), _MOST_DELETED):
            gone = {"Objects": [{"Key": key} for key in some], "Quiet": True}
            self.s3.delete_objects(Bucket=self.name, Delete=gone)

    def _body(self, key: str) -> Any:
        try:
            return self.s3.get_object(Bucket=self.name, Key=key)["Body"]
        except self.s3.exceptions.NoSuchKey as error:
            raise TornResultError(key, "it is missing") from error
