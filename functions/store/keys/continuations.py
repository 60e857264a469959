"""Keys of continuations: beside the item that they continue, before all that is read with a summary.

CONTINUED#digits#SK, where SK is that of the aggregate. No query of a system's own finds them.
"""

from functions.store.keys.grammar import Key, prefix


def continuation(path: str, of: Key) -> Key:
    """One continuation of the aggregate with this key."""
    return Key(of.pk, prefix("CONTINUED", path) + of.sk)
