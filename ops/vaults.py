"""The vaults of the copies of a stage's table: in its region, and in that where it is copied to. No stack owns them."""

from contextlib import suppress

from infra.settings import InfraSettings
from ops.account import Client


def ensure(client: Client, settings: InfraSettings) -> list[str]:
    """Make those that are missing; returns the regions of all. Raises botocore's errors.

    `client`: of the stage's region, or of the one that `region_name` says.
    """
    regions = _regions(client, settings)
    for region in regions:
        backup = client("backup", region_name=region)
        with suppress(backup.exceptions.AlreadyExistsException):
            backup.create_backup_vault(BackupVaultName=settings.prefix, BackupVaultTags=dict(settings.all_tags))
    return regions


def missing(client: Client, settings: InfraSettings) -> tuple[str, ...]:
    """The regions in which there is none yet; raises botocore's errors."""
    return tuple(region for region in _regions(client, settings) if settings.prefix not in _names(client, region))


def _regions(client: Client, settings: InfraSettings) -> list[str]:
    if settings.backup is None:
        return []
    return [client("backup").meta.region_name, settings.backup.region]


def _names(client: Client, region: str) -> set[str]:
    pages = client("backup", region_name=region).get_paginator("list_backup_vaults").paginate()
    return {vault["BackupVaultName"] for page in pages for vault in page["BackupVaultList"]}
