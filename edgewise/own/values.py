"""Values in keys: how those that are to be distinct are told from none, and how long a key may be."""

from edgewise.dynamodb.keys import Key

# What stands for no value, among those that are to be distinct.
NOTHING, _ESCAPE = "", "\0"

# Bytes of either part of a key. A partition key may be longer in DynamoDB, but not in an index of the owner's that
# turns the table's keys round; and a few fewer than it takes, as some forms of keys need them.
LONGEST_KEY = 1_000


def marked(found: str | None) -> str:
    """A value, other than NOTHING; or NOTHING for none."""
    if found is None:
        return NOTHING
    return _ESCAPE + found if found == NOTHING or found.startswith(_ESCAPE) else found


def unmarked(marked: str) -> str:
    """The value that was marked; not for NOTHING."""
    return marked.removeprefix(_ESCAPE)


def must_fit(key: Key, attribute: str) -> None:
    """Raise ValueError, with the attribute's name, if DynamoDB would take no item with this key."""
    longest = max(len(part.encode()) for part in key)
    if longest > LONGEST_KEY:
        raise ValueError(f"{attribute} makes a key of {longest:,} bytes: keys of rows have at most {LONGEST_KEY:,}")
