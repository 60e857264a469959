"""Hints: which things may have changed. The indexer reads what they are now, so hints may repeat, in any order.

They go through a queue of one group: it delivers them in order, and the next ones only when these are indexed.
"""

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from edgewise import Key, aws
from edgewise.dynamodb.table import CONFIG
from functions.portions import portions
from functions.search.engine import Address

_GROUP = "index"
# Of a message: SQS takes a megabyte, but Lambda hands ten of them to one invocation, which takes six.
_MOST_BYTES = 200_000


@dataclass(frozen=True)
class Rebuild:
    """A new generation of this name is to be filled with all that the table has, after this key."""

    generation: str
    after: Key | None = None


Message = Sequence[Address] | Rebuild


def text(message: Message) -> str:
    """A message of the queue; in ASCII, because SQS refuses some characters that people may write."""
    if isinstance(message, Rebuild):
        return json.dumps({"rebuild": message.generation, "after": message.after})
    return json.dumps({"changed": [[each.kind, *each.key] for each in message]}, separators=(",", ":"))


def message(of: str) -> Message:
    """The inverse of text."""
    given = json.loads(of)
    if "rebuild" in given:
        return Rebuild(given["rebuild"], Key(*given["after"]) if given["after"] else None)
    return [Address(kind, Key(pk, sk)) for kind, pk, sk in given["changed"]]


class HintQueue:
    """The queue between the stream's reader and the indexer."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._client = aws.client("sqs", CONFIG)

    def send(self, hints: Sequence[Address]) -> None:
        """Pass hints on; whatever error comes of it may pass, and then the stream delivers them again."""
        for some in portions(hints, lambda each: len(text([each])), _MOST_BYTES):
            self._send(text(some), str(uuid.uuid4()))

    def rebuild(self, wanted: Rebuild) -> None:
        """Ask for the next part of a rebuild; asked twice, it is done once."""
        self._send(text(wanted), f"{wanted.generation}-{_hash_of(wanted)}")

    def _send(self, body: str, once: str) -> None:
        self._client.send_message(
            QueueUrl=self._url, MessageBody=body, MessageGroupId=_GROUP, MessageDeduplicationId=once
        )


def _hash_of(wanted: Rebuild) -> str:
    """A name of the part of a rebuild, of characters that SQS takes."""
    return uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(wanted.after)).hex
