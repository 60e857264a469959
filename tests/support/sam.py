"""What the SAM CLI finds in templates, up to where it starts a container."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from ops.paths import ROOT

BIN = ROOT / ".venv-sam" / "bin"
# A shell's variables win over a template's.
ENV = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ} | {"SAM_CLI_TELEMETRY": "0"}
RESOLVE = """
import json, sys
from samcli.commands.local.lib.local_lambda import LocalLambdaRunner
from samcli.lib.providers.sam_function_provider import SamFunctionProvider
from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider

found = {}
for path in sys.argv[1:]:
    provider = SamFunctionProvider(SamLocalStackProvider.get_stacks(path)[0])
    runner = LocalLambdaRunner(None, provider, "/", [])
    for function in provider.get_all():
        assert provider.get(function.function_id).name == function.name
        found[function.function_id] = {
            "handler": function.handler,
            "code": function.codeuri,
            "layers": [layer.codeuri for layer in function.layers],
            "environment": runner._make_env_vars(function).resolve(),
        }
print(json.dumps(found))
"""


def resolve(*templates: Path) -> dict[str, Any]:
    """Give what `sam local invoke` finds in templates, by the name that people give it."""
    subprocess.run(["make", "--silent", ".venv-sam/.ready"], cwd=ROOT, check=True)
    command = [str(BIN / "python"), "-c", RESOLVE, *map(str, templates)]
    done = subprocess.run(command, env=ENV, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found
