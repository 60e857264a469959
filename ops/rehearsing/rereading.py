"""Shards as far as a kept batch has read them again."""

from collections.abc import Callable, Iterator

from edgewise.errors import PassingError
from edgewise.stream.again import Reread, Rereading, Until
from edgewise.stream.changes import Record
from edgewise.stream.kept import KeptBatch


class UnkeptError(PassingError):
    """The release reads records that the running one has not read, so nobody has kept them."""

    def __init__(self, shard_id: str, after: int | None) -> None:
        super().__init__(f"it reads {shard_id} again behind {after}, which the running release has not done")


class KeptRereading:
    """Gives what was read of shards when a batch was kept."""

    def __init__(self, kept: KeptBatch) -> None:
        self._kept = kept

    @property
    def rereading(self) -> Rereading:
        """What reads it."""
        return Rereading(self._behind, self._parent)

    def _behind(self, _arn: str, shard_id: str, _may_go_on: Callable[[], bool]) -> Reread:
        def read(after: int | None, until: Until) -> Iterator[Record]:
            if (found := self._kept.records.get((shard_id, after))) is None:
                raise UnkeptError(shard_id, after)
            return (record for record in found if not until.ends_before(record))

        return read

    def _parent(self, _arn: str, shard_id: str) -> str | None:
        return self._kept.parents.get(shard_id)
