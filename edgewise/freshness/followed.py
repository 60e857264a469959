"""How far the follow-ups of a shard's changes are: the cascade tells it with each heartbeat.

Its events do not name their shard. But each heartbeat comes in one shard, and the consumer tells in which: so an item
is kept for each heartbeat. Where a shard has ended, its heartbeat goes on in a child of it.
"""

from dataclasses import dataclass, replace

from edgewise.dynamodb.attributes import Item, integer, key_item, n, s, string
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from edgewise.dynamodb.writes import Condition, Put
from edgewise.freshness import keys
from edgewise.freshness.watermarks import Followed, expires, packed, unpacked, with_moment
from edgewise.times import Millis


@dataclass(frozen=True)
class FollowedUp:
    """How far the cascade has come, and had come before, in the shard in which a heartbeat of this name comes."""

    name: str
    version: int = 0
    history: tuple[Followed, ...] = ()

    def moved(self, now: Millis, until: Millis, since: Millis | None) -> "FollowedUp":
        """What is known once all changes until an instant are followed up, but for what has begun at `since`.

        While that goes on, nothing is said that was not said before; None: all is done.
        """
        if since is not None:
            before = [each.followed for each in self.history if each.at < since]
            if not before:
                return self
            until = min(until, max(before))
        return replace(self, version=self.version + 1, history=with_moment(self.history, Followed(now, until)))


def replacing(found: FollowedUp) -> Put:
    """The write that stores how far follow-ups are, refused unless what is stored is its predecessor."""
    item: Item = key_item(keys.followed(found.name)) | {
        "Type": s(keys.FOLLOWED),
        "Version": n(found.version),
        "Followed": packed(found.history),
        TTL_ATTRIBUTE: expires(found.history),
    }
    return Put(item, Condition.at_version(found.version - 1))


def followed_up(item: Item) -> FollowedUp:
    """The inverse."""
    history = tuple(Followed(*each) for each in unpacked(item["Followed"]))
    return FollowedUp(keys.parse_followed(string(item["SK"])), integer(item["Version"]), history)
