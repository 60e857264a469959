"""A bucket: objects are read whole, or line by line while they are unpacked."""

import gzip
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, TypeVar

from edgewise import aws
from functions.errors import TornResultError

T = TypeVar("T")


@cache
def client() -> Any:
    """The client for all buckets."""
    return aws.client("s3")


@dataclass(frozen=True)
class Bucket:
    """The objects of one bucket."""

    name: str

    def keys(self, prefix: str) -> list[str]:
        """The keys that begin with this prefix, sorted."""
        pages = client().get_paginator("list_objects_v2").paginate(Bucket=self.name, Prefix=prefix)
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

    def write(self, key: str, content: bytes) -> None:
        """Store an object, in place of an earlier one."""
        client().put_object(Bucket=self.name, Key=key, Body=content)

    def _body(self, key: str) -> Any:
        try:
            return client().get_object(Bucket=self.name, Key=key)["Body"]
        except client().exceptions.NoSuchKey as error:
            raise TornResultError(key, "it is missing") from error
