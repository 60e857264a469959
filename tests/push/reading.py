"""The documented examples of reads that can be subscribed to, and the addresses by which people do."""

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
        return bool(topic(parsed(address_of(example))))
    except InvalidInputError:
        return False


LIVE = [example for example in READS if _live(example)]
