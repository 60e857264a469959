"""The CDK application: context in, stacks out. Makes no AWS call and needs no account to synthesize."""

from aws_cdk import App

from infra.settings import InfraSettings
from infra.stacks import build_stacks

app = App()
build_stacks(app, InfraSettings.from_context(app.node))
app.synth()
