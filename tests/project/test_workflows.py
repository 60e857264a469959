"""What runs on GitHub: every action is one commit, a token can do no more than its job needs, no key lives for long."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
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
    assert {name: found[name]["needs"] for name in ("dev", "prod")} == {"dev": "check", "prod": "dev"}


def test_production_waits_until_the_same_commit_is_exact_on_the_other_stage() -> None:
    *_, deploy, verify = jobs("deploy-stage")["deploy"]["steps"]
    assert deploy["run"].startswith('make deploy STAGE="$STAGE"')
    assert verify == {"if": "inputs.verify", "run": 'make verify ON="$STAGE"'}
    assert {name: jobs("deploy")[name]["with"].get("verify", False) for name in ("dev", "prod")} == {
        "dev": True,
        "prod": False,
    }


def test_the_checks_are_those_of_a_developer() -> None:
    assert ".ci/run" in {step.get("run") for step in jobs("checks")["all"]["steps"]}
    assert (ROOT / ".ci" / "run").read_text().splitlines()[-1] == "make check"
