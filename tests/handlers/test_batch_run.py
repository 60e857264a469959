"""The function that begins and ends runs: what it stores, tells and refuses, once or again."""

import gzip
import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, cast
from unittest.mock import Mock

import pytest
from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import ValidationError

from edgewise import clock
from edgewise.dynamodb.table import Table
from edgewise.errors import NotFoundError
from edgewise.times import DAY, HOUR, from_rfc_3339
from functions.errors import AlreadyRunningError, LostLockError, TornResultError
from functions.handlers import batch_run
from functions.settings import BatchRunSettings
from functions.systems.checks import codec, keys, locking, patterns, results, store
from functions.systems.checks.entity import Difference, Run, kept
from tests.handlers.results import BUCKET
from tests.support.http import Context
from tests.support.streams import StreamedTable
from tests.support.told import counted

RUN = "20261123T054100Z"
NOW = from_rfc_3339("2026-11-23T05:41:00.999Z")
RESULT = f"runs/{RUN}/result"
SUMMARY = {
    "run": RUN,
    "instant": "2026-11-23T05:41:00.000Z",
    "items": 90,
    "sources": 60,
    "aggregates": 30,
    "unsettled": 2,
    "doubtful": 0,
    "waiting": 5,
    "quarantined": 1,
    "expired": 6,
    "unreadable": 4,
    "unjudged": [{"type": "MESSAGE", "items": 12, "what": "whether anybody reads it"}],
    "differences": {"ROOM": {"wrong": 1, "follows": 0, "noted": 0}, "DEGREE": {"follows": 2}},
    "seconds": 61.25,
}
FILLED = {"run": RUN, "items": 90, "nodes": 10, "edges": 20, "components": 3, "seconds": 7}


class Clock:
    """The time of day, as a test sets it."""

    at = NOW


@pytest.fixture(autouse=True)
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    shown = Clock()
    monkeypatch.setattr(clock, "now", lambda: shown.at)
    return shown


@pytest.fixture(autouse=True)
def on(bucket: Any, table: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_run, "table", lambda: table)
    monkeypatch.setattr(batch_run, "settings", lambda: BatchRunSettings("unused", BUCKET, "600", "300"))


def ask(**event: Any) -> dict[str, Any]:
    answer: dict[str, Any] = batch_run.handler(event, cast(LambdaContext, Context()))
    return answer


def begin(kind: str = "reconcile", execution: str = "daily-1") -> dict[str, Any]:
    return ask(do="begin", kind=kind, execution=execution)


def report(**more: Any) -> dict[str, Any]:
    return ask(do="report", run=RUN, **more)


def fail(error: str = "the job died") -> dict[str, Any]:
    return ask(do="failed", run=RUN, error=error)


def line(kind: str, why: str, name: str, **more: Any) -> dict[str, Any]:
    told = {"kind": kind, "why": why, "about": [kind, [name]], "pk": f"{kind}#{name}", "sk": "EDGE#"}
    return told | {"expected": {"Edges": "3"}, "stored": {"Edges": "4"}, "checkpoints": {}} | more


FOUND = [line("DEGREE", "follows", "amy"), line("ROOM", "wrong", "r1"), line("DEGREE", "follows", "bob")]


def packed(lines: Sequence[Any]) -> bytes:
    return gzip.compress("".join(f"{json.dumps(each)}\n" for each in lines).encode(), mtime=0)


class Job:
    """What leaves results in the bucket."""

    def __init__(self, bucket: Any) -> None:
        self.bucket = bucket

    def put(self, name: str, content: bytes) -> None:
        self.bucket.put_object(Bucket=BUCKET, Key=f"{RESULT}/{name}", Body=content)

    def drop(self, name: str) -> None:
        self.bucket.delete_object(Bucket=BUCKET, Key=f"{RESULT}/{name}")

    def summarize(self, **told: Any) -> None:
        self.put("summary.json", json.dumps(SUMMARY | told).encode())

    def write(self, *parts: Sequence[Any]) -> None:
        for number, lines in enumerate(parts):
            self.put(f"differences/part-{number:05}.gz", packed(lines))
        self.put("differences/_SUCCESS", b"")


@pytest.fixture
def job(bucket: Any) -> Job:
    """A job that has ended well: its differences are in three parts, one of them empty."""
    done = Job(bucket)
    done.summarize()
    done.write(FOUND[:2], [], FOUND[2:])
    return done


