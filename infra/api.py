"""The stack that users and devices call: identity, HTTP API, telemetry queue and their functions."""

from collections.abc import Mapping
from typing import Final

from aws_cdk import CfnOutput
from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_lambda import Function
from constructs import Construct

from functions import rates
from functions.catalog import SERVICE
from functions.routes import ROUTES
from functions.settings import (
    DocumentsSettings,
    OperationsSettings,
    ProofSettings,
    RoutesSettings,
    SearchSettings,
    Settings,
    TelemetrySettings,
)
from functions.systems.documents.system import SYSTEM as DOCUMENTS_SYSTEM
from functions.systems.operations.system import SYSTEM as OPERATIONS_SYSTEM
from functions.systems.proof.system import SYSTEM as PROOF_SYSTEM
from functions.systems.push.system import SYSTEM as PUSH
from functions.systems.search.system import SYSTEM as SEARCH_SYSTEM
from functions.systems.telemetry.system import SYSTEM as TELEMETRY_SYSTEM
from infra.console.console import Console
from infra.functions import make_function
from infra.http import Http
from infra.identity import Identity
from infra.ingest import TelemetryQueue
from infra.metrics import counted
from infra.outlet import EventQueue
from infra.release import Releases
from infra.search import SearchStack
from infra.settings import InfraSettings
from infra.stack import StageStack
from infra.table import TableStack

OPERATIONS: Final = OPERATIONS_SYSTEM.name
PROOF: Final = PROOF_SYSTEM.name
DOCUMENTS: Final = DOCUMENTS_SYSTEM.name
TELEMETRY: Final = TELEMETRY_SYSTEM.name
SEARCH: Final = SEARCH_SYSTEM.name


class ApiStack(StageStack):
    """One function for each system of functions.catalog; one of them shows the lag of the stream's `readers`.

    `socket_domain`: that of the WebSocket API, for the console; None: there is none. `search`: the same of the index.
    `events`: the queue of the outlet.
    """

    def __init__(
        self,
        scope: Construct,
        part: str,
        settings: InfraSettings,
        base: TableStack,
        readers: Mapping[str, Function],
        socket_domain: str | None = None,
        search: SearchStack | None = None,
        events: EventQueue | None = None,
    ) -> None:
        super().__init__(scope, part, settings)
        self._search = search
        optional = {PUSH.name: settings.push, SEARCH: search is not None, PROOF: settings.faults}
        self._settings, self._base, self._readers = settings, base, readers
        self._identity = identity = Identity(self, "identity", settings)
        self.functions = {name: self._function(name) for name in ROUTES if optional.get(name, True)}
        releases = Releases(self, "releases", settings) if settings.has_versions else None
        called = {name: releases.alias(name, each) if releases else each for name, each in self.functions.items()}
        self.http = Http(self, "http", called, identity, settings)
        if releases and (failing := base.alarms.ring(self, "release-failing", {"failed": self.http.failed})):
            releases.watch(failing)
        self.telemetry = telemetry = TelemetryQueue(self, "telemetry-queue", settings, base.alarms, events)
        telemetry.feed(self.functions[TELEMETRY])
        # A stage's rules of IoT import these until they are gone, and CloudFormation keeps what is imported.
        for queue in (telemetry.queue, telemetry.dead):
            for exported in (queue.queue_arn, queue.queue_url):
                self.export_value(exported)
        self._watch_http(self.http)
        CfnOutput(self, "ApiUrl", value=self.http.url)
        CfnOutput(self, "UserPoolId", value=identity.pool.user_pool_id)
        CfnOutput(self, "UserPoolClientId", value=identity.client.user_pool_client_id)
        if identity.sign_in:
            CfnOutput(self, "SignInUrl", value=identity.sign_in.domain.base_url())
            CfnOutput(self, "ConsoleClientId", value=identity.sign_in.client.user_pool_client_id)
            if settings.console:
                Console(self, "console", settings, settings.console, self.http.host, identity.sign_in, socket_domain)
        CfnOutput(self, "TelemetryQueueUrl", value=telemetry.queue.queue_url)

    def _watch_http(self, http: Http) -> None:
        """Raise alarms when callers are failed or kept waiting, faster than is promised, or refused again and again.

        A function that fails, or may not run, is not watched by itself: its callers are answered 5xx.
        """
        alarms, requests = self._base.alarms, http.api.metric_count(statistic="Sum")
        for name in ("api-failing-now", "api-failing-hour", "api-burning"):
            alarms.ring(self, name, http.bad)
        alarms.gather(self, "api-failing")
        refused = {"unauthorized": http.refusals[401], "forbidden": http.refusals[403]}
        alarms.ring(self, "callers-refused", {**refused, "requests": requests})
        alarms.ring(self, "items-left-out", {"items": counted(self._settings, "ItemsLeftOut", SERVICE)})

    def _function(self, name: str) -> Function:
        table = self._base.table
        function = make_function(self, name, table, self._environment(name), self._settings)
        self._base.cursors.allow(function)
        if name == OPERATIONS:
            # These two actions know no resources.
            actions = ["cloudwatch:GetMetricData", "cloudwatch:ListMetrics"]
            function.add_to_role_policy(PolicyStatement(actions=actions, resources=["*"]))
        if name == SEARCH and self._search:
            self._search.index.let_read(function)
            self._search.hints.let_send(function)
        if name == DOCUMENTS:
            pool = self._identity.pool.user_pool_arn
            function.add_to_role_policy(PolicyStatement(actions=["cognito-idp:AdminGetUser"], resources=[pool]))
        return function

    def _environment(self, name: str) -> Settings:
        named = RoutesSettings(
            table_name=self._base.table.table_name,
            cursor_secret_arn=self._base.cursors.arn,
            rates=rates.to_text(self._settings.all_rates),
            request_units=str(self._settings.request_units),
        )
        if name == DOCUMENTS:
            return DocumentsSettings(**vars(named), user_pool_id=self._identity.pool.user_pool_id)
        if name == SEARCH and (search := self._search):
            index = {"search_index": search.index.where, "search_queue_url": search.hints.queue.queue_url}
            return SearchSettings(**vars(named), **index)
        if name == PROOF:
            return ProofSettings(**vars(named), delivery="local" if self._settings.emulator else "lambda")
        if name == TELEMETRY:
            return TelemetrySettings(**vars(named), writes=self._settings.writes)
        if name != OPERATIONS:
            return named
        readers = {reader: function.function_name for reader, function in self._readers.items()}
        return OperationsSettings(
            **vars(named), **readers, powertools_metrics_namespace=self._settings.metrics_namespace
        )
