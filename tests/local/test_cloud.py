import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from local import cloud
from local.processes import alive, answers, free_port


def test_a_cloud_serves_while_the_block_runs_and_leaves_nothing_behind() -> None:
    with cloud.running(free_port()) as running:
        pid = running.pid()
        assert pid is not None
        assert running.client("sts").get_caller_identity()["Account"] == cloud.ACCOUNT
    assert not answers(running.url)
    assert not alive(pid)
    assert not running.home.exists()


def test_a_cloud_started_again_is_empty() -> None:
    with cloud.running(free_port()) as first:
        first.client("sqs").create_queue(QueueName="left-over")
        second = cloud.start(first.port)
        assert not second.client("sqs").list_queues().get("QueueUrls")


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
    env = cloud.Cloud(4599).env()
    assert "AWS_PROFILE" not in env
    assert "AWS_ENDPOINT_URL_DYNAMODB" not in env
    assert env["AWS_ENDPOINT_URL"] == "http://localhost:4599"
    assert env["PATH"]
