"""The context is parsed once, and refused when it makes no sense."""

import pytest

from infra.settings import InfraSettings, InvalidContextError
from tests.infra.conftest import new_app


@pytest.mark.parametrize("stage", ["dev", "prod", "local"])
def test_known_stages(stage: str) -> None:
    assert InfraSettings.from_context(new_app(stage).node).stage == stage


@pytest.mark.parametrize("freshness", [1, "1", "10"])
def test_freshness_as_the_command_line_and_cdk_json_give_it(freshness: object) -> None:
    app = new_app("dev", freshness=freshness)
    assert InfraSettings.from_context(app.node).freshness == int(str(freshness))


@pytest.mark.parametrize("freshness", ["0", "11", "-1", "1.5", "", "soon"])
def test_other_freshness_is_refused_with_what_is_allowed(freshness: str) -> None:
    with pytest.raises(InvalidContextError, match=f"context freshness='{freshness}': expected one of 1, 2, .* 9, 10"):
        InfraSettings.from_context(new_app("dev", freshness=freshness).node)


@pytest.mark.parametrize("stage", ["", "Prod", "staging"])
def test_other_stages_are_refused_with_what_is_allowed(stage: str) -> None:
    with pytest.raises(InvalidContextError, match=f"context stage='{stage}': expected one of dev, prod, local"):
        InfraSettings.from_context(new_app(stage).node)
