"""The state machine: what it does in which order, and that nothing of it can wait for ever or leave a lock behind."""

from typing import Any

import pytest

from infra.batch.machine import RUN_SECONDS
from tests.infra.batch.machine import Machine, definition, evaluated, states
from tests.infra.conftest import Deployment

# Of functions/handlers/batch_run.py: how long the lock of a run lasts since it was taken or renewed.
LEASE = 3 * 3600
STARTED = "arn:aws:states:::emr-serverless:startJobRun.sync"
ARN = "arn:aws:dynamodb:us-east-1:111122223333:table/edgewise/export/"
ASKED = "arn:aws:states:::sqs:sendMessage.waitForTaskToken"


@pytest.fixture(scope="module")
def machine(checked: Deployment) -> Machine:
    return definition(checked)


def path(machine: Machine, *choices: str) -> list[str]:
    """The states of a run that goes well; the choices that it meets go to these states."""
    left, name, passed = list(choices), machine["StartAt"], []
    while True:
        passed.append(name)
        state = machine["States"][name]
        if state["Type"] == "Choice":
            name = left.pop(0)
            assert name in (state["Default"], *(each["Next"] for each in state["Choices"]))
        elif "Next" in state:
            name = state["Next"]
        else:
            assert not left
            return passed


SIZED = ["How large?", "Can it end?"]
CHECK = [
    "Begin",
    *SIZED,
    "Export table",
    "Is it a check?",
    "Let changes happen",
    "Export changes",
    "Exports",
    "Renew for job",
]
FILL = ["Begin", *SIZED, "Export table", "Is it a check?", "Exports", "Renew for job"]
PUBLISHED = ["Renew to publish", "List summaries", "Publish", "Complete"]
DID = ["Job", "Bill", "What is written?"]
LOOKED = ["How far behind?", "Is that too far?"]
VERIFIED = [*LOOKED, "Verify", "Is a plan asked for?"]
REPAIRED = ["Renew to repair", "List plan", "Repair"]


def test_a_check_compares_what_changed_too_and_repairs_only_if_it_is_asked_to(machine: Machine) -> None:
    to_verify = ("Export table", "Let changes happen", "How far behind?", "Verify")
    assert path(machine, *to_verify, "Report") == [*CHECK, *DID, *VERIFIED, "Report"]
    assert path(machine, *to_verify, "Renew to repair") == [*CHECK, *DID, *VERIFIED, *REPAIRED, "Report"]
    assert machine["States"]["Is a plan asked for?"]["Choices"][0]["Condition"] == "{% $apply != '' %}"
    assert machine["States"]["Begin"]["Assign"]["apply"] == "{% $states.input.apply & '' %}"


def test_a_fill_needs_the_table_alone(machine: Machine) -> None:
    assert path(machine, "Export table", "Exports", "Renew to publish") == [*FILL, *DID, *PUBLISHED, "Report"]
    assert machine["States"]["What is written?"]["Choices"][0]["Condition"] == "{% $run.kind = 'fill' %}"


def test_while_the_consumer_is_behind_nothing_is_verified_and_nothing_repaired(
    machine: Machine, local_cloud: None
) -> None:
    state = machine["States"]["Is that too far?"]

    def then(lag: int, apply: str, now: int | None = None) -> str:
        for each in state["Choices"]:
            if evaluated(each["Condition"], {"lag": lag, "lag_now": lag if now is None else now, "apply": apply}):
                return str(each["Next"])
        return str(state["Default"])

    minute = 60_000
    assert [then(lag, "") for lag in (0, minute, minute + 1, 16 * minute)] == ["Verify"] * 2 + [
        "Is a plan asked for?"
    ] * 2
    assert [then(lag, "plan") for lag in (minute, 15 * minute, 15 * minute + 1)] == [
        "Verify",
        "Is a plan asked for?",
        "Behind",
    ]
    assert [then(16 * minute, apply, now=0) for apply in ("", "plan")] == ["Verify", "Behind"]
    assert [then(0, apply, now=16 * minute) for apply in ("", "plan")] == ["Is a plan asked for?", "Behind"]
    assert machine["States"]["Behind"]["Next"] == "Failed"


AGES = [
    {"Timestamp": "2026-11-23T05:41:00Z", "Maximum": 70_000.0},
    {"Timestamp": "2999-01-01T00:00:00Z", "Maximum": 7.0},
]


