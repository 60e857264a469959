"""What is read of an item of somebody's own table: values to group by, to count apart, and to add up."""

from collections.abc import Callable
from decimal import Decimal

from edgewise.aggregates.measures import measurable
from edgewise.dynamodb.attributes import Attribute, Item, number
from edgewise.dynamodb.existing import BINARY, NUMBER, TEXT, key_text
from edgewise.dynamodb.keys import Key

# The value by which items are grouped: an attribute (a text, a number, or bytes in hexadecimal), or what a function
# makes of an item. An item without the attribute (or with NULL), or of which the function makes None, is not counted.
By = str | Callable[[Item], str | None]
# What stands for no value, among those that are to be distinct.
NOTHING, _ESCAPE = "", "\0"

# Bytes of either part of a key. A partition key may be longer in DynamoDB, but not in an index of the owner's that
# turns the table's keys round; and a few fewer than it takes, as some forms of keys need them.
LONGEST_KEY = 1_000


def value(item: Item, by: By) -> str | None:
    """The value of an attribute, or what a function makes of an item; None: it has none.

    Raises ValueError, with the attribute's name, for what nothing is grouped by.
    """
    if callable(by):
        made = by(item)
        if not isinstance(made, str | None):
            raise ValueError(f"the function to group by must make a text or None, and made {made!r}")
        return made
    if (found := _found(item, by)) is None:
        return None
    if not {TEXT, NUMBER, BINARY} & found.keys():
        raise ValueError(f"{by} must be a text, a number or bytes, and is {', '.join(found)}")
    return key_text(found)


def other(item: Item, attribute: str) -> str:
    """The value that is to be distinct, other than NOTHING; or NOTHING."""
    return marked(value(item, attribute))


def marked(found: str | None) -> str:
    """A value, other than NOTHING; or NOTHING for none."""
    if found is None:
        return NOTHING
    return _ESCAPE + found if found == NOTHING or found.startswith(_ESCAPE) else found


def unmarked(marked: str) -> str:
    """The value that was marked; not for NOTHING."""
    return marked.removeprefix(_ESCAPE)


def amount(item: Item, attribute: str) -> Decimal | None:
    """The number to sum; None: there is none. Raises ValueError, with the attribute's name, for what is no number."""
    if (found := _found(item, attribute)) is None:
        return None
    if NUMBER not in found:
        raise ValueError(f"{attribute} must be a number, and is {', '.join(found)}")
    try:
        return measurable(number(found))
    except ValueError as error:
        raise ValueError(f"{attribute} {error}") from error


def must_fit(key: Key, attribute: str) -> None:
    """Raise ValueError, with the attribute's name, if DynamoDB would take no item with this key."""
    longest = max(len(part.encode()) for part in key)
    if longest > LONGEST_KEY:
        raise ValueError(
            f"{attribute} makes a key of {longest:,} bytes: the keys of totals have at most {LONGEST_KEY:,}"
        )


def _found(item: Item, attribute: str) -> Attribute | None:
    """An attribute of an item; None if it is absent, or NULL."""
    found = item.get(attribute)
    return None if found is None or "NULL" in found else found
