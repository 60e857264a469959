"""What clients ask for: one JSON object, such as {"action": "subscribe", "address": "/rooms/harbour"}."""

from enum import StrEnum
from typing import NamedTuple

from edgewise import FieldError, InvalidInputError
from functions.push.addresses import LONGEST_ADDRESS
from functions.web.bodies import parse_json
from functions.web.problems import shortened

# A request is an action and an address, each character of which JSON may spell with twelve.
MOST_CHARACTERS = 16_000
# So many unknown members are named in an answer, and that much of each name: it must fit into one frame.
_NAMED = 10


class Action(StrEnum):
    """What a client asks for."""

    SUBSCRIBE = "subscribe"
    UNSUBSCRIBE = "unsubscribe"
    PING = "ping"


class Request(NamedTuple):
    """A request; a ping has no address."""

    action: Action
    address: str = ""


def parsed(text: str) -> Request:
    """A request from its text; raises InvalidInputError, which names every invalid field."""
    try:
        given = parse_json(text)
        # Halves of surrogate pairs can't be sent back, and the names of unknown members are, too.
        "".join(each for pair in given.items() for each in pair if isinstance(each, str)).encode()
    except (AttributeError, ValueError) as error:
        raise InvalidInputError.of("body", "must be a JSON object") from error
    action, address = given.get("action"), given.get("address")
    faults = [
        FieldError(shortened(name), "is not known") for name in sorted(given.keys() - {"action", "address"})[:_NAMED]
    ]
    if not isinstance(action, str) or action not in list(Action):
        faults.append(FieldError("action", f"must be {', '.join(Action)}"))
    if not isinstance(address, str) and action != Action.PING:
        faults.append(FieldError("address", "must be a text"))
    elif isinstance(address, str) and len(address) > LONGEST_ADDRESS:
        faults.append(FieldError("address", f"must have at most {LONGEST_ADDRESS} characters"))
    if faults:
        raise InvalidInputError(faults)
    return Request(Action(str(action)), str(address or ""))