DAY = 24 * 3600 * 1000


@pytest.mark.parametrize(("ages", "since", "now"), [([], DAY, DAY), (AGES[:1], 70_000, DAY), (AGES, 70_000, 7)])
def test_the_lag_is_the_longest_since_the_instant_and_of_the_last_minutes(
    machine: Machine, local_cloud: None, ages: list[Any], since: int, now: int
) -> None:
    """Nobody reads the stream if there is none: what waits there would be counted twice, after a plan."""
    look = machine["States"]["How far behind?"]
    assert look["Arguments"]["Dimensions"] == [{"Name": "FunctionName", "Value": "edgeaggregator"}]
    assert look["Arguments"]["StartTime"] == "{% $run.instant %}"
    told = {"states": {"result": {"Datapoints": ages}}}
    assert [evaluated(look["Assign"][name], told) for name in ("lag", "lag_now")] == [since, now]


def test_the_emulator_measures_no_lag(local: Deployment, local_cloud: None) -> None:
    look = definition(local)["States"]["How far behind?"]
    told: dict[str, Any] = {"states": {"result": {"Datapoints": []}}}
    assert [evaluated(look["Assign"][name], told) for name in ("lag", "lag_now")] == [0, 0]


@pytest.mark.parametrize(
    ("items", "vcpus", "ends"),
    [
        # As many as cost no more than fewer.
        (0, 16, True),
        (100_000_000, 16, True),
        # 369 µs each: ten workers of four processors do 383 million in an hour but a minute, the eleventh drives.
        (383_739_837, 44, True),
        (383_739_838, 48, True),
        # What is left of the stage's 64 does 1,112 million until a job must end.
        (1_112_195_121, 64, True),
        (1_112_195_122, 64, False),
    ],
)
def test_a_job_is_as_large_as_its_table_and_none_begins_that_can_not_end(
    machine: Machine, local_cloud: None, items: int, vcpus: int, ends: bool
) -> None:
    size, choice = machine["States"]["How large?"], machine["States"]["Can it end?"]
    assert size["Arguments"] == {"TableName": "table"}
    answer = {"states": {"result": {"Table": {"ItemCount": items}}}}
    assert evaluated(size["Assign"]["items"], answer) == items
    assert evaluated(size["Assign"]["vcpus"], answer) == vcpus
    (too_large,) = choice["Choices"]
    for kind in ("reconcile", "fill"):
        variables = {"items": items, "run": {"kind": kind}}
        assert evaluated(too_large["Condition"], variables) == (not ends and kind == "reconcile")


def test_a_check_that_can_not_end_says_what_to_set(machine: Machine, local_cloud: None) -> None:
    told = machine["States"]["Too large"]
    assert told["Next"] == "Failed"
    assert evaluated(told["Assign"]["error"]["Cause"], {"items": 2_000_000_000}) == (
        "a check of 2000000000 items can not end with 64 processors: set vcpus = 216 in [batch]"
    )


def test_a_plan_is_applied_in_its_order_by_the_function_that_repairs(machine: Machine) -> None:
    repair = machine["States"]["Repair"]
    assert repair["MaxConcurrency"] == 1
    apply = repair["ItemProcessor"]["States"]["Apply"]["Arguments"]
    assert apply == {"FunctionName": "batchrepair", "Payload": {"run": "{% $run.run %}", "part": "{% $states.input %}"}}


def test_on_the_emulator_somebody_is_asked_to_do_the_job_and_all_else_is_the_same(
    machine: Machine, local: Deployment
) -> None:
    emulated = definition(local)["States"]
    assert emulated["Job"]["Resource"] == ASKED
    assert machine["States"]["Job"]["Resource"] == STARTED
    assert machine["States"].keys() - emulated.keys() == {"Bill", *SIZED, "Too large"}
    seconds = emulated["Exports"]["ItemProcessor"]["States"]["Look again"]
    seconds["Seconds"] = 60
    # Where nothing is measured, nothing is late: above.
    emulated["How far behind?"]["Assign"] = machine["States"]["How far behind?"]["Assign"]
    # Nor is a job sized that has one process.
    emulated["Begin"]["Next"] = machine["States"]["Begin"]["Next"]
    for name in emulated.keys() - {"Job"}:
        assert emulated[name] == machine["States"][name], name


