"""The stacks of one deployment, and their dependencies."""

from aws_cdk import App, Validations
from cdk_nag import AwsSolutionsChecks

from infra.api import ApiStack
from infra.batch.stack import BatchStack
from infra.cascade import CascadeStack
from infra.customer_key import KeyStack, store_under
from infra.dashboard import StageDashboard
from infra.edge_stream import EdgeStreamStack
from infra.iot.stack import IotStack
from infra.outlet import OutletStack
from infra.push import PushStack
from infra.search import SearchStack
from infra.settings import InfraSettings
from infra.table import TableStack


def build_stacks(app: App, settings: InfraSettings) -> None:
    """Add all stacks to the app, and the rules that they must pass before they can be deployed."""
    own_key = KeyStack(app, "key", settings).key if settings.customer_key else None
    if own_key:
        store_under(app, own_key)
    table = TableStack(app, "table", settings)
    edge_stream = EdgeStreamStack(app, "edge-stream", settings, table)
    cascade = CascadeStack(app, "cascade", settings, table, edge_stream.reader)
    push = PushStack(app, "push", settings, table, cascade.notices) if settings.push and cascade.notices else None
    if push:
        push.add_stack_dependency(cascade)
    search = SearchStack(app, "search", settings, table, cascade.hints) if cascade.hints else None
    if search:
        search.add_stack_dependency(cascade)
    if cascade.events:
        OutletStack(app, "outlet", settings, table, cascade.events).add_stack_dependency(cascade)
    readers = {"consumer": edge_stream.reader, "cascade": cascade.reader}
    api = ApiStack(app, "api", settings, table, readers, push.domain if push else None, search, cascade.events)
    StageDashboard(api, table, edge_stream, cascade)
    # Whoever reads a new type of items is there before whoever writes it.
    cascade.add_stack_dependency(edge_stream)
    api.add_stack_dependency(cascade)
    if settings.iot:
        IotStack(app, "iot", settings, settings.iot, api.telemetry).add_stack_dependency(api)
    if settings.batch:
        batch = BatchStack(app, "batch", settings, settings.batch, table, edge_stream.reader, own_key)
        batch.add_stack_dependency(cascade)
    if settings.tls_only:
        Validations.of(app).add_plugins(AwsSolutionsChecks(app))
