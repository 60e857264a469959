"""Access patterns of search: what is found is read from the table before it is shown."""

from docs.patterns import example
from docs.patterns.pattern import BatchGet, Read, Write
from edgewise import Query
from edgewise.dynamodb.attributes import key_of
from edgewise.times import from_rfc_3339
from functions.search.engine import EVERYBODY
from functions.search.withdrawals import MOST, WITHDRAWN
from functions.systems.chat import codec
from functions.systems.chat.entity import Message

_MESSAGE = codec.message_item(
    Message("seattle", 1, "amy", from_rfc_3339("2018-08-29T12:00:00Z"), "m1", "See you at noon")
)
_WITHDRAWN = [Query(WITHDRAWN(reader), limit=MOST, consistent=True) for reader in (EVERYBODY, "amy")]

READS = (
    Read(
        "messages, documents, orders, nodes, devices and places, by their words",
        "GET /search",
        {},
        {"q": "noon"},
        [*_WITHDRAWN, BatchGet([key_of(_MESSAGE)], consistent=True)],
        # DynamoDB takes a unit for each query that finds nothing, too; DynamoDB Local reports none.
        units=1,
        bound="2 for what was withdrawn, of 1 unit each if that is nothing, and of about 5 if it is much; 1 for things "
        "of one item each, and 1 for each document and each node",
        given=example.stored(_MESSAGE),
    ),
)
WRITES = (
    Write(
        "fill the search index anew",
        "POST /search/rebuild",
        {},
        None,
        {},
        "0; later the indexer reads the keys of the whole table, half a read unit for 4 KB, and all that can be found",
        groups=("admin",),
    ),
)
