"""The context is parsed once, and refused when it makes no sense."""

import pytest

from infra.settings import InfraSettings, InvalidContextError
from tests.infra.conftest import new_app


@pytest.mark.parametrize("stage", ["dev", "prod", "local"])
def test_known_stages(stage: str) -> None:
    assert InfraSettings.from_context(new_app(stage).node).stage == stage


@pytest.mark.parametrize("stage", ["", "Prod", "staging"])
def test_other_stages_are_refused_with_what_is_allowed(stage: str) -> None:
    with pytest.raises(InvalidContextError, match=f"context stage='{stage}': expected one of dev, prod, local"):
        InfraSettings.from_context(new_app(stage).node)