def run(table: Table) -> Run:
    return store.find(table, RUN)


def locked(table: Table) -> bool:
    return table.get(keys.LOCK) is not None


def stored(table: Table) -> list[Difference]:
    return [codec.difference(item) for item in table.query(patterns.differences(RUN)).items]


def everything(table: StreamedTable) -> list[Any]:
    return sorted(table.all_items(), key=str)


class TestBegin:
    def test_the_answer_has_all_that_exports_need(self, table: Table) -> None:
        assert begin() == {
            "run": RUN,
            "kind": "reconcile",
            "instant": "2026-11-23T05:41:00.000Z",
            "from": "2026-11-23T05:31:00.000Z",
            "to": "2026-11-23T05:46:00.000Z",
            "full_prefix": f"runs/{RUN}/full",
            "increment_prefix": f"runs/{RUN}/increment",
            "result_prefix": f"runs/{RUN}/result",
            "previous_prefix": "",
        }
        assert run(table) == Run(RUN, "reconcile", "running", NOW)
        assert locked(table)

    def test_again_by_the_same_execution_it_is_the_same_run(self, table: StreamedTable, time: Clock) -> None:
        first, before = begin("fill"), everything(table)
        time.at += 5000
        assert begin("fill") == first
        assert everything(table) == before

    def test_one_run_at_a_time(self, time: Clock) -> None:
        begin()
        time.at += 5000
        with pytest.raises(AlreadyRunningError, match=f"{RUN} is still running, since 2026-11-23T05:41:00.999Z"):
            begin("fill", "by-hand")

    def test_what_ended_without_a_word_has_failed(
        self, table: Table, time: Clock, capsys: pytest.CaptureFixture[str]
    ) -> None:
        begin()
        time.at += 3 * HOUR
        assert begin(execution="daily-2")["run"] == "20261123T084100Z"
        assert run(table).state == "failed"
        assert counted("RunsFailed", capsys) == [1.0]

    def test_it_says_where_the_last_results_of_a_reconcile_are(self, time: Clock, job: Job) -> None:
        begin()
        report()
        for day, kind in ((1, "reconcile"), (2, "fill")):
            time.at = NOW + day * DAY
            ask(do="failed", run=begin(kind, f"daily-{day}")["run"], error="the job died")
        time.at = NOW + 3 * DAY
        assert begin(execution="daily-3")["previous_prefix"] == RESULT

    def test_a_renewed_lock_outlasts_the_lease(self, time: Clock) -> None:
        begin()
        time.at += 2 * HOUR
        assert ask(do="renew", run=RUN) == {"run": RUN, "until": "2026-11-23T10:41:00.999Z"}
        time.at += 2 * HOUR
        with pytest.raises(AlreadyRunningError):
            begin(execution="daily-2")

    def test_what_has_ended_has_no_lock_to_renew(self, job: Job) -> None:
        begin()
        report()
        with pytest.raises(LostLockError):
            ask(do="renew", run=RUN)


