"""A stage gives up what it may lack, or gets it, without a deployment that CloudFormation refuses."""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from infra.preflight import OPTIONAL, leaving
from infra.settings import InfraSettings
from tests.infra.conftest import CHECKED, CONSOLE, THINGS, TOLD, Deployment
from tests.infra.year.building import Built
from tests.infra.year.making import REGION, WITHOUT, Making
from tests.support.cloudformation.account import Account

pytestmark = pytest.mark.usefixtures("check_packages")
ORDER = ("table", "edge_stream", "cascade", "push", "search", "outlet", "api", "batch", "iot")
DEV = InfraSettings("dev")
WANTED: Mapping[str, Any] = {"push": True, "search": "embedded", "batch": CHECKED, "iot": THINGS, "outlet": TOLD}
# Those on which the readers depend are turned on and off in all ways; the others alone, and beside all.
TIED = ("push", "search", "batch")
NOTHING, EVERYTHING = frozenset[str](), frozenset(OPTIONAL)
SETS = [frozenset(some) for size in range(len(TIED) + 1) for some in itertools.combinations(TIED, size)]
ALONE = [frozenset([part]) for part in OPTIONAL if part not in TIED]
PAIRS = [
    *itertools.product(SETS, SETS),
    *itertools.permutations([NOTHING, EVERYTHING, *ALONE], 2),
    *((EVERYTHING - part, EVERYTHING) for part in ALONE),
    *((EVERYTHING, EVERYTHING - part) for part in ALONE),
]


def stage(parts: frozenset[str]) -> InfraSettings:
    return replace(DEV, **{part: WANTED[part] for part in parts})


@pytest.fixture
def making(deployment: Callable[..., Deployment]) -> Making:
    """A developer's stage, whose templates are made once for all tests."""

    def build(settings: InfraSettings) -> Built:
        asked = {part: value for part in WANTED if (value := getattr(settings, part))}
        found = deployment("dev", origins=CONSOLE, **asked)
        templates = {f"edgewise-dev-{part.replace('_', '-')}": getattr(found, part) for part in ORDER}
        return Built({name: each.to_json() for name, each in templates.items() if each}, protected=False)

    return Making(Account(), build)


@pytest.mark.parametrize(("before", "after"), PAIRS, ids=lambda parts: "+".join(sorted(parts)) or "none")
def test_each_part_can_be_turned_on_and_off(making: Making, before: frozenset[str], after: frozenset[str]) -> None:
    """At once, or in the two steps that the check before a deployment names."""
    assert making.deploy(stage(before)) == []
    told = [each.text for each in making.announced(stage(after))]
    assert all(each.startswith(WITHOUT) for each in told)
    assert len(told) == bool(before - after and after - before)
    assert making.deploy(stage(after)) == []
    assert leaving(stage(after), _parts(making)) == []


def _parts(making: Making) -> list[str]:
    return [name.removeprefix("edgewise-dev-") for name in making.account.stacks(REGION)]


@pytest.mark.parametrize("part", ["push", "search"])
def test_all_at_once_would_be_refused(making: Making, part: str) -> None:
    """The reader of the stream loses the queue whose name another stack, which is not deployed any more, imports."""
    assert making.deploy(stage(frozenset({part}))) == []
    templates = making.build(DEV).templates.items()
    refused = [why for name, each in templates for why in making.account.update(REGION, name, each)]
    assert refused
    assert all("is in use, and can't be removed" in why for why in refused)
