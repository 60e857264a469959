"""Records that can't be understood, kept whole, so that a shard goes on and nothing is lost."""

import gzip
import hashlib
import json

from functions.store import keys
from functions.store.attributes import Item, key_item, n, s
from functions.store.stream import Record
from functions.store.table import RefusedError, Table, chunks

# An item holds 400 KB and a record carries two of them: compressed, and cut where that is not enough.
PART_BYTES = 350_000


def quarantine(table: Table, lane: str, record: Record, error: str) -> None:
    """Keep a record with its lane and what was wrong; keeping it again changes nothing."""
    for item in quarantine_items(lane, record, error):
        try:
            table.put_version(item, replaces=0)
        except RefusedError:
            continue


def quarantine_items(lane: str, record: Record, error: str) -> list[Item]:
    """The items of one record: its JSON, compressed, in parts."""
    whole = json.dumps(record).encode()
    sequence = (record.get("dynamodb") or {}).get("SequenceNumber") or record.get("eventID") or _content_id(whole)
    parts = list(chunks(gzip.compress(whole, mtime=0), PART_BYTES))
    return [
        key_item(keys.quarantine.quarantine(lane, str(sequence), number))
        | {
            "Type": s("QUARANTINE"),
            "Version": n(1),
            "Error": s(error[:1000]),
            "Parts": n(len(parts)),
            "Record": {"B": part},
        }
        for number, part in enumerate(parts, start=1)
    ]


def _content_id(whole: bytes) -> str:
    return hashlib.sha256(whole).hexdigest()
