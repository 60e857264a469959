"""How many bytes DynamoDB counts for an item: the names and the values of its attributes."""

from edgewise.dynamodb.attributes import Attribute, Item

_COLLECTION = 3  # for a list or a map, plus one for each element


def item_bytes(item: Item) -> int:
    """The bytes that an item takes; reads are billed by 4 KB of them, writes by 1 KB."""
    return sum(len(name.encode()) + _value(value) for name, value in item.items())


def _value(value: Attribute) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return len(content.encode())
        case "N":
            return _number(content)
        case "B":
            return len(content)
        case "M":
            return _COLLECTION + len(content) + item_bytes(content)
        case "L":
            return _COLLECTION + len(content) + sum(map(_value, content))
        case "SS" | "NS" | "BS":
            return sum(_value({kind[0]: each}) for each in content)
        case _:  # BOOL and NULL
            return 1


def _number(text: str) -> int:
    """One byte for two significant digits, one more for the number, and one for a minus sign."""
    digits = text.lstrip("-").lower().partition("e")[0].replace(".", "").strip("0")
    return (len(digits) + 1) // 2 + 1 + text.startswith("-")
