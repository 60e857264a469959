"""The CDK application: context in, stacks out. It makes no AWS calls and needs no account to synthesize."""

import sys
from pathlib import Path

from aws_cdk import App

from infra import stages
from infra.bundle import WrongPythonError
from infra.console.build import BuildError
from infra.stacks import build_stacks
from infra.stages import InvalidStageError

app = App()
try:
    folder = Path(app.node.try_get_context("stages") or stages.STAGES)
    build_stacks(app, stages.of_context(app.node, folder))
except (BuildError, InvalidStageError, WrongPythonError) as error:
    sys.exit(str(error))
app.synth()
