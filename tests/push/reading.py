"""The documented examples of reads whose answers are pushed, and the addresses by which people subscribe to them."""

from urllib.parse import quote, urlencode

from docs.access_patterns import READS
from docs.patterns.pattern import Read
from edgewise.errors import InvalidInputError
from functions.handlers.live_routes import parsed
from functions.push.addresses import topic
from functions.web.spelling import spell


def address_of(example: Read) -> str:
    """The address of an example's request."""
    path = example.route.partition(" ")[2]
    for name, value in example.path.items():
        path = path.replace(f"{{{name}}}", quote(spell(value), safe=""))
    return f"{path}?{urlencode(example.query)}" if example.query else path


def _live(example: Read) -> bool:
    try:
        address = parsed(address_of(example))
        return bool(topic(address)) and not address.live.shown
    except InvalidInputError:
        return False


LIVE = [example for example in READS if _live(example)]
