"""Every access pattern with an example: docs/access-patterns.md shows it, tests/docs compares it with the real code.

The systems' own functions build the examples' key conditions. The test calls each route with its example and requires
that exactly these requests reach DynamoDB, and that they take the stated units.
"""

import re
from collections.abc import Iterable
from importlib import import_module

from docs.patterns.pattern import BatchGet, Read, Request, Write
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.schema import INDEXES
from functions.catalog import SYSTEMS
from infra.rights import RIGHTS

_HISTORY = "HISTORY"  # the sort key of how many shards a list has had
_SHARD = re.compile(r"(?<=[-#])\d+(?=[` ])")  # a shard at the end of a partition key
_KEYS = 2  # of a BatchGetItem, so many are shown
# Each system that reads the table has a module of its name.
_SYSTEMS = [import_module(f"docs.patterns.{system.name}") for system in SYSTEMS if RIGHTS[system.name].actions]
READS: tuple[Read, ...] = tuple(read for system in _SYSTEMS for read in system.READS)
WRITES: tuple[Write, ...] = tuple(write for system in _SYSTEMS for write in system.WRITES)


def markdown() -> str:
    """The document."""
    return "\n".join([*_HEAD, *_indexes(), *_READ_HEAD, *map(_read, READS), *_WRITE_HEAD, *map(_write, WRITES), ""])


_HEAD = (
    "# Access patterns",
    "",
    "<!-- Made by `make docs`; a test compares it with the requests that the code really sends. -->",
    "",
    "One table, three overloaded indexes. Requests and read units are those of the examples, as DynamoDB Local reports",
    "them; where the number depends on the data, the bound is given in parentheses. *the history* of a list's shards",
    "is read once in 10 s at most, and left out of the conditions, which show one shard. `$20` in a key is a space.",
    "",
    "| index | partition key | sort key | meaning | projects |",
    "|---|---|---|---|---|",
    "| (table) | `PK` | `SK` | an entity and everything about it | all |",
)
_READ_HEAD = (
    "",
    "## Reads",
    "",
    "| question | route | requests | read units | key condition of the example |",
    "|---|---|---|---|---|",
)
_WRITE_HEAD = ("", "## Writes", "", "| what | route | requests | write units (items up to 1 KB) |", "|---|---|---|---|")


def _indexes() -> list[str]:
    return [
        f"| {index.name} | `{index.partition_key}` | `{index.sort_key}` ({index.sort_type}) | {index.meaning} | "
        f"{', '.join(('keys', *index.projected))} |"
        for index in INDEXES
    ]


def _read(read: Read) -> str:
    parameters = "".join(f" `{name}={value}`" for name, value in read.query.items())
    conditions = "<br>".join(_conditions(read.requests))
    question = f"{read.question}. *Costs {read.kept}*" if read.kept else read.question
    return f"| {question} | `{read.route}`{parameters} | {_count(read)} | {read.units:g} | {conditions} |"


def _count(read: Read) -> str:
    return f"{len(read.requests)} ({read.bound})" if read.bound else str(len(read.requests))


def _conditions(requests: Iterable[Request]) -> Iterable[str]:
    """The conditions of these requests, of the shards of a list only the first's."""
    found: dict[str, str] = {}
    for text in (_condition(request) for request in requests if not _of_history(request)):
        found.setdefault(_SHARD.sub("", text), text)
    return found.values()


def _of_history(request: Request) -> bool:
    """Whether it asks how many shards a list has, and nothing else."""
    return isinstance(request, BatchGet) and all(key.sk == _HISTORY for key in request.keys)


def _condition(request: Request) -> str:
    if isinstance(request, Key):
        return f"GetItem `PK = {request.pk}`, `SK = {request.sk}`"
    if isinstance(request, BatchGet):
        keys = [f"`PK = {key.pk}`, `SK = {key.sk}`" for key in request.keys]
        return f"BatchGetItem {', '.join([*keys[:_KEYS], *(['…'] if len(keys) > _KEYS else [])])}"
    sent = request.request()
    text = sent["KeyConditionExpression"]
    for placeholder, name in sent["ExpressionAttributeNames"].items():
        text = text.replace(placeholder, name)
    for placeholder, value in reversed(sent["ExpressionAttributeValues"].items()):
        text = text.replace(placeholder, next(iter(value.values())))
    index = f" on {sent['IndexName']}" if "IndexName" in sent else ""
    order = "" if sent["ScanIndexForward"] else ", backwards"
    return f"`{text}`{index}{order}"


def _write(write: Write) -> str:
    operations = ", ".join(f"{count} `{name}`" for name, count in write.operations.items())
    return f"| {write.what} | `{write.route}` | {operations} | {write.units} |"
