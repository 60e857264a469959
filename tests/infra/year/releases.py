"""What ten releases change of what is deployed, one after the other: each has all that those before it have."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from aws_cdk import Duration

from edgewise.dynamodb.schema import INDEXES
from functions.routes import ROUTES
from infra import assets, bundle, edge_stream
from infra.functions import FUNCTIONS, FunctionSpec
from infra.watches import WATCHES

# What the releases before the fourth and the fifth do not have yet.
NEW_INDEX, NEW_SYSTEM = INDEXES[-1].name, "games"
NEWER_PYTHON = "3.14"
LARGER = {"chat": FunctionSpec(2048), "edge_aggregator": FunctionSpec(3008, timeout_s=600)}
WAITS = WATCHES["telemetry-waits"]
TOLD = {"POWERTOOLS_LOG_LEVEL": "WARNING", "POWERTOOLS_METRICS_NAMESPACE": "Edgewise/prod"}


def _code(salt: str) -> Any:
    digest = bundle.code_digest
    return patch.object(assets, "code_digest", lambda name: f"{digest(name)}-{salt}")


def _packages() -> Any:
    digest = bundle.layer_digest
    return patch.object(assets, "layer_digest", lambda *given: f"{digest(*given)}-2")


def _other_threshold() -> Any:
    return patch.dict(WATCHES, {"telemetry-waits": replace(WAITS, rule=replace(WAITS.rule, at_least=900))})


# What each changes, and how; None: what those before it lack.
RELEASES: Sequence[tuple[str, Callable[[], Any] | None]] = (
    ("the code of every function", lambda: _code("1")),
    ("what functions import", _packages),
    ("the memory and the time of two functions", lambda: patch.dict(FUNCTIONS, LARGER)),
    ("a new index", None),
    ("a new system", None),
    ("another Python", lambda: patch.object(assets, "python_version", lambda: NEWER_PYTHON)),
    ("the threshold of an alarm", _other_threshold),
    ("how many records a reader gets at once", lambda: patch("infra.cascade.BATCH", 20)),
    ("how often a function runs", lambda: patch.object(edge_stream, "SWEEPS", Duration.minutes(30))),
    ("the environment of every function", lambda: patch("infra.functions._powertools", lambda *_: TOLD)),
)
LACKING: Mapping[int, Callable[[], Any]] = {
    4: lambda: patch("infra.table.INDEXES", [each for each in INDEXES if each.name != NEW_INDEX]),
    5: lambda: patch("infra.api.ROUTES", {key: ROUTES[key] for key in ROUTES if key != NEW_SYSTEM}),
}


@contextmanager
def checked_out(release: int) -> Iterator[None]:
    """What is synthesized meanwhile is that of a release; 0 is the one before the first."""
    with ExitStack() as stack:
        for _, change in RELEASES[:release]:
            if change:
                stack.enter_context(change())
        for since, lack in LACKING.items():
            if release < since:
                stack.enter_context(lack())
        yield
