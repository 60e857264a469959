"""The statuses with which `make reconcile`, `make backfill` and `make fill` end, by the files that their jobs left."""

from collections.abc import Callable, Mapping
from pathlib import Path
from unittest.mock import Mock

import boto3
import pytest
from moto import mock_aws

from batch import __main__ as command
from batch import results
from batch.__main__ import AskedError, main
from batch.comparing import WRONG, Compared
from batch.folders import Folder
from batch.found import named
from batch.graph import in_process
from batch.reconcile import Check, Declared
from batch.runs import followed_run
from edgewise.aggregates import keys
from functions.systems.chat.system import ROOM
from ops.processes import free_port
from ops.stage import Stage
from tests.batch.graph.conftest import JOB, RESULT, RUN, Bucket, items
from tests.batch.graph.graphs import GRAPHS
from tests.support.commands import outcome

WRONG_ROOM = Compared(keys.of(ROOM("r1")), "ROOM", WRONG, named(ROOM("r1")))
Job = Callable[[Path], None]


def checked(*differing: Compared) -> Job:
    """Leaves what a check leaves that found this."""
    check = Check(sources=9, aggregates=3, differing=differing, plan=[], late=0)

    def job(path: Path) -> None:
        results.write(Folder(path).write, RESULT, Declared(), check, {}, {"run": RUN})

    return job


def filled(path: Path) -> None:
    """Leave what the job of a fill leaves."""
    bucket = Bucket(path)
    bucket.export(items(GRAPHS["path"]))
    in_process.run(bucket.folder, JOB)


@pytest.mark.usefixtures("aws_env")
@pytest.mark.parametrize(
    ("asked", "machine", "job", "status", "told"),
    [
        ("", {"kind": "reconcile"}, checked(), 0, "3 aggregates compared, 0 differences\n"),
        ("", {"kind": "reconcile"}, checked(WRONG_ROOM), 1, "3 aggregates compared, 1 differences\n"),
        ("plan", {"kind": "reconcile", "apply": "plan"}, checked(WRONG_ROOM), 1, "3 aggregates compared, 1 differ"),
        ("backfill", {"kind": "reconcile", "apply": "backfill"}, checked(), 0, "3 aggregates compared, 0 differ"),
        ("fill", {"kind": "fill"}, filled, 0, "7 nodes, 6 edges, 1 components in "),
    ],
)
def test_the_status_says_whether_something_differs(
    asked: str,
    machine: Mapping[str, str],
    job: Job,
    status: int,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Only the state machine is stubbed: what the job has left is read from a bucket."""
    begin = Mock(return_value=RUN)
    monkeypatch.setattr(followed_run, "outputs", lambda _: {followed_run.BUCKET: "runs"})
    monkeypatch.setattr(followed_run, "run", begin)
    job(tmp_path)
    with mock_aws():
        s3 = boto3.client("s3")
        s3.create_bucket(Bucket="runs")
        for path in tmp_path.rglob("*.*"):
            s3.put_object(Bucket="runs", Key=path.relative_to(tmp_path).as_posix(), Body=path.read_bytes())
        monkeypatch.setattr(Stage, "client", lambda *_: s3)
        assert main("dev", asked) == status
    begin.assert_called_once_with(Stage("dev"), machine, print)
    assert capsys.readouterr().out.startswith(f"stored: GET /checks/{RUN}\n{told}")


def test_a_plan_that_there_is_none_of_begins_nothing() -> None:
    with pytest.raises(AskedError, match=r"^APPLY=everything: expected plan, or nothing$"):
        main("dev", "everything")


def test_without_a_result_the_status_is_another_one() -> None:
    status, printed = outcome("batch", "local", "", port=free_port())
    assert (status, printed.partition(":")[0]) == (command.NO_RESULT, "the local cloud is not running")
    assert command.NO_RESULT not in (0, 1)
