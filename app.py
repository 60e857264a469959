"""The CDK application: context in, stacks out. Makes no AWS call and needs no account to synthesize."""

import sys

from aws_cdk import App

from infra.settings import InfraSettings, InvalidContextError
from infra.stacks import build_stacks

app = App()
try:
    settings = InfraSettings.from_context(app.node)
except InvalidContextError as error:
    sys.exit(str(error))
build_stacks(app, settings)
app.synth()
