"""The vaults of copies: made where they are missing, in both regions, and asked for before a deployment."""

from collections.abc import Iterator

import pytest
from moto import mock_aws

from infra.backup.settings import BackupSettings
from infra.settings import InfraSettings
from ops import preflight, vaults
from ops.account import own_client

ELSEWHERE = BackupSettings(region="eu-west-1")
SETTINGS = InfraSettings("dev", account="111122223333", region="eu-central-1", backup=ELSEWHERE)


@pytest.fixture(autouse=True)
def aws(aws_env: pytest.MonkeyPatch) -> Iterator[None]:
    with mock_aws(config={"iam": {"load_aws_managed_policies": True}}):
        yield


def test_they_are_missing_until_somebody_makes_them_and_made_once() -> None:
    client = own_client(SETTINGS)
    assert vaults.missing(client, SETTINGS) == ("eu-central-1", "eu-west-1")
    client("backup", region_name="eu-west-1").create_backup_vault(BackupVaultName="edgewise-dev")
    assert vaults.missing(client, SETTINGS) == ("eu-central-1",)
    for _ in range(2):
        assert vaults.ensure(client, SETTINGS) == ["eu-central-1", "eu-west-1"]
    assert vaults.missing(client, SETTINGS) == ()


def test_bootstrap_makes_them_and_says_where() -> None:
    assert preflight.bootstrap(SETTINGS).endswith("copies have the vault edgewise-dev in eu-central-1 and eu-west-1")
    assert vaults.missing(own_client(SETTINGS), SETTINGS) == ()


def test_a_stage_without_copies_has_none() -> None:
    without = InfraSettings("dev", account="111122223333", region="eu-central-1")
    assert vaults.ensure(own_client(without), without) == []
    assert vaults.missing(own_client(without), without) == ()
    assert own_client(without)("backup").list_backup_vaults()["BackupVaultList"] == []
