"""All probes: they gather observations on the deployment, and say what follows for each assumption."""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from ops.api import Api, after_version
from ops.errors import LocalError
from verify import stream
from verify.corner import Corner
from verify.lines import Line, lines_since
from verify.of_delivery import of_lines, of_mapping
from verify.of_stream import of_records, of_shards
from verify.of_writes import of_size, of_writes
from verify.probing import ASSUMPTIONS, Seen, unseen
from verify.scratch import scratched
from verify.share import Left
from verify.target import Target

# AWS says (of Kinesis) how much longer a window of a quiet shard may stay open than its length. This is a little more.
QUIET_SECONDS, PAUSE_SECONDS = 150, 2.0
# A page ends at 1 MB of the table, which takes this many versions of a document. JSON writes each letter in six bytes.
VERSIONS, LETTERS, BYTES = 5, 95_000, 2


def probed(target: Target, corner: Corner, api: Api, since: int) -> list[Seen]:
    """The observation of each assumption, in the order of the list; or the reason why its probe failed."""
    probes: tuple[Callable[[], Iterable[Seen]], ...] = (
        lambda: _writing(target, corner),
        lambda: _describing(target),
        lambda: _mapped(target),
        lambda: _delivering(target, since),
        lambda: [_reading(api, corner)],
    )
    found: dict[str, Seen] = {}
    failures: list[str] = []
    for probe in probes:
        try:
            found |= {each.name: each for each in probe()}
        except (LocalError, ClientError, BotoCoreError) as error:
            failures.append(str(error))
    return [found.get(name) or unseen(name, f"the probe failed: {'; '.join(failures)}") for name in ASSUMPTIONS]


def _writing(target: Target, corner: Corner) -> list[Seen]:
    scratch = scratched(target, corner)
    return [*of_records(scratch), *of_writes(scratch)]


def _describing(target: Target) -> list[Seen]:
    return list(of_shards(stream.shards(target, stream.arn(target)), len(stream.listed(target))))


def _mapped(target: Target) -> list[Seen]:
    return list(of_mapping(mapping(target)))


def _delivering(target: Target, since: int) -> list[Seen]:
    return list(of_lines(_until_windows_end(target, since), mapping(target)))


def mapping(target: Target) -> Mapping[str, Any]:
    """The consumer's event source mapping, as AWS has stored it."""
    function = target.outputs["EdgeAggregatorFunctionName"]
    (found,) = target.client("lambda").list_event_source_mappings(FunctionName=function)["EventSourceMappings"]
    return dict(found)


def _until_windows_end(target: Target, since: int) -> list[Line]:
    """The consumer's lines, as soon as each shard with windows has ended one, or when the time is over."""
    deadline = time.monotonic() + QUIET_SECONDS + (mapping(target).get("TumblingWindowInSeconds") or 0)
    while True:
        lines = lines_since(target, since)
        windowed = {line.shard for line in lines if line.window_end is not None}
        if windowed <= {line.shard for line in lines if line.final} or time.monotonic() > deadline:
            return lines
        time.sleep(PAUSE_SECONDS)


def left(corner: Corner) -> Left:
    """The data that the probes leave behind."""
    return Left(f"versions of a document of {LETTERS * BYTES:,} bytes each", VERSIONS, f"DOCUMENT#{_long(corner)}")


def _long(corner: Corner) -> str:
    return corner.id("long")


def _reading(api: Api, corner: Corner) -> Seen:
    """Store a page of letters, and read all of them in one response."""
    document = ("documents", _long(corner))
    api.put(*document, "metadata", body={"title": "verify"})
    for version in range(VERSIONS):
        body = {"content": "é" * LETTERS}
        api.call("POST", *document, "versions", body=body, headers=after_version(version))
    page = api.get(*document, "versions", limit=VERSIONS)
    arrived = sum(len(each["content"]) for each in page["versions"])
    return of_size(VERSIONS * LETTERS, arrived, len("\\u00e9"))
