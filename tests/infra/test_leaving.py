"""A stage gives up what it may lack, or gets it, without a deployment that CloudFormation refuses.

CloudFormation updates one stack after the other. It refuses to remove an export that another stack imports then, and to
import what no stack exports.
"""

import itertools
import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from infra.preflight import OPTIONAL, Account, problems
from infra.settings import InfraSettings, SearchEngine
from tests.infra.conftest import CHECKED, CONSOLE, THINGS, TOLD, Deployment

ORDER = ("table", "edge_stream", "cascade", "push", "search", "outlet", "api", "batch", "iot")
Made = Callable[..., Deployment]
Templates = Mapping[str, str]


@pytest.fixture(scope="module")
def stage(deployment: Made) -> Callable[[frozenset[str]], Templates]:
    """The templates of a stage that has these of what is optional, as texts by the parts of their stacks' names."""

    def made(parts: frozenset[str], search: SearchEngine = "embedded") -> Templates:
        asked = {part: WANTED[part] for part in parts} | ({"search": search} if "search" in parts else {})
        found = deployment("dev", origins=CONSOLE, **asked)
        return {part: json.dumps(template.to_json()) for part in ORDER if (template := getattr(found, part))}

    return made


def exports(template: str) -> set[str]:
    return set(re.findall(r'"Export": {"Name": "([^"]+)"}', template))


def imports(template: str) -> set[str]:
    return set(re.findall(r'"Fn::ImportValue": "([^"]+)"', template))


def refusals(before: Templates, steps: Iterable[tuple[str, str | None]]) -> list[str]:
    """What CloudFormation refuses of these steps: a stack gets another template, or (None) is deleted."""
    there, found = dict(before), list[str]()
    for part, template in steps:
        others = {name: text for name, text in there.items() if name != part}
        used = set[str]().union(*map(imports, others.values()))
        told = set[str]().union(*map(exports, others.values()))
        gone = exports(there.get(part, "")) - exports(template or "")
        found += [f"{part}: {name} is in use" for name in gone & used]
        found += [f"{part}: there is no {name}" for name in imports(template or "") - told]
        there = others | ({part: template} if template else {})
    return found


WANTED: Mapping[str, Any] = {"push": True, "search": "embedded", "batch": CHECKED, "iot": THINGS, "outlet": TOLD}
# Those on which the readers depend, in all ways; the others alone, and with all.
TIED = ("push", "search", "batch")
SETS = [
    *(frozenset(some) for size in range(len(TIED) + 1) for some in itertools.combinations(TIED, size)),
    *(frozenset([part]) for part in OPTIONAL if part not in TIED),
    frozenset(OPTIONAL),
]


@pytest.mark.parametrize("before", SETS, ids=lambda parts: "+".join(sorted(parts)) or "none")
@pytest.mark.parametrize("after", SETS, ids=lambda parts: "+".join(sorted(parts)) or "none")
def test_each_part_can_be_turned_on_and_off(
    stage: Callable[[frozenset[str]], Templates], before: frozenset[str], after: frozenset[str]
) -> None:
    """As local/leaving.py does it: the API first, which imports of them, then they go, then everything is deployed."""
    old, new = stage(before), stage(after)
    leaving = [part for part in OPTIONAL if part in before - after]
    steps: list[tuple[str, str | None]] = [("api", new["api"])] if leaving else []
    steps += [(part, None) for part in leaving]
    steps += [(part, new[part]) for part in ORDER if part in new]
    if leaving and after - before:
        deployed = Account("us-east-1", 1000, "role", outputs={part: {} for part in ("table", *before)})
        asked = InfraSettings("dev", **{part: WANTED[part] for part in after})
        assert [each.text for each in problems(asked, deployed) if each.fatal and "deploy once without" in each.text]
    else:
        assert refusals(old, steps) == []


def test_all_at_once_would_be_refused(stage: Callable[[frozenset[str]], Templates]) -> None:
    """The reader of the stream loses the queue whose name another stack, which is not deployed any more, imports."""
    for part in ("push", "search"):
        old, new = stage(frozenset({part})), stage(frozenset())
        assert refusals(old, [(each, new[each]) for each in ORDER if each in new])
