"""What is told before a deployment that the account would fail, or that would leave nothing to its users."""

from dataclasses import replace
from typing import Any

import pytest

from infra.console.settings import ConsoleSettings
from infra.preflight import Account, Problem, needed, of_python, problems
from infra.settings import InfraSettings
from ops.settings import settings_of

ROLE = "arn:aws:iam::111122223333:role/logs"
USUAL, NEW = Account("eu-central-1", 1000, ROLE), Account("eu-central-1", 10, ROLE)
DEV, PUSHED = InfraSettings("dev"), InfraSettings("dev", push=True)
# As stages/prod.toml: 2,000 requests a second.
PROD = InfraSettings(
    "prod",
    production=True,
    account="111122223333",
    region="eu-central-1",
    alarms="all",
    request_rate=2000,
    pages=("on-call@edgewise.dev",),
    tickets=("on-call@edgewise.dev",),
    budget=500,
)
REQUEST = (
    "aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384"
    " --desired-value 1000 --region eu-central-1"
)


def asked(settings: InfraSettings, severity: str, *targets: str) -> InfraSettings:
    given: dict[str, Any] = {severity: targets}
    return replace(settings, **given)


def found(settings: InfraSettings, account: Account) -> list[Problem]:
    return list(problems(settings, account))


def test_what_a_usual_account_allows_is_deployed() -> None:
    assert [found(each, USUAL) for each in (DEV, PUSHED, PROD)] == [[], [], []]


def test_a_stage_needs_an_invocation_for_each_reader_of_each_shard_and_for_its_queues_and_some_for_the_api() -> None:
    """Two readers of four shards; two batches of each queue; 20 or 2,000 requests a second that take 0.25 seconds."""
    assert (needed(DEV), needed(PUSHED), needed(PROD)) == (8 + 2 + 5, 8 + 4 + 5, 8 + 2 + 500)


def test_a_new_account_refuses_production_and_warns_a_developer() -> None:
    for settings, refused in ((DEV, False), (PROD, True)):
        (problem,) = found(settings, NEW)
        assert problem.fatal == refused
        assert problem.text.startswith("10 invocations may run at once in eu-central-1: the stage may need ")
        assert problem.text.endswith(f"Ask for more: {REQUEST}")


@pytest.mark.parametrize(("concurrency", "refused"), [(107, True), (108, False)])
def test_what_is_reserved_leaves_a_hundred_as_aws_demands(concurrency: int, refused: bool) -> None:
    """Else CloudFormation fails, also on a developer's stage."""
    reserving = InfraSettings("dev", reader_concurrency=4)
    assert [each.fatal for each in found(reserving, Account("eu-central-1", concurrency, ROLE))] == [True] * refused


def test_push_needs_a_role_with_which_api_gateway_logs() -> None:
    unset = Account("eu-central-1", 1000, None)
    (problem,) = found(PUSHED, unset)
    assert problem.fatal
    assert problem.text.endswith("make bootstrap")
    assert found(DEV, unset) == []


@pytest.mark.parametrize(
    ("address", "reaches"),
    [
        ("operators@example.com", False),
        ("operators@eu.EXAMPLE.org.", False),
        ("on@call.example", False),
        ("a@b.invalid", False),
        ("a@localhost", False),
        ("a@counterexample.com", True),
        ("a@example.com.au", True),
        ("a@test.dev", True),
        ("https://pager.example.com/alarms", False),
        ("https://pager.edgewise.dev/alarms@example.com", True),
        ("secret:example.com", True),
        ("slack:T0AB1/C2CD3", True),
    ],
)
def test_alarms_of_production_reach_somebody(address: str, reaches: bool) -> None:
    """These domains nobody has: RFC 2606 and RFC 6761."""
    for severity in ("pages", "tickets"):
        told = found(asked(PROD, severity, "on-call@edgewise.dev", address), USUAL)
        assert [(each.text, each.fatal) for each in told] == (
            [] if reaches else [(f"{severity}: {address} is an address that reaches nobody", True)]
        )
        developer = found(asked(DEV, severity, address), USUAL)
        assert [each.fatal for each in developer] == [False] * (not reaches)


def test_the_file_of_production_is_refused_until_somebody_enters_an_address() -> None:
    shipped = settings_of("prod", "")
    assert [each.fatal for each in found(shipped, USUAL)] == [True, True]


