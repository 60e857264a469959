"""What functions keep between invocations, and where their settings come from."""

from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from functions.handlers import edge_aggregator
from functions.secrets import cursor_secret
from functions.settings import NO_BATCH, ConsumerSettings, HttpSettings, MissingSettingsError
from functions.web import runtime
from tests.support.handlers import SECRET
from tests.support.http import Client

pytestmark = pytest.mark.usefixtures("handlers")

make_table = runtime.table  # before the fixtures put a table of their own in its place


def test_settings_come_back_from_their_environment() -> None:
    http, consumer = HttpSettings("T", "arn:secret"), ConsumerSettings("T", "puts", NO_BATCH)
    assert http.to_env() == {"TABLE_NAME": "T", "CURSOR_SECRET_ARN": "arn:secret"}
    assert HttpSettings.from_env(http.to_env()) == http
    assert ConsumerSettings.from_env(consumer.to_env() | {"OTHER": "x"}) == consumer


@pytest.mark.parametrize(
    ("env", "missing"),
    [({}, ["TABLE_NAME", "CURSOR_SECRET_ARN"]), ({"TABLE_NAME": "T", "CURSOR_SECRET_ARN": ""}, ["CURSOR_SECRET_ARN"])],
)
def test_all_missing_settings_are_named_at_once(env: dict[str, str], missing: list[str]) -> None:
    with pytest.raises(MissingSettingsError, match=", ".join(missing)) as error:
        HttpSettings.from_env(env)
    assert error.value.names == missing


def test_the_secret_is_fetched_with_the_first_cursor_only(table: Table) -> None:
    events: list[Any] = [{"device_id": "1", "at": at, "metrics": {}} for at in (0, 1)]
    client = Client(groups=("ingest",))
    client.call("POST /telemetry", body={"events": events})
    client.call("GET /devices/{device}/events", device="1")
    assert cursor_secret.cache_info().misses == 0
    client.call("GET /devices/{device}/events", {"limit": "1"}, device="1")
    client.call("GET /devices/{device}/events", {"limit": "1"}, device="1")
    assert (cursor_secret.cache_info().misses, cursor_secret.cache_info().hits) == (1, 1)


def test_the_secret_is_the_stored_one(cursor_secret_arn: str) -> None:
    assert cursor_secret(cursor_secret_arn) == SECRET.encode()


def test_the_consumer_needs_its_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WRITES")
    with pytest.raises(MissingSettingsError, match="WRITES"):
        edge_aggregator.settings()


def test_requests_of_people_who_wait_are_repeated_once(table: Table) -> None:
    config: Any = make_table.__wrapped__().client.meta.config
    assert config.retries["total_max_attempts"] == 2
