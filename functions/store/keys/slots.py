"""Keys of slots: partition SLOT#PK, where PK is that of the aggregate, holds its slots.

They share a partition, so that one lane brings what they say to the aggregate; and it is none that readers query.
"""

from functions.store.keys.grammar import Key, prefix, split


def slot(number: int, of: Key) -> Key:
    """One slot of the aggregate with this key."""
    return Key(prefix("SLOT") + of.pk, prefix(str(number)) + of.sk)


def parse_number(sk: str) -> int:
    """Which of the slots a sort key is of; raises ValueError for another kind of key."""
    return int(split(sk)[0])
