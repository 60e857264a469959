"""Every setting of a stage, and other values of it, which it gets one after the other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from pydantic import ValidationError

from infra.backup.settings import BackupSettings
from infra.batch.settings import BatchSettings
from infra.console.settings import ConsoleSettings
from infra.domain import DomainSettings
from infra.iot.settings import IotSettings
from infra.settings import InfraSettings

CERTIFICATE = "arn:aws:acm:us-east-1:111122223333:certificate/0a1b"
# By the name of a setting.
SWITCHES: Mapping[str, Sequence[Any]] = {
    "protected": (False,),
    "request_rate": (50,),
    "request_burst": (80,),
    "write_units": (8_000,),
    "read_units": (16_000,),
    "warm_write_units": (8_000,),
    "warm_read_units": (24_000,),
    "contributor_insights": (True,),
    "rates": ({"admin": 300},),
    "request_units": (2_000,),
    "budget": (900,),
    "queue_concurrency": (4,),
    "reader_concurrency": (8, 16),
    "push": (True,),
    "faults": (True,),
    "search": ("embedded", "opensearch", "embedded"),
    "outlet": (("order", "invoice"), ("order",)),
    "batch": (BatchSettings(), BatchSettings(interval_hours=8, hour=21, vcpus=64)),
    "backup": (BackupSettings(region="eu-west-1"), BackupSettings(region="eu-west-1", interval_hours=1, days=3)),
    "iot": (IotSettings(), IotSettings(("temp", "Inputs/A"))),
    "rehearsed": (500, 1_000),
    "releases": ("at once",),
    "snap_start": (True,),
    "log_days": (365,),
    "alarms": ("all",),
    "traces": ("all",),
    "pages": (("https://pager.edgewise.dev/alarms", "slack:T0AB1/C1"),),
    "tickets": (("secret:edgewise/tickets",),),
    "cors_origins": (("https://app.edgewise.dev",),),
    "customer_key": (True,),
    "domain": (
        DomainSettings("api.edgewise.dev", CERTIFICATE),
        DomainSettings("api.edgewise.dev", CERTIFICATE, alone=True),
    ),
    "console": (ConsoleSettings(), ConsoleSettings(domain="console.edgewise.dev", certificate=CERTIFICATE)),
    "console_origins": (("https://console.edgewise.dev",),),
    "tags": ({"team": "metering"},),
}
# Part of what a stage is, or of another chapter of its year.
NOT_SWITCHED: Mapping[str, str] = {
    "stage": "another stage has another name",
    "production": "a stage begins as production, or is another one",
    "emulator": "it is no stage of AWS",
    "emulator_url": "it is no stage of AWS",
    "account": "another account has another stage",
    "region": "a lost region is a chapter",
    "restored": "a restore is a chapter",
}


def switched(settings: InfraSettings) -> Iterator[tuple[str, InfraSettings]]:
    """The stage with each setting switched, and then as before; those that it can't have are left out."""
    for each in fields(InfraSettings):
        values = SWITCHES.get(each.name, ())
        for value in values:
            try:
                yield f"{each.name} = {_told(value)}", replace(settings, **{each.name: value})
            except ValidationError:
                continue
        if values:
            yield f"{each.name} as before", settings


def everything(settings: InfraSettings) -> InfraSettings:
    """The stage with all that it may have."""
    return replace(
        settings,
        push=True,
        search="embedded",
        outlet=("order",),
        batch=BatchSettings(),
        iot=IotSettings(),
        rehearsed=1_000,
        console=ConsoleSettings(),
    )


def _told(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)
