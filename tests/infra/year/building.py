"""The templates of a stage as a release makes them, without an account and without bundling."""

from collections.abc import Mapping
from dataclasses import dataclass
from tempfile import TemporaryDirectory

from aws_cdk import Stack

from infra.settings import InfraSettings
from infra.stacks import build_stacks
from tests.infra.conftest import new_app
from tests.support.cloudformation.deployed import Template


@dataclass(frozen=True)
class Built:
    """Templates by the names of their stacks, in the order of deployment; whether nobody may delete these."""

    templates: Mapping[str, Template]
    protected: bool


def build(settings: InfraSettings) -> Built:
    """What `cdk synth` makes of these settings."""
    with TemporaryDirectory() as outdir:
        app = new_app(settings.stage, outdir)
        build_stacks(app, settings)
        assembly = app.synth()
        # A stack comes after those that it needs: it is made of them.
        names = [each.stack_name for each in app.node.children if isinstance(each, Stack)]
        return Built(
            {name: assembly.get_stack_by_name(name).template for name in names},
            protected=settings.refuses_deletion,
        )