def test_whatever_fails_gives_the_lock_back(machine: Machine) -> None:
    """But for what tells the cost only, and for the beginning: there is no lock yet, or it is another run's."""
    for name, state in machine["States"].items():
        if state["Type"] in ("Task", "Map"):
            then = {each["Next"] for each in state.get("Catch", ())}
            assert then == {"Begin": {"Fail"}, "Failed": set(), "Bill": {"What is written?"}}.get(name, {"Failed"}), (
                name
            )
            assert all(each["ErrorEquals"] == ["States.ALL"] for each in state.get("Catch", ()))
    assert machine["States"]["Failed"]["Next"] == "Fail"
    assert machine["States"]["Fail"]["Type"] == "Fail"


def test_every_task_ends_and_the_run_too(machine: Machine) -> None:
    for name, state in states(machine):
        if state["Type"] == "Task":
            assert state["TimeoutSeconds"] > 0, name
        if state["Type"] == "Map":
            assert state["Catch"], name
    assert machine["TimeoutSeconds"] == RUN_SECONDS


def test_the_lock_outlasts_every_stretch_until_it_is_renewed(machine: Machine) -> None:
    late = machine["States"]["Exports"]["ItemProcessor"]["States"]["Is it complete?"]["Choices"][2]
    (limit,) = [int(word) for word in late["Condition"].split() if word.isdigit()]
    assert limit / 1000 < LEASE
    tasks = ("Renew for job", "Job", "Bill")
    assert sum(machine["States"][name]["TimeoutSeconds"] for name in tasks) < LEASE
    assert machine["States"]["Job"]["Arguments"]["ExecutionTimeoutMinutes"] * 60 < LEASE


def test_an_export_that_can_not_begin_yet_is_tried_again_and_begins_once(machine: Machine) -> None:
    for name, kind in (("Export table", "full"), ("Export changes", "increment")):
        state = machine["States"][name]
        assert state["Arguments"]["ClientToken"] == f"{{% $run.run & '-{kind}' %}}"
        assert state["Arguments"]["S3Prefix"] == f"{{% $run.{kind}_prefix %}}"
        (again,) = state["Retry"]
        assert again["ErrorEquals"] == ["DynamoDb.InvalidExportTimeException", "DynamoDb.LimitExceededException"]
        # The table's history ends five minutes ago at the latest.
        assert again["IntervalSeconds"] * again["MaxAttempts"] >= 5 * 60
        assert again["BackoffRate"] == 1


def test_the_job_is_told_where_the_manifests_are_and_where_its_results_go(machine: Machine, local_cloud: None) -> None:
    job = machine["States"]["Job"]["Arguments"]
    driver = job["JobDriver"]["SparkSubmit"]
    scripts = {kind: evaluated(driver["EntryPoint"], {"run": {"kind": kind}}) for kind in ("reconcile", "fill")}
    assert all(script.endswith(".py") for script in scripts.values())
    assert scripts["reconcile"] != scripts["fill"]
    prefixes = {f"{name}_prefix": f"runs/R/{name}" for name in ("full", "increment", "result")}
    run = {"run": "R", "kind": "reconcile", "previous_prefix": "", **prefixes}
    asked = {"run": run, "exports": [ARN + "1", ARN + "2"]}
    expected = [
        *("--run", "R", "--bucket", "s3://runs", "--out", "runs/R/result"),
        *("--full", "runs/R/full/AWSDynamoDB/1"),
        *("--increment", "runs/R/increment/AWSDynamoDB/2"),
    ]
    assert evaluated(driver["EntryPointArguments"], asked) == expected
    last = asked | {"run": run | {"previous_prefix": "runs/Q/result"}}
    assert evaluated(driver["EntryPointArguments"], last) == [*expected, "--previous", "runs/Q/result"]
    alone = evaluated(driver["EntryPointArguments"], {"run": run | {"kind": "fill"}, "exports": [ARN + "1"]})
    assert alone[-2:] == ["--full", "runs/R/full/AWSDynamoDB/1"]
    options = evaluated(driver["SparkSubmitParameters"], {"vcpus": 64})
    assert options.startswith("--py-files s3://")
    assert options.endswith(" --conf spark.default.parallelism=192 --conf spark.dynamicAllocation.maxExecutors=15")
    assert job["ExecutionRoleArn"] == "jobrole"
