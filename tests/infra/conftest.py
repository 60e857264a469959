"""Each stage is synthesized once per session, without an account and without bundling."""

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk.assertions import Template

from functions.catalog import module_of
from infra import stages
from infra.backup.settings import BackupSettings
from infra.batch.settings import BatchSettings
from infra.bundle import BREAKABLE
from infra.console.settings import ConsoleSettings
from infra.functions import FUNCTIONS
from infra.iot.settings import IotSettings
from infra.settings import SearchEngine
from infra.stacks import build_stacks

CHECKED = BatchSettings(interval_hours=8, hour=21, vcpus=64)
COPIED = BackupSettings("eu-west-1", interval_hours=6)
TOLD = ("order", "invoice")
THINGS = IotSettings(sparkplug=("temp", "Inputs/A"))
CONSOLE = ("https://console.example.com", "http://localhost:5566")
CDK_JSON = Path(__file__).parents[2] / "cdk.json"
Resources = dict[str, Mapping[str, Any]]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests here run in one process: another would synthesize each stage once more."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.xdist_group("infra"))


def new_app(stage: str, outdir: str | None = None, **context: object) -> App:
    """The app as `cdk synth -c stage=STAGE` would start it, but no asset is bundled; `context`: what else `-c` says."""
    defaults = json.loads(CDK_JSON.read_text())["context"]
    return App(context=defaults | {"stage": stage, "aws:cdk:bundling-stacks": []} | context, outdir=outdir)


@dataclass(frozen=True)
class Deployment:
    """One stage's app, and its templates by the last part of the stack's name."""

    app: App
    table: Template
    api: Template
    edge_stream: Template
    cascade: Template
    batch: Template | None = None
    push: Template | None = None
    search: Template | None = None
    iot: Template | None = None
    outlet: Template | None = None

    @property
    def templates(self) -> tuple[Template, ...]:
        optional = (each for each in (self.batch, self.push, self.search, self.iot, self.outlet) if each)
        return self.table, self.api, self.edge_stream, self.cascade, *optional

    def resources(self, kind: str) -> Resources:
        """All resources of one type, of all stacks, by logical id."""
        return self._by_type[kind]

    @cached_property
    def _by_type(self) -> Mapping[str, Resources]:
        """Read once: each question to a template crosses into Node, and there are thousands."""
        found = defaultdict[str, Resources](dict)
        for template in self.templates:
            for key, value in template.to_json()["Resources"].items():
                found[value["Type"]][key] = value
        return found

    def functions(self) -> Resources:
        """The properties of every function of this project by its name; others are CDK's, for deployments only."""
        found = (one["Properties"] for one in self.resources("AWS::Lambda::Function").values())
        runs = [*((name, name) for name in FUNCTIONS), *BREAKABLE.items()]
        name_of = {f"{module_of(module)}.handler": name for name, module in runs}
        return {name_of[one["Handler"]]: one for one in found if one["Handler"] != "index.handler"}


@pytest.fixture(scope="session")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Deployment]:
    @cache
    def synthesize(
        stage: str,
        batch: BatchSettings | None = None,
        origins: tuple[str, ...] = (),
        console: ConsoleSettings | None = None,
        push: bool = False,
        search: SearchEngine | None = None,
        faults: bool = False,
        iot: IotSettings | None = None,
        outlet: tuple[str, ...] = (),
        backup: BackupSettings | None = None,
    ) -> Deployment:
        app = new_app(stage, outdir=str(tmp_path_factory.mktemp(stage)))
        own = stages.of_context(app.node)
        settings = replace(own, batch=batch or own.batch, push=push or own.push, search=search or own.search)
        settings = replace(
            settings, console_origins=origins, console=console, faults=faults or own.faults, iot=iot, outlet=outlet
        )
        settings = replace(settings, backup=backup or own.backup)
        build_stacks(app, settings)

        def template(name: str) -> Template:
            stack = app.node.find_child(f"edgewise-{stage}-{name}")
            assert isinstance(stack, Stack)
            return Template.from_stack(stack)

        optional = {
            name: template(name) for name in ("batch", "push", "search", "iot", "outlet") if getattr(settings, name)
        }
        return Deployment(app, *map(template, ("table", "api", "edge-stream", "cascade")), **optional)

    return synthesize


@pytest.fixture(scope="session")
def dev(deployment: Callable[..., Deployment]) -> Deployment:
    return deployment("dev")


@pytest.fixture(scope="session")
def prod(deployment: Callable[..., Deployment]) -> Deployment:
    return deployment("prod")


@pytest.fixture(scope="session")
def checked(deployment: Callable[..., Deployment]) -> Deployment:
    """Production with all that is optional: checks of its table, copies, a console, push, search, things, an outlet."""
    return deployment(
        "prod", CHECKED, CONSOLE, ConsoleSettings(), True, "embedded", iot=THINGS, outlet=TOLD, backup=COPIED
    )


@pytest.fixture(scope="session")
def local(deployment: Callable[..., Deployment]) -> Deployment:
    return deployment("local")


@pytest.fixture(autouse=True, scope="session")
def no_account() -> Iterator[None]:
    """Synthesis must not need credentials: there are none."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("AWS_", "CDK_DEFAULT_"))]:
            patch.delenv(name)
        yield


@pytest.fixture(scope="session")
def searching(deployment: Callable[..., Deployment]) -> Deployment:
    """A developer's stage with search, and without push."""
    return deployment("dev", search="embedded")


@pytest.fixture(scope="session")
def breakable(deployment: Callable[..., Deployment]) -> Deployment:
    """A developer's stage with faults."""
    return deployment("dev", faults=True)
