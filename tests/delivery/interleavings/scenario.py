"""What the actors of a history are to do, and how often each kind of fault may come."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from edgewise.aggregates.keys import AggregateId
from edgewise.dynamodb.keys import Key
from tests.delivery.stories.story import Source, Story


class Change(NamedTuple):
    """A source is written, or taken away (None)."""

    key: Key
    source: Source | None


class Budget(NamedTuple):
    """How often something may happen in one history.

    - `killed`: an invocation, redrive or repair ends before a request
    - `overlapped`: Lambda, or somebody, gives up one that still runs, and begins it again beside
    - `lost`: a write takes effect, but its answer is lost, and the SDK sends it again
    - `expired`: the time to live removes an item whose time has come
    - `repeated`: a shard is read again from an earlier record on
    - `misread`: a release delivers that can't read one source
    - `jumps`: a long time passes
    - `repairs`: somebody has the aggregate repaired
    - `sweeps`: emptied aggregates are swept
    """

    killed: int = 0
    overlapped: int = 0
    lost: int = 0
    expired: int = 0
    repeated: int = 0
    misread: int = 0
    jumps: int = 0
    repairs: int = 0
    sweeps: int = 0


@dataclass(frozen=True)
class Scenario:
    """Shards and the changes of each, of one system, that come in this order, and what else may happen.

    - `outstanding`: the changes are all there at the beginning; else they come at any time
    - `before`: changes that were delivered `hours` before, each shard's as one batch
    - `hours`: so many pass when a long time does
    - `kept`: a stream gives records again that are at most so many hours old
    - `bounds`: those of rankings, by their names
    - `chained`: what programs write is recorded as well, as far as a reader is sent it: in the shard that is named as
      its partition, apart from the changes of other items there. The cascade is a reader if a shard is named as it is.
    - `meanwhile`: what must hold of the aggregates' numbers and the recount's while only the cascade is behind
    - `carried`: shared aggregates learn of changes by carriers, at the ends of windows; else shards write them, too
    - `lagging`: a repair pauses, and a long time passes, while there are records to deliver
    - `lacking`: an aggregate may say that it lacks something, and is excused
    """

    name: str
    story: Story
    shards: Mapping[str, Sequence[Change]]
    budget: Budget
    before: Mapping[str, Sequence[Change]] = field(default_factory=dict)
    outstanding: bool = False
    hours: int = 60
    kept: int = 24
    chained: bool = False
    carried: bool = False
    meanwhile: Callable[[Any, Any], bool] | None = None
    lacking: bool = False
    lagging: bool = False
    bounds: Mapping[str, int] = field(default_factory=dict)
    repaired: AggregateId | None = None
