import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from local import cloud
from local.users import create_users, token
from ops import local_cloud
from ops.local_cloud import Outputs
from ops.passwords import DEMO_USERS
from ops.processes import alive, answers, free_port, wait_until


@pytest.mark.usefixtures("local_cloud")
def test_a_cloud_serves_while_the_block_runs_and_leaves_nothing_behind() -> None:
    with cloud.running(free_port()) as running:
        pid = running.pid()
        assert pid is not None
        assert running.client("sts").get_caller_identity()["Account"] == local_cloud.ACCOUNT
    assert not answers(running.url)
    assert not alive(pid)
    assert not running.home.exists()


@pytest.mark.usefixtures("local_cloud")
def test_a_cloud_started_again_is_empty() -> None:
    with cloud.running(free_port()) as first:
        first.client("sqs").create_queue(QueueName="left-over")
        second = cloud.start(first.port)
        assert not second.client("sqs").list_queues().get("QueueUrls")


@pytest.mark.usefixtures("local_cloud")
def test_what_runs_beside_a_cloud_ends_with_it() -> None:
    with cloud.running(free_port()) as running:
        command = [sys.executable, "-X", f"cloud={running.home}", "-c", "input()"]
        beside = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
        (running.home / "console.pid").write_text(str(beside.pid))
        # A process has no command line yet in its very first moment.
        wait_until(lambda: beside.pid in running.pids(), 60, "the process beside the cloud")
    assert not alive(beside.pid)


def test_every_cloud_has_a_port_for_its_console() -> None:
    assert local_cloud.Cloud(4566).console_url == "http://localhost:5566"
    assert local_cloud.Cloud(65_000).console_url == "http://localhost:64000"


def test_a_port_that_another_program_uses_is_named() -> None:
    other = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    try:
        with pytest.raises(cloud.PortTakenError, match=rf"port {other.server_port} .* EDGEWISE_PORT"):
            cloud.start(other.server_port)
    finally:
        other.shutdown()
        other.server_close()


def test_children_get_the_local_cloud_and_nothing_of_the_users_own_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AWS_PROFILE", "real-account")
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", "https://elsewhere")
    env = local_cloud.Cloud(4599).env()
    assert "AWS_PROFILE" not in env
    assert "AWS_ENDPOINT_URL_DYNAMODB" not in env
    assert env["AWS_ENDPOINT_URL"] == "http://localhost:4599"
    assert env["PATH"]


@pytest.mark.usefixtures("local_cloud")
def test_its_private_keys_stay_in_its_folder_and_go_with_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also where the user's environment says otherwise, and without openssl or any other program but rm."""
    (tmp_path / "rm").symlink_to(str(shutil.which("rm")))
    elsewhere = tmp_path / "elsewhere"
    monkeypatch.setenv("STATE_DIR", str(elsewhere))
    monkeypatch.setenv("PATH", str(tmp_path))
    with cloud.running(free_port()) as running:
        users = running.client("cognito-idp")
        pool = users.create_user_pool(PoolName="people")["UserPool"]["Id"]
        client = users.create_user_pool_client(
            UserPoolId=pool, ClientName="app", ExplicitAuthFlows=["ALLOW_ADMIN_USER_PASSWORD_AUTH"]
        )["UserPoolClient"]["ClientId"]
        outputs = Outputs({"UserPoolId": pool, "UserPoolClientId": client}, running.url, "")
        for group in filter(None, DEMO_USERS.values()):
            users.create_group(UserPoolId=pool, GroupName=group)
        create_users(running, outputs)
        assert token(running, outputs, "guest").count(".") == 2
        assert list(running.home.glob("**/*.pem"))
    assert not elsewhere.exists()
    assert not running.home.exists()


@pytest.mark.usefixtures("local_cloud")
def test_a_number_that_another_cloud_has_by_now_is_not_taken_for_its_own() -> None:
    with cloud.running(free_port()) as other:
        left = local_cloud.Cloud(free_port())
        left.home.mkdir()
        left.pid_file.write_text(str(other.pid()))
        assert left.pid() is None
        assert not cloud.stop(left)
        assert answers(other.url)
