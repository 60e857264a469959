"""Keys of the proof: all of it is in the partition PROOF, and in those of what is noted while somebody watches.

PROOF, ASKED is what is asked for. PROOF, DONE#instant#fault is one line of the log. PROOF#watch holds a watch's notes
by the instant of delivery, and its plain sums.
"""

from edgewise import BeginsWith, Between, Key, Millis, Partitions, Query, rfc_3339
from edgewise.dynamodb.keys import join, prefix

PROOF = "PROOF"
WATCHES = Partitions("PROOF")
ASKED = Key(PROOF, "ASKED")
DONE, NOTED, PLAIN = "DONE", "NOTED", "PLAIN"


def done(at: Millis, fault: str) -> Key:
    """One line of the log."""
    return Key(PROOF, join(DONE, rfc_3339(at), fault))


def noted(watch: str, at: Millis, shard: str, first: int, last: int) -> Key:
    """The notes of a batch, by the numbers of its first and last record: it may come twice in a millisecond."""
    return Key(WATCHES(watch), join(NOTED, rfc_3339(at), shard, str(first), str(last)))


def plain(watch: str, number: int) -> Key:
    """The plain sum beside the number at this position."""
    return Key(WATCHES(watch), join(PLAIN, str(number)))


def log(limit: int) -> Query:
    """The last lines of the log, the newest first."""
    return Query(PROOF, BeginsWith(prefix(DONE)), forward=False, limit=limit)


def notes(watch: str, since: Millis) -> Query:
    """The notes of all batches that were delivered since an instant, of all shards."""
    last = prefix(NOTED) + "~"
    return Query(WATCHES(watch), Between(join(NOTED, rfc_3339(since)), last), consistent=True)