@pytest.mark.usefixtures("job")
class TestReport:
    @pytest.fixture(autouse=True)
    def begun(self, time: Clock) -> None:
        begin()
        time.at += 60_000

    def test_what_the_job_found_is_stored_causes_first(self, table: Table) -> None:
        assert report() == {
            "run": RUN,
            "state": "done",
            "differences": {"wrong": 1, "follows": 2, "noted": 0, "unreadable": 0},
            "stored": 3,
            "unlisted": 0,
        }
        assert [(each.why, each.pk) for each in stored(table)] == [
            ("wrong", "ROOM#r1"),
            ("follows", "DEGREE#amy"),
            ("follows", "DEGREE#bob"),
        ]
        assert not locked(table)

    def test_the_run_has_the_figures_of_the_summary(self, table: Table) -> None:
        report()
        ended = run(table)
        assert (ended.state, ended.began, ended.ended) == ("done", NOW, NOW + 60_000)
        assert ended.figures is not None
        counts = {
            "items": 90,
            "sources": 60,
            "aggregates": 30,
            "unsettled": 2,
            "quarantined": 1,
            "unreadable": 4,
            "waiting": 5,
            "expired": 6,
        }
        assert ended.figures.counts == counts | {"verified": 0, "busy": 0}
        assert ended.figures.by_kind == {
            "ROOM": {"wrong": 1, "follows": 0, "noted": 0, "unreadable": 0},
            "DEGREE": {"wrong": 0, "follows": 2, "noted": 0, "unreadable": 0},
        }
        assert (ended.figures.seconds, ended.figures.cost) == (Decimal("61.25"), None)

    def test_the_cost_is_estimated_from_what_was_used(self, table: Table) -> None:
        report(used={"exported_bytes": 2 * 1024**3, "vcpu_hours": 1.5, "memory_gb_hours": 6})
        figures = run(table).figures
        assert figures is not None
        assert figures.cost == Decimal("0.2909")  # 0.2 + 1.5 * 0.042094 + 6 * 0.004628

    def test_what_was_verified_directly_is_told_beside_what_the_job_found(self, table: Table, job: Job) -> None:
        job.put(
            "direct.json",
            json.dumps({"verified": 5, "busy": 2, "differences": [line("USER", "wrong", "amy")]}).encode(),
        )
        assert report()["differences"] == {"wrong": 2, "follows": 2, "noted": 0, "unreadable": 0}
        figures = run(table).figures
        assert figures is not None
        assert (figures.counts["verified"], figures.counts["busy"]) == (5, 2)
        assert figures.by_kind["USER"] == {"wrong": 1, "follows": 0, "noted": 0, "unreadable": 0}
        assert [each.pk for each in stored(table)] == ["ROOM#r1", "USER#amy", "DEGREE#amy", "DEGREE#bob"]

    def test_what_was_not_verified_is_still_busy(self, table: Table, job: Job) -> None:
        """The consumer was behind, so that nothing could be verified directly."""
        job.summarize(doubtful=3)
        report()
        figures = run(table).figures
        assert figures is not None
        assert (figures.counts["verified"], figures.counts["busy"]) == (0, 3)

    def test_metrics(self, capsys: pytest.CaptureFixture[str]) -> None:
        report()
        told = capsys.readouterr().out
        (metrics,) = [json.loads(each) for each in told.splitlines() if '"_aws"' in each]
        assert {
            name: metrics[name] for name in ("Differences", "Unsettled", "UnreadableSources", "ReconcilesDone")
        } == {
            "Differences": [3.0],
            "Unsettled": [2.0],
            "UnreadableSources": [4.0],
            "ReconcilesDone": [1.0],
        }

    def test_again_it_changes_nothing_and_answers_the_same(
        self, table: StreamedTable, time: Clock, job: Job, capsys: pytest.CaptureFixture[str]
    ) -> None:
        first, before = report(), everything(table)
        assert counted("ReconcilesDone", capsys) == [1.0]
        time.at += 60_000
        job.write([])
        assert report() == first
        assert everything(table) == before
        assert counted("ReconcilesDone", capsys) == []

    def test_after_a_crash_at_any_write_it_ends_as_if_there_had_been_none(
        self, table: StreamedTable, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class CrashError(Exception):
            pass

        def crash(*_: object) -> None:
            raise CrashError

        for step in ("put_many", "write"):
            with monkeypatch.context() as patch:
                patch.setattr(table, step, crash)
                with pytest.raises(CrashError):
                    report()
            assert (run(table).state, locked(table)) == ("running", True)
        with monkeypatch.context() as patch:
            patch.setattr(locking, "release", crash)
            with pytest.raises(CrashError):
                report()
        assert (run(table).state, locked(table)) == ("done", True)
        assert report()["stored"] == 3
        assert (len(stored(table)), locked(table)) == (3, False)

    def test_a_crash_at_its_end_is_counted_twice_rather_than_never(
        self, table: StreamedTable, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(store, "end", lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                report()
        assert counted("Differences", capsys) == [3.0]
        report()
        assert counted("Differences", capsys) == [3.0]

    def test_it_leaves_the_lock_of_a_later_run(self, table: Table, time: Clock) -> None:
        time.at += 3 * HOUR
        begin(execution="daily-2")
        assert report()["state"] == "failed"
        assert locked(table)
        assert stored(table) == []

    def test_what_fails_while_it_is_read_stays_failed(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        read = results.read

        def read_and_fail(*given: Any) -> Any:
            found = read(*given)
            fail()
            return found

        monkeypatch.setattr(results, "read", read_and_fail)
        assert report()["state"] == "failed"
        assert run(table).error == "the job died"


class TestMany:
    def test_a_thousand_are_stored_causes_first_and_all_are_counted(self, table: Table, job: Job) -> None:
        begin()
        noted = [line("ROOM", "noted", f"n{number}") for number in range(300)]
        follows = [line("ROOM", "follows", f"f{number}") for number in range(1500)]
        wrong = [line("ROOM", "wrong", f"w{number}") for number in range(400)]
        job.write(noted, follows, wrong)
        job.summarize(differences={"ROOM": {"wrong": 400, "follows": 1500, "noted": 300}})
        answer = report()
        assert (answer["stored"], answer["unlisted"]) == (1000, 1200)
        assert answer["differences"] == {"wrong": 400, "follows": 1500, "noted": 300, "unreadable": 0}
        kept = [each.pk for each in stored(table)]
        assert kept == [f"ROOM#w{n}" for n in range(400)] + [f"ROOM#f{n}" for n in range(600)]

    def test_no_more_is_kept_in_memory_than_is_stored(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whatever the job found: its lines are cut, and dropped, as they come."""
        monkeypatch.setattr(results, "MAX_STORED", 3)
        wide = dict.fromkeys((f"c{number:02}" for number in range(60)), "1")
        found = (Difference("ROOM", "wrong", [n], "p", "s", wide, wide, {}) for n in range(50))
        cut = Mock(side_effect=kept)
        monkeypatch.setattr(results, "kept", cut)
        counts, chosen = results.chosen(found)
        assert (counts.total(), len(chosen), cut.call_count) == (50, 3, 3)
        assert {len(each.expected) for _, each in chosen} == {50}

    def test_there_may_be_none(self, table: Table, job: Job) -> None:
        begin()
        job.write([], [], [])
        job.summarize(differences={})
        assert report()["differences"] == {"wrong": 0, "follows": 0, "noted": 0, "unreadable": 0}
        assert stored(table) == []

    def test_awkward_texts(self, table: Table, job: Job) -> None:
        begin()
        name = '日本 "#$\\\n\u2028\x85\U0001f600'
        job.write([line("ROOM", "wrong", name, expected={name: ""}, stored={name: "1"})], [], [])
        job.summarize(differences={"ROOM": {"wrong": 1}})
        report()
        (found,) = stored(table)
        assert (found.about, found.expected) == (["ROOM", [name]], {name: ""})


class TestFill:
    def test_its_figures(self, table: Table, job: Job, capsys: pytest.CaptureFixture[str]) -> None:
        begin("fill")
        job.put("summary.json", json.dumps(FILLED).encode())
        assert report()["state"] == "done"
        figures = run(table).figures
        assert figures is not None
        assert figures.counts == {"items": 90, "nodes": 10, "edges": 20, "components": 3}
        assert stored(table) == []
        told = capsys.readouterr().out
        assert ("FillsDone" in told, "ReconcilesDone" in told, '"Differences"' in told) == (True, False, False)


class TestTornResults:
    @pytest.fixture(autouse=True)
    def begun(self, job: Job) -> None:
        begin()

    def refused(self, table: Table, match: str) -> None:
        with pytest.raises(TornResultError, match=match):
            report()
        assert (run(table).state, stored(table), locked(table)) == ("running", [], True)

    def test_no_summary(self, table: Table, job: Job) -> None:
        job.drop("summary.json")
        self.refused(table, "summary.json: it is missing")

    @pytest.mark.parametrize(
        "content",
        [b"", b"{", b"[]", b"\xff", json.dumps({**SUMMARY, "items": -1}).encode(), json.dumps(FILLED).encode()],
    )
    def test_a_summary_that_is_none(self, table: Table, job: Job, content: bytes) -> None:
        job.put("summary.json", content)
        self.refused(table, "summary.json")

    def test_a_summary_of_another_run(self, table: Table, job: Job) -> None:
        job.summarize(run="20261122T054100Z")
        self.refused(table, "it is of the run 20261122T054100Z")

    def test_a_summary_with_an_unknown_reason(self, table: Table, job: Job) -> None:
        job.summarize(differences={"ROOM": {"odd": 1}})
        self.refused(table, "summary.json")

    def test_a_job_that_did_not_finish_its_parts(self, table: Table, job: Job) -> None:
        job.drop("differences/_SUCCESS")
        self.refused(table, "_SUCCESS: it is missing")

    @pytest.mark.parametrize("part", ["part-00000.gz", "part-00002.gz"])
    def test_a_missing_part(self, table: Table, job: Job, part: str) -> None:
        job.drop(f"differences/{part}")
        self.refused(table, "not those that the summary counted")

    def test_another_kind_than_the_summary_counted(self, table: Table, job: Job) -> None:
        job.summarize(differences={"ROOM": {"wrong": 1}, "PLACE": {"follows": 2}})
        self.refused(table, "not those that the summary counted")

    @pytest.mark.parametrize(
        "content",
        [packed(FOUND[:2])[:-9], packed(FOUND[:2])[:40], b"no gzip at all", packed(FOUND[:2])[:30] + b"\0" * 60],
        ids=["end missing", "half", "no gzip", "zeros"],
    )
    def test_a_part_that_can_not_be_unpacked(self, table: Table, job: Job, content: bytes) -> None:
        job.put("differences/part-00000.gz", content)
        self.refused(table, "part-00000.gz: it can't be unpacked")

    @pytest.mark.parametrize(
        "torn",
        [
            '{"kind": "ROOM"',
            "[]",
            "",
            json.dumps(line("ROOM", "because", "r1")),
            json.dumps(line("ROOM", "wrong", "r1", expected={"Edges": 3})),
            json.dumps({name: each for name, each in FOUND[0].items() if name != "about"}),
        ],
    )
    def test_a_torn_line(self, table: Table, job: Job, torn: str) -> None:
        job.put("differences/part-00000.gz", gzip.compress(f"{json.dumps(FOUND[0])}\n{torn}\n".encode()))
        self.refused(table, "part-00000.gz, line 2")

    def test_what_is_mended_can_be_reported(self, job: Job) -> None:
        job.drop("differences/_SUCCESS")
        with pytest.raises(TornResultError):
            report()
        job.write(FOUND[:2], [], FOUND[2:])
        assert report()["state"] == "done"


class TestFailed:
    def test_it_is_stored_counted_and_the_lock_is_free(self, table: Table, capsys: pytest.CaptureFixture[str]) -> None:
        begin()
        assert fail("é" * 3000) == {"run": RUN, "state": "failed", "differences": None, "stored": 0, "unlisted": 0}
        assert (run(table).error, locked(table)) == ("é" * 1000, False)
        assert counted("RunsFailed", capsys) == [1.0]

    def test_again_it_changes_nothing(self, table: StreamedTable, capsys: pytest.CaptureFixture[str]) -> None:
        begin()
        first, before = fail(), everything(table)
        assert counted("RunsFailed", capsys) == [1.0]
        assert fail("something else") == first
        assert everything(table) == before
        assert counted("RunsFailed", capsys) == []

    def test_what_is_done_stays_done(self, table: Table, job: Job) -> None:
        begin()
        report()
        assert fail()["state"] == "done"
        assert run(table).state == "done"

    def test_what_failed_is_not_reported(self, table: Table, job: Job) -> None:
        begin()
        fail()
        assert report()["state"] == "failed"
        assert stored(table) == []

    @pytest.mark.parametrize("command", [{"do": "report"}, {"do": "failed", "error": "x"}])
    def test_a_run_that_there_is_not(self, command: dict[str, str]) -> None:
        with pytest.raises(NotFoundError):
            ask(run=RUN, **command)


@pytest.mark.parametrize(
    ("command", "field"),
    [
        ({}, "do"),
        ({"do": "else"}, "do"),
        ({"do": "begin", "execution": "x"}, "kind"),
        ({"do": "begin", "kind": "backfill", "execution": "x"}, "kind"),
        ({"do": "begin", "kind": "fill"}, "execution"),
        ({"do": "begin", "kind": "fill", "execution": ""}, "execution"),
        ({"do": "renew", "run": "x"}, "run"),
        ({"do": "report", "run": "20261323T054100Z"}, "run"),
        ({"do": "report", "run": RUN, "used": {"vcpu_hours": 1}}, "exported_bytes"),
        ({"do": "failed", "run": RUN}, "error"),
        ({"do": "failed", "run": RUN, "error": "x", "more": 1}, "more"),
    ],
)
def test_commands_that_are_none(command: dict[str, Any], field: str) -> None:
    with pytest.raises(ValidationError, match=field):
        ask(**command)
