"""A short year of production, on templates; `make year` walks the whole one."""

from collections.abc import Callable
from dataclasses import fields

import pytest

from infra.settings import InfraSettings
from tests.infra.year import __main__ as command
from tests.infra.year.building import Built, build
from tests.infra.year.switches import NOT_SWITCHED, SWITCHES
from tests.infra.year.walk import DEV, PROD, Step, Year

pytestmark = pytest.mark.usefixtures("check_packages")


def test_a_short_year_is_not_refused() -> None:
    steps = list(Year(PROD).short())
    assert [step for step in steps if step.refused] == []
    assert [step.done for step in steps][-1] == "make destroy"


def test_each_setting_is_switched_or_it_is_said_why_not() -> None:
    assert {each.name for each in fields(InfraSettings)} == SWITCHES.keys() | NOT_SWITCHED.keys()
    assert SWITCHES.keys().isdisjoint(NOT_SWITCHED)


def renaming(part: str, key: str) -> Callable[[InfraSettings], Built]:
    """A release that calls its stage's resources of a type otherwise, once it is deployed."""
    built = list[Built]()

    def build_renamed(settings: InfraSettings) -> Built:
        made = built[0] if built else build(settings)
        built.append(made)
        if len(built) == 1:
            return made
        name = f"{settings.prefix}-{part}"
        resources = made.templates[name]["Resources"]
        renamed = {f"{each}2" if resources[each]["Type"] == key else each: resources[each] for each in resources}
        return Built({**made.templates, name: {**made.templates[name], "Resources": renamed}}, made.protected)

    return build_renamed


@pytest.mark.parametrize(
    ("part", "kind"), [("edge-stream", "AWS::Lambda::EventSourceMapping"), ("table", "AWS::DynamoDB::GlobalTable")]
)
def test_a_release_that_can_not_be_deployed_is_told(part: str, kind: str) -> None:
    """Of which the table would be another one, and the mapping a second of the same stream."""
    year = Year(DEV, renaming(part, kind))
    (step,) = year.beginning()
    assert step.refused == []
    year.release = 1
    (step,) = year.beginning()
    assert step.refused


@pytest.mark.parametrize("refused", [[], ["edgewise-dev-table: no"]])
def test_the_command_fails_if_anything_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], refused: list[str]
) -> None:
    monkeypatch.setattr(Year, "walk", lambda _: iter([Step("a deployment", refused)]))
    assert bool(command.main()) == bool(refused)
    printed = capsys.readouterr().out
    assert all(f"        {each}\n" in printed for each in refused)