@pytest.mark.parametrize(
    ("console", "distributions", "warned"), [(True, 0, True), (True, 1, False), (False, None, False)]
)
def test_a_new_account_is_told_that_cloudfront_may_refuse_it(
    console: bool, distributions: int | None, warned: bool
) -> None:
    """Nothing says whether AWS has verified an account, but that it has a distribution."""
    for settings in (DEV, PROD):
        asked = replace(settings, console=ConsoleSettings() if console else None)
        told = found(asked, replace(USUAL, distributions=distributions))
        assert [each.fatal for each in told] == [False] * warned
        assert all("deploy without [console], and add it later" in each.text for each in told)


@pytest.mark.parametrize(("python", "refused"), [("3.13", False), ("3.11", True), ("3.14", True)])
def test_all_stages_are_deployed_by_one_python(python: str, refused: bool) -> None:
    told = list(of_python(python))
    assert [each.fatal for each in told] == [True] * refused
    assert all("PYTHON=python3.13 make deploy" in each.text for each in told)


@pytest.mark.parametrize(
    ("asked", "declared", "takes", "refused"),
    [
        (8000, None, 4000, False),
        (8000, "8000", 8000, False),
        # It has grown since: nothing is asked of AWS.
        (8000, "8000", 9000, False),
        (8000, None, 9000, True),
        (8000, "9000", 9000, True),
        (None, "9000", 9000, False),
    ],
)
def test_what_the_table_takes_at_once_is_never_lowered(
    asked: int | None, declared: str | None, takes: int, refused: bool
) -> None:
    outputs = {
        "table": {"TableName": "edgewise-dev-table-A1"} | ({"WarmWriteUnitsPerSecond": declared} if declared else {})
    }
    account = replace(USUAL, warm={"WriteUnitsPerSecond": takes, "ReadUnitsPerSecond": 12000}, outputs=outputs)
    told = found(replace(DEV, warm_write_units=asked), account)
    assert [each.fatal for each in told] == [True] * refused
    way_out = "takes 9000 at once already, which AWS never lowers. Take the line out, or ask for more"
    assert all(each.text == f"warm_write_units = 8000: the table, or an index, {way_out}" for each in told)


STREAM = (
    "arn:aws:dynamodb:eu-central-1:111122223333:table/edgewise-prod-20261123T054100Z/stream/2026-11-23T06:02:07.123"
)


@pytest.mark.parametrize(
    ("restored", "used", "refused"),
    [
        (STREAM, "edgewise-prod-table-A1", True),
        (STREAM, "edgewise-prod-20261101T000000Z", True),
        (STREAM, "edgewise-prod-20261123T054100Z", False),
        (None, "edgewise-prod-20261123T054100Z", True),
        (None, "edgewise-prod-table-A1", False),
        (STREAM, None, False),
        (None, None, False),
    ],
)
def test_another_table_is_attached_at_once_or_not_at_all(restored: str | None, used: str | None, refused: bool) -> None:
    """The way there fails callers, who are halted: that rings, and would move the API back to the old table."""
    settings, there = (
        replace(PROD, restored=restored),
        replace(USUAL, outputs={"table": {"TableName": used}} if used else {}),
    )
    told = found(settings, there)
    assert [each.fatal for each in told] == [True] * refused
    assert all('releases = "at once"' in each.text for each in told)
    assert found(replace(settings, releases="at once"), there) == []


@pytest.mark.parametrize(
    ("rings", "refused"), [("edgewise-prod-release-failing", True), ("edgewise-prod-api-burning", False)]
)
def test_what_mends_a_failing_release_is_deployed_at_once(rings: str, refused: bool) -> None:
    """CodeDeploy would stop it after five minutes, and CloudFormation take the whole API back."""
    there = replace(USUAL, ringing=(rings,))
    told = found(PROD, there)
    assert [each.fatal for each in told] == [True] * refused
    assert all('releases = "at once"' in each.text for each in told)
    assert found(replace(PROD, releases="at once"), there) == found(DEV, there) == []


@pytest.mark.parametrize(
    ("search", "index", "refused"),
    [
        ("embedded", "s3://bucket", False),
        ("opensearch", "https://domain", False),
        ("opensearch", "s3://bucket", True),
        ("embedded", "https://domain", True),
        (None, "s3://bucket", False),
        ("embedded", None, False),
    ],
)
def test_another_engine_of_search_takes_two_deployments(search: Any, index: str | None, refused: bool) -> None:
    """The index of each is another kind of resource, by the same name."""
    there = replace(USUAL, outputs={"search": {"SearchIndex": index}} if index else {})
    told = found(replace(DEV, search=search), there)
    assert [each.text.startswith("deploy once without search") for each in told] == [True] * refused
