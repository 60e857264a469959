"""`make rehearse`, and the step of `make deploy` before anything changes: this release computes kept batches again.

It reads, with the role that reads everything, and changes nothing. What it has read stays in memory.
"""

import sys
from collections.abc import Sequence
from typing import Final

from botocore.exceptions import BotoCoreError, ClientError

from edgewise.stream.kept import KeptBatch, OtherFormatError
from edgewise.times import millis, parse_instant, rfc_3339
from functions import announced
from functions.bucket import Bucket
from functions.errors import TornResultError
from functions.keeping import PREFIX
from infra.settings import InfraSettings
from ops.account import Client, reading_client, stacks
from ops.errors import LocalError
from ops.rehearsing.apart import computed
from ops.rehearsing.verdict import Rehearsed, judge, told
from ops.settings import settings_of
from ops.stage import running_cloud

PART, OUTPUT = "edge-stream", "KeptBatchesBucketName"
# So many are computed in a minute.
MOST: Final = 200
MEND: Final = """Nothing was deployed. Mend the release; or, if it counts otherwise on purpose, announce that in
functions/announced.py (docs/rehearsing.md). If it is the running release that counts wrongly: BEFORE=INSTANT
takes only batches from before that was deployed (docs/runbooks.md)."""


class RehearsalError(LocalError):
    """The release computes something otherwise that nobody has announced; or nobody can tell."""


def rehearse(settings: InfraSettings, client: Client, before: str) -> list[str]:
    """What to print of a rehearsal; `before`: only batches from before this instant, if it is given.

    Raises RehearsalError if the release must not be deployed, LocalError, botocore's errors.
    """
    name = bucket_of(settings, client)
    if name is None:
        return ["rehearsal: nothing is kept of what the stage's consumer computes (docs/rehearsing.md)"]
    bucket = Bucket(name, client("s3"))
    keys = chosen(bucket.keys(PREFIX), until(before))
    names, batches, lines = list[str](), list[KeptBatch](), list[str]()
    for key in keys:
        try:
            batches.append(KeptBatch.parse(bucket.read(key)))
            names.append(key.removeprefix(PREFIX))
        except (OtherFormatError, TornResultError) as error:  # of another release; or its time came just now
            lines.append(f"passed over {key}: {error}")
    rehearsed = map(Rehearsed, names, batches, computed(batches))
    verdict = judge(list(rehearsed), announced.CHANGES)
    lines = [f"rehearsal: {line}" for line in (*lines, *told(verdict))]
    if verdict.wrong:
        raise RehearsalError("\n".join([*lines, MEND]))
    return lines or [f"rehearsal: no batch is kept yet{before and f' from before {before}'}, so nothing was computed"]


def bucket_of(settings: InfraSettings, client: Client) -> str | None:
    """The bucket of the kept batches of a stage; None if it has none, or is not deployed."""
    outputs = stacks(client, settings).get(PART, {}).get("Outputs", ())
    return next((each["OutputValue"] for each in outputs if each["OutputKey"] == OUTPUT), None)


def until(before: str) -> str:
    """How the names of batches begin that are not from before this instant; raises RehearsalError."""
    try:
        return f"{PREFIX}{rfc_3339(millis(parse_instant(before)))}" if before else ""
    except ValueError as error:
        raise RehearsalError(f"BEFORE={before} {error}") from error


def chosen(keys: Sequence[str], end: str) -> Sequence[str]:
    """MOST of these at most, spread over all times; only those in front of `end`, if it is not empty."""
    ripe = [key for key in keys if not end or key < end]
    return [ripe[number * len(ripe) // MOST] for number in range(MOST)] if len(ripe) > MOST else ripe


def main(stage: str, like: str, before: str) -> list[str]:
    """Rehearse this release on a stage; returns what to print. Raises LocalError."""
    settings = settings_of(stage, like)
    try:
        client = running_cloud().client if settings.emulator else reading_client(settings)
        return rehearse(settings, client, before)
    except (BotoCoreError, ClientError) as error:
        raise RehearsalError(f"rehearsal: {error}") from error


if __name__ == "__main__":
    try:
        print("\n".join(main(*sys.argv[1:])))
    except LocalError as error:
        sys.exit(str(error))
