"""The stacks of one deployment, and their dependencies."""

from aws_cdk import App, Validations
from cdk_nag import AwsSolutionsChecks

from infra.api import ApiStack
from infra.cascade import CascadeStack
from infra.edge_stream import EdgeStreamStack
from infra.settings import InfraSettings
from infra.table import TableStack


def build_stacks(app: App, settings: InfraSettings) -> None:
    """Add all stacks to the app, and the rules that they must pass before anyone can deploy them."""
    table = TableStack(app, "table", settings)
    EdgeStreamStack(app, "edge-stream", settings, table)
    CascadeStack(app, "cascade", settings, table)
    ApiStack(app, "api", settings, table)
    if settings.tls_only:
        Validations.of(app).add_plugins(AwsSolutionsChecks(app))
