"""`make sam` where it can write nothing."""

import json
from pathlib import Path

import pytest

from ops.processes import free_port
from ops.sam import KEPT, Deployed, SamError, template
from tests.support.commands import outcome

LAYER = "AWS::Lambda::LayerVersion"


def test_without_templates_it_says_how_to_make_them(tmp_path: Path) -> None:
    with pytest.raises(SamError, match="make synth"):
        template(tmp_path, {})


def test_layers_that_none_of_the_functions_has_are_left_out(tmp_path: Path) -> None:
    """CDK's own functions upload the console with layers of their own, and one of these waits for the upload."""
    path = {"aws:cdk:path": "edgewise-dev-api/chat/Resource"}
    properties = dict.fromkeys(KEPT, "") | {"Layers": [{"Ref": "dependencies"}]}
    stack = {
        "dependencies": {"Type": LAYER, "Properties": {"Content": "ours"}},
        "uploading": {"Type": LAYER, "DependsOn": ["uploaded"]},
        "uploaded": {"Type": "Custom::CDKBucketDeployment"},
        "chat": {"Type": "AWS::Lambda::Function", "Properties": properties, "Metadata": path},
    }
    artifact = {"type": "aws:cloudformation:stack", "properties": {"templateFile": "api.json"}}
    (tmp_path / "manifest.json").write_text(json.dumps({"artifacts": {"api": artifact}}))
    (tmp_path / "api.json").write_text(json.dumps({"Resources": stack}))
    found = template(tmp_path, {"chat": Deployed("role", {})})["Resources"]
    assert found.keys() == {"dependencies", "chat"}
    assert found["dependencies"] == stack["dependencies"]


@pytest.mark.parametrize(
    ("on", "said"),
    [("local", "the local cloud is not running: make run"), ("Q/A", "ON=Q/A: expected local, or the name of a stage")],
)
def test_where_nothing_is_deployed_it_says_so(on: str, said: str) -> None:
    status, printed = outcome("ops.sam", on, port=free_port())
    assert status == 1
    assert printed.startswith(said)
