"""The CDK application: context in, stacks out. It makes no AWS calls and needs no account to synthesize."""

import sys

from aws_cdk import App

from infra.bundle import WrongPythonError
from infra.settings import InfraSettings, InvalidContextError
from infra.stacks import build_stacks

app = App()
try:
    build_stacks(app, InfraSettings.from_context(app.node))
except (InvalidContextError, WrongPythonError) as error:
    sys.exit(str(error))
app.synth()
