"""`make verify` as people start it: what it refuses, and how it ends."""

import pytest
from botocore.exceptions import ClientError

from ops.processes import free_port
from ops.stage import Stage, StageError
from tests.support.commands import outcome
from verify import __main__ as command
from verify import target


def test_without_a_local_cloud_it_says_what_to_do() -> None:
    status, printed = outcome("verify", "local", port=free_port())
    assert (status, printed) == (2, "the local cloud is not running: make run, or ON=STAGE for a stage on AWS\n")


@pytest.mark.parametrize("stage", ["Dev", "", "a/b", "-x"])
def test_what_can_be_no_stage_is_named(stage: str) -> None:
    with pytest.raises(StageError, match=f"^ON={stage}: expected local, or the name of a stage"):
        target.target(stage)


@pytest.mark.parametrize("events", ["few", "-1", "199", "2e3"])
def test_a_number_of_events_that_is_none_is_named(
    events: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EVENTS", events)
    assert command.main("local") == 2
    assert capsys.readouterr().out == f"EVENTS={events}: expected a whole number from 200 on\n"


def test_what_aws_refuses_is_told_without_accounts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> None:
        text = "arn:aws:iam::123456789012:user/x may not do this in 123456789012"
        raise ClientError({"Error": {"Code": "AccessDenied", "Message": text}}, "DescribeStacks")

    monkeypatch.setattr(Stage, "client", refuse)
    assert command.main("dev") == 2
    printed = capsys.readouterr().out
    assert "ON=dev" in printed
    assert "(arn) may not do this in (account)" in printed


def test_interrupted_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "target", interrupt)
    assert command.main("local") == 130
    assert capsys.readouterr().out == "interrupted\n"
