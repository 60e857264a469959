"""What runs on GitHub: every action is one commit, a token can do no more than its job needs, no key lives for long."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from infra.bundle import DEPLOYED, PYTHONS

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
WORKFLOWS = {path.stem: path.read_text() for path in (ROOT / ".github" / "workflows").glob("*.yml")}
each_workflow = pytest.mark.parametrize("name", sorted(WORKFLOWS))
READ, READ_AND_ASSUME_A_ROLE = {"contents": "read"}, {"contents": "read", "id-token": "write"}


def jobs(name: str) -> dict[str, Any]:
    parsed: dict[str, Any] = yaml.safe_load(WORKFLOWS[name])["jobs"]
    return parsed


@pytest.mark.usefixtures("check_packages")
def test_the_audit_that_make_lint_runs_finds_nothing() -> None:
    audit = [
        str(Path(sys.executable).with_name("zizmor")),
        "--offline",
        "--strict-collection",
        "--no-progress",
        ".github",
    ]
    done = subprocess.run(audit, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@each_workflow
def test_each_action_is_a_commit_and_says_its_version(name: str) -> None:
    for used in re.findall(r"uses: (.+)", WORKFLOWS[name]):
        assert re.fullmatch(r"\./\.github/workflows/[a-z-]+\.yml|[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", used)


@each_workflow
def test_a_token_can_do_nothing_but_what_its_job_needs(name: str) -> None:
    assert yaml.safe_load(WORKFLOWS[name])["permissions"] == {}
    for job in jobs(name).values():
        assumes_a_role = "configure-aws-credentials" in str(job) or "deploy-stage.yml" in job.get("uses", "")
        assert job["permissions"] == (READ_AND_ASSUME_A_ROLE if assumes_a_role else READ)


@each_workflow
def test_no_secret_is_stored(name: str) -> None:
    assert "secrets" not in WORKFLOWS[name]


@each_workflow
def test_who_assumes_a_role_has_an_environment_which_the_role_can_trust(name: str) -> None:
    for job in jobs(name).values():
        if "configure-aws-credentials" in str(job):
            assert job["environment"]


def test_production_waits_for_the_checks_and_for_the_other_stage() -> None:
    found = jobs("deploy")
    assert found["check"]["uses"] == "./.github/workflows/checks.yml"
    assert {name: found[name]["needs"] for name in ("dev", "year", "prod")} == {
        "dev": "check",
        "year": "check",
        "prod": ["dev", "year"],
    }
    assert found["year"]["steps"][-1] == {"run": "make year"}


def test_production_waits_until_the_same_commit_is_exact_on_the_other_stage() -> None:
    *_, deploy, verify = jobs("deploy-stage")["deploy"]["steps"]
    assert deploy["run"].startswith('make deploy STAGE="$STAGE"')
    assert verify == {"if": "inputs.verify", "run": 'make verify ON="$STAGE"'}
    assert {name: jobs("deploy")[name]["with"].get("verify", False) for name in ("dev", "prod")} == {
        "dev": True,
        "prod": False,
    }


def python_of(job: dict[str, Any]) -> tuple[str, str]:
    """The Python that a job installs, and the one that make is told to take."""
    (installed,) = (step["with"]["python-version"] for step in job["steps"] if "setup-python" in step.get("uses", ""))
    return installed, job["env"]["PYTHON"]


def test_checks_run_on_each_python_that_functions_can_be_bundled_for() -> None:
    job = jobs("checks")["tests"]
    assert python_of(job) == ("${{ matrix.python }}", "python${{ matrix.python }}")
    assert tuple(job["strategy"]["matrix"]["python"]) == PYTHONS


def test_each_room_is_tested_by_one_job() -> None:
    """`.`: the tests that are in no folder."""
    matrix = jobs("checks")["tests"]["strategy"]["matrix"]
    rooms = " ".join([*matrix["rooms"], *(each["rooms"] for each in matrix["include"])]).split()
    assert sorted(rooms) == sorted({each.relative_to(TESTS).parts[0] for each in TESTS.rglob("*/test_*.py")} | {"."})


def test_no_job_of_the_checks_takes_long() -> None:
    assert {job["timeout-minutes"] for job in jobs("checks").values()} == {8}


def test_the_night_runs_everything_and_its_result_is_a_badge() -> None:
    assert "make night" in {step.get("run") for step in jobs("night")["night"]["steps"]}
    assert "actions/workflows/night.yml/badge.svg" in (ROOT / "README.md").read_text()


def test_what_is_deployed_was_checked_and_is_what_the_diff_shows() -> None:
    deployed, shown = (python_of(jobs(name)[job]) for name, job in (("deploy-stage", "deploy"), ("diff", "diff")))
    assert deployed == shown
    version, command = deployed
    assert version == DEPLOYED
    assert command == f"python{version}"


def test_who_installs_the_project_and_who_locks_it_mean_the_same_pythons() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    oldest, newest = (tuple(map(int, version.split("."))) for version in (PYTHONS[0], PYTHONS[-1]))
    assert project["project"]["requires-python"] == f">={PYTHONS[0]},<{newest[0]}.{newest[1] + 1}"
    # What is new in a later Python would break the oldest, which a developer may not have.
    assert project["tool"]["mypy"]["python_version"] == PYTHONS[0]
    assert project["tool"]["ruff"]["target-version"] == f"py{oldest[0]}{oldest[1]}"
    makefile = (ROOT / "Makefile").read_text()
    assert f"--python-version {PYTHONS[0]} --universal" in makefile
    assert f"not {oldest} <= sys.version_info[:2] <= {newest}" in makefile


def test_the_checks_are_those_of_a_developer() -> None:
    commands = [step.get("run") for job in jobs("checks").values() for step in job["steps"]]
    assert {'make test ROOMS="$ROOMS"', "make lint"} <= set(commands)
    assert (ROOT / ".ci" / "run").read_text().splitlines()[-2:] == ["make style", "make -j2 types test"]


def test_before_a_commit_runs_what_people_run() -> None:
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert [hook["entry"] for hook in repository["hooks"]] == ["make style"]
