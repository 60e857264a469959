"""Access patterns of audits."""

from docs.patterns import example
from docs.patterns.pattern import Read, Write, directory_read
from edgewise.dynamodb.table import Table
from edgewise.times import from_rfc_3339
from functions.systems.audits import items as audits_items
from functions.systems.audits.entity import Audit

NOON = from_rfc_3339("2018-08-29T12:00:00.000Z")

_EQUIPMENT = {"equipment": "Equipment_1"}
_AUDIT = {"auditor": "amy", "result": "passed", "part": "engine"}


def _audits(table: Table) -> None:
    """Three audits of the engine and one of the equipment as a whole."""
    engine = [Audit("Equipment_1", "engine", version, NOON, "amy", "passed") for version in (1, 2, 3)]
    whole = Audit("Equipment_1", "", 1, NOON, "bob", "failed")
    newest = map(audits_items.NEWEST.encode, (engine[-1], whole))
    example.store(table, *map(audits_items.AUDIT.encode, [*engine, whole]), *newest)


READS = (
    Read(
        "equipment's numbers and the newest audit of each part",
        "GET /equipment/{equipment}",
        _EQUIPMENT,
        {},
        [audits_items.NEWEST.with_summary("Equipment_1")],
        units=0.5,
        bound="1 more if there are hundreds of results",
        given=_audits,
    ),
    Read(
        "the newest audit of a part",
        "GET /equipment/{equipment}/audits/latest",
        _EQUIPMENT,
        {"part": "engine"},
        [audits_items.NEWEST.key("Equipment_1", "engine")],
        units=1.0,
        given=_audits,
    ),
    Read(
        "all audits of a part, newest first",
        "GET /equipment/{equipment}/audits",
        _EQUIPMENT,
        {"part": "engine", "order": "desc"},
        [audits_items.history("Equipment_1", "engine", forward=False)],
        units=0.5,
        given=_audits,
    ),
    directory_read("all equipment, by id", "GET /equipment", audits_items.AUDIT.partitions, _audits, "new equipment"),
)

WRITES = (
    Write(
        "store an audit",
        "POST /equipment/{equipment}/audits",
        _EQUIPMENT,
        _AUDIT,
        {"GetItem": 1, "TransactWriteItems": 1},
        "4: the audit and the copy of the newest one, in a transaction",
        given=_audits,
    ),
    Write(
        "store an audit that follows an expected version (`If-Match`)",
        "POST /equipment/{equipment}/audits",
        _EQUIPMENT,
        _AUDIT,
        {"TransactWriteItems": 1},
        "4: as above, without the read",
        given=_audits,
        headers={"if-match": '"3"'},
    ),
    Write(
        "store an audit with an `Idempotency-Key`",
        "POST /equipment/{equipment}/audits",
        _EQUIPMENT,
        _AUDIT,
        {"GetItem": 1, "TransactWriteItems": 1},
        "6: as above, and the item that remembers the key",
        given=_audits,
        headers={"idempotency-key": "k1"},
    ),
)
