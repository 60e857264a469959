"""A bucket in memory for kept batches, the batches in it, and what the program makes otherwise of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from botocore.exceptions import ClientError

from edgewise.stream.kept import KeptBatch
from functions.catalog import CATALOG
from functions.handlers import edge_aggregator
from functions.keeping import Keeper
from ops.rehearsing.computing import compute
from ops.rehearsing.differing import Difference, differences


class Objects:
    """What S3 has, as far as batches are put there; `fails`: the code with which it refuses to."""

    def __init__(self, fails: str = "") -> None:
        self.stored: list[tuple[str, bytes]] = []
        self._fails = fails

    def put_object(self, Bucket: str, Key: str, Body: bytes) -> dict[str, Any]:
        if self._fails:
            raise ClientError({"Error": {"Code": self._fails, "Message": "no"}}, "PutObject")
        self.stored.append((Key, Body))
        return {"ETag": "e"}

    @property
    def batches(self) -> list[KeptBatch]:
        """All of them, in the order in which they came."""
        return [KeptBatch.parse(body) for _, body in self.stored]


@contextmanager
def keeping(one_in: int = 1, fails: str = "") -> Iterator[Objects]:
    """The consumer keeps one batch in so many."""
    objects = Objects(fails)
    with patch.object(edge_aggregator, "keeper", lambda: Keeper(one_in, "kept", objects)):
        yield objects


def otherwise(kept: KeptBatch) -> list[Difference]:
    """What the program as it is now makes otherwise of a batch."""
    early, late = (compute(CATALOG, kept, now) for now in (kept.began, kept.ended))
    return differences(CATALOG, kept, early, late)
