"""The documented commands, one after the other as somebody types them: `make run`, what to try on it, `make stop`."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import requests

from infra.bundle import SEARCHING
from local.drain import drain
from ops import passwords
from ops.local_cloud import DEFAULT_PORT, Cloud
from ops.processes import free_port
from tests.docs.aws_commands import commands as aws_commands
from tests.docs.exchanges import Half, follow
from tests.local.bad_release import BadRelease, runbook_steps
from tests.support import commands
from tests.support.commands import ROOT
from tests.support.http import Answer
from tests.support.sam import resolve

# One process runs them all, in their order: they share one local cloud.
pytestmark = pytest.mark.xdist_group("commands")
made = partial(commands.made, port=free_port())
PORT = made.keywords["port"]


@pytest.fixture(scope="module")
def run(local_cloud: None) -> Iterator[str]:
    """What `make run` prints. What it has started is stopped at the end."""
    yield made("run", SAMPLE="few")
    assert made("stop") == "stopped\n"
    assert Cloud(PORT).pid() is None


@pytest.fixture(scope="module")
def shell(run: str) -> dict[str, str]:
    """The variables of somebody who tries what the pages say."""
    (api,) = re.findall(r"^API=(.*)$", run, re.MULTILINE)
    token = made("token", NAME="sensor").strip()
    return {**os.environ, "EDGEWISE_PORT": str(PORT), "API": api, "TOKEN": token}


def answers(script: str, env: dict[str, str]) -> list[Any]:
    """What the requests of a script come back with; none may be refused."""
    sent = re.sub(r"\bcurl ", "curl --silent --show-error --fail -w '\\\\n' ", script)
    done = subprocess.run(["bash", "-euc", sent], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def requests_of(page: str) -> str:
    """The requests to the API on a page, of the cloud on the usual port and its address."""
    text = (ROOT / page).read_text().replace(Cloud(DEFAULT_PORT).api_url, Cloud(PORT).api_url)
    return "\n".join(re.findall(r"^    (?:API=|curl ).*(?:\n      .*)*", text, re.MULTILINE))


def test_it_is_exact(run: str) -> None:
    assert re.search(r"^exact: all [\d,]+ aggregates equal the recount from the input files$", run, re.MULTILINE)


def test_what_it_prints_to_try_works(run: str, shell: dict[str, str]) -> None:
    room, rooms, rollups, place, accepted = answers(run[run.index("API=") :], shell)
    assert room["messages"] > 0
    assert rooms["rooms"]
    assert rollups["rollups"]
    assert place["summary"]["devices"] == 2
    assert accepted == {"accepted": 1, "rejected": []}


def test_the_requests_on_the_pages_are_answered(shell: dict[str, str]) -> None:
    (place,) = answers(requests_of("README.md"), shell | {"API": "http://nowhere"})
    assert place["path"] == ["US", "New York"]
    deploying = requests_of("docs/deploying.md")
    sending, asking = re.split(r"\n(?=    curl )", deploying[deploying.index("    curl") :])
    assert answers(sending, shell) == [{"accepted": 1, "rejected": []}]
    drain(Cloud(PORT))  # "A second or two later", says the page; on a busy machine it is more
    (device,) = answers(asking, shell)
    assert device["device"] == "123"


def test_the_requests_of_the_api_s_page_are_answered_to_the_users_that_it_names(shell: dict[str, str]) -> None:
    tokens = {user: made("token", NAME=user).strip() for user in ("guest", "sensor", "app")}

    def ask(request: Half, address: str) -> Answer:
        method, _, path = address.partition(" ")
        told = {
            "Content-Type": "application/json",
            **request.headers,
            "Authorization": f"Bearer {tokens[request.user]}",
        }
        answer = requests.request(method, shell["API"] + path, headers=told, data=request.body.encode(), timeout=60)
        return Answer(answer.status_code, answer.headers, answer.json(parse_float=Decimal) if answer.content else None)

    follow(ask)


@pytest.mark.usefixtures("run")
def test_users() -> None:
    assert made("user", NAME="visitor", GROUPS="ingest,write").startswith("visitor on local: ingest, write; ")
    assert made("token", NAME="visitor").count(".") == 2
    assert made("revoke", NAME="visitor", GROUPS="write").startswith("visitor on local: no longer in write; ")
    assert made("revoke", NAME="visitor").startswith("visitor on local: disabled; ")
    passwords.kept_in("local", "visitor").unlink()


@pytest.mark.usefixtures("run")
def test_one_handler() -> None:
    said = made("invoke", FN="telemetry", EVENT="tests/events/telemetry_device_http.json")
    assert f"on the local cloud, http://localhost:{PORT}" in said


@pytest.mark.usefixtures("run")
def test_the_sam_cli() -> None:
    assert "cdk.out/sam.template.json" in made("sam")
    for name, function in resolve(ROOT / "cdk.out" / "sam.template.json").items():
        layer, *engine = function["layers"]
        assert (Path(layer) / "python" / "botocore").is_dir()
        assert [(Path(each) / "python" / "tantivy").is_dir() for each in engine] == [True] * (name in SEARCHING)
        assert function["environment"]["AWS_ENDPOINT_URL"].endswith(f":{PORT}")


@pytest.mark.usefixtures("run")
def test_operators() -> None:
    assert json.loads(made("redrive"))["records"] == []
    assert json.loads(made("redrive", DO="recount PLACE US/New%20York"))["equal"]


@pytest.mark.usefixtures("run")
def test_the_table_against_itself() -> None:
    for check in (made("reconcile"), made("reconcile", APPLY="plan"), made("backfill")):
        assert re.search(r"^[\d,]+ aggregates compared, 0 differences$", check, re.MULTILINE)


def test_graph_summaries(shell: dict[str, str]) -> None:
    # Two of them, without an edge, are put by the requests of docs/api.md, if these were sent before.
    assert re.search(r"^10[79] nodes, 163 edges, [35] components in [\d.]+ s$", made("fill"), re.MULTILINE)
    (node,) = answers('curl -H "authorization: Bearer $TOKEN" "$API/graph/nodes/person/amy/aggregates"', shell)
    assert node["summary"]["component"]["nodes"] == 11


@pytest.mark.usefixtures("run")
def test_search_against_the_table() -> None:
    assert re.fullmatch(r"exact: the index says of \d{3,} things what the table holds\n", made("search-check"))


@pytest.mark.night("tests/e2e/test_verify.py")
@pytest.mark.usefixtures("run")
def test_a_proof_of_exactness() -> None:
    assert made("verify", EVENTS="200").splitlines()[-1] == "verify: exact"


@pytest.mark.usefixtures("run")
def test_a_bound_and_the_way_back() -> None:
    for units, writes in (("500", 500), ("", 4000)):
        told = f"at most {writes} write units and 12000 read units a second"
        assert made("bound", WRITE_UNITS=units) == f"edgewise-local, and each of its indexes: {told}\n"
        assert bound_of("edgewise-local") == {"MaxWriteRequestUnits": writes, "MaxReadRequestUnits": 12000}


def bound_of(table: str) -> Any:
    return Cloud(PORT).client("dynamodb").describe_table(TableName=table)["Table"]["OnDemandThroughput"]


@pytest.mark.usefixtures("run")
def test_the_keys_that_are_hot_are_asked_for() -> None:
    """As the page says; the emulator takes it, and names no keys."""
    database = Cloud(PORT).client("dynamodb")
    begin, look = (each for each in aws_commands(ROOT / "docs" / "runbooks.md") if "insights" in each.operation)
    database.update_contributor_insights(**begin.arguments(TABLE="edgewise-local"))
    found = database.describe_contributor_insights(**look.arguments(TABLE="edgewise-local"))
    assert found["ContributorInsightsStatus"] == "ENABLED"


@pytest.mark.usefixtures("run")
def test_a_bad_release_of_the_consumer(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    """The steps of the runbook, after a release that counts each message twice; its rehearsal would have told."""
    drill = BadRelease(Cloud(PORT), tmp_path)
    drill.keep_every_batch()
    drill.post("amy", "bob", "amy")
    assert "rehearsal: as before: this release computes " in made("rehearse", STAGE="local")
    status, said = drill.rehearse_bad()
    assert status == 1, said
    assert "rehearsal:   POSTED_IN PK=" in said

    drill.deploy_bad()
    drill.post("amy", "cat")
    assert drill.messages == 3 + 2 * 2
    for target, told in runbook_steps("A release of the consumer is bad"):
        if target == "deploy":
            assert "this release computes" in made("rehearse", status=1, STAGE="local"), "it is stopped without BEFORE"
            drill.deploy_good(told["BEFORE"])
        else:
            made(target, status=int(target == "reconcile"), **told)  # it finds what it repairs
        drill.after(target)
    assert re.search(r"^[\d,]+ aggregates compared, 0 differences$", made("reconcile"), re.MULTILINE)
    assert drill.messages == drill.posted
    assert "as before" in made("rehearse", STAGE="local", BEFORE=drill.bad_at)
    record_property("seconds after the bad release", drill.times)


@pytest.mark.usefixtures("run")
def test_a_halt_and_a_restored_table() -> None:
    made("pause")
    made("resume")
    made("halt")
    made("resume")
    assert 'restored = "arn:' in made("restore", AT=datetime.now(UTC).isoformat())
    made("resume")


@pytest.mark.usefixtures("run")
def test_a_table_that_was_deleted() -> None:
    """The last test of this cloud. The emulator makes no backup of what is deleted, as DynamoDB does."""
    database = Cloud(PORT).client("dynamodb")
    database.create_backup(TableName="edgewise-local", BackupName="edgewise-local$DeletedTableBackup")
    held = database.scan(TableName="edgewise-local", Select="COUNT")["Count"]
    database.delete_table(TableName="edgewise-local")
    (stream,) = re.findall(r'^restored = "(.*)"$', made("restore", AT="deletion"), re.MULTILINE)
    table = stream.split("/")[1]
    assert bound_of(table) == {"MaxWriteRequestUnits": 4000, "MaxReadRequestUnits": 12000}
    assert database.scan(TableName=table, Select="COUNT")["Count"] == held > 0


def test_the_list_of_commands() -> None:
    listed = made("help")
    assert re.search(r"^infra/: deploy it\n  diff +Show what a deployment would change", listed, re.MULTILINE)
    assert not re.search(r"^ +fill ", listed, re.MULTILINE)


def test_a_bill() -> None:
    assert "USD" in made("cost", EVENTS="10000000", DEVICES="5000")


@pytest.mark.usefixtures("web_installed")
def test_the_console() -> None:
    made("web")
    assert (ROOT / "web" / "dist" / "index.html").exists()


def test_one_mutant() -> None:
    page = (ROOT / "docs" / "exactly-once.md").read_text()
    (words,) = re.findall(r"`(\.venv/bin/python -m pytest .*?)`", page, re.DOTALL)
    done = subprocess.run(["bash", "-c", " ".join(words.split())], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_nothing_is_left_of_what_was_made(tmp_path: Path) -> None:
    """In a folder of its own, or all tests would end here."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in (".venv-cloud", "node_modules", ".local", "cdk.out", "functions"):
        (tmp_path / name).mkdir()
    made("clean", folder=tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"Makefile", "functions"}
