"""The real `cdk bootstrap`, `deploy` and `destroy`, in an environment that points them at the local cloud.

The stage is `local` by default; other stages get its settings (stages/local.toml).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from local import assemblies, cdk
from local.cloud import ACCOUNT, REGION, Cloud
from local.stream import running
from ops.errors import LocalError
from ops.paths import ROOT


class NotDeployedError(LocalError):
    """Nothing has been deployed, or a deployment did not finish."""


LOCAL = "local"
STAGES = ROOT / "stages"


@dataclass(frozen=True)
class Outputs:
    """The outputs of all stacks by name; the addresses of the API and the socket as every client can resolve them."""

    values: Mapping[str, str]
    api_url: str
    socket_url: str

    def __getitem__(self, name: str) -> str:
        return self.values[name]

    def function(self, name: str) -> str | None:
        """The physical name of a function; None if the function is not deployed."""
        return self.values.get(f"{''.join(map(str.capitalize, name.split('_')))}FunctionName")


def prepare(cloud: Cloud) -> None:
    """Run bootstrap and synth in parallel, because neither needs the other; raises CdkError."""
    with synthesis(cloud) as finish:
        bootstrap(cloud)
        finish()


def bootstrap(cloud: Cloud) -> None:
    """Create the resources that `cdk deploy` needs in an account; raises CdkError."""
    # In a folder without cdk.json; otherwise the command would synthesize our stacks first.
    folder = cloud.home
    template = json.loads(cdk.run(cloud, folder, "bootstrap", "--show-template", "--json"))
    # The policy denies requests without TLS, and the local cloud uses plain http.
    del template["Resources"]["StagingBucketPolicy"]
    path = folder / "bootstrap.json"
    path.write_text(json.dumps(template))
    cdk.run(cloud, folder, "bootstrap", "--template", str(path), f"aws://{ACCOUNT}/{REGION}")


@contextmanager
def synthesis(cloud: Cloud, stage: str = LOCAL, stages: Path = STAGES) -> Iterator[Callable[[], None]]:
    """Begin to synthesize the stacks of a stage and to bundle the functions, unless this was done of the same sources.

    Gives what waits for the end; raises CdkError. `stages`: the folder of the stage's file.
    """
    like, nobody = "" if stage == LOCAL else LOCAL, assemblies.NOBODY
    with assemblies.kept(stage, like, stages) as kept:
        if kept.exists():
            yield lambda: assemblies.copy(kept, _assembly(cloud, stage), cloud)
            return
        told = {
            "stage": stage,
            "like": like,
            "stages": stages,
            "console": nobody.console_url,
            "emulator_url": nobody.url,
        }
        context = [word for name, value in told.items() for word in ("-c", f"{name}={value}")]
        scratch = kept.with_suffix(".unfinished")
        assemblies.begin(scratch)
        with cdk.running(cloud, ROOT, "synth", "--quiet", *context, "--output", str(scratch)) as synth:

            def finish() -> None:
                synth.finish()
                assemblies.keep(scratch, kept)
                assemblies.copy(kept, _assembly(cloud, stage), cloud)

            yield finish


def synthesize(cloud: Cloud, stage: str = LOCAL, stages: Path = STAGES) -> None:
    """Synthesize the stacks of a stage, and wait for the end; raises CdkError."""
    with synthesis(cloud, stage, stages) as finish:
        finish()


def publish(cloud: Cloud, stage: str = LOCAL) -> Outputs:
    """Deploy what was synthesized, let its streams be delivered, and return the outputs.

    Raises CdkError, and what `stream.running.start` raises.
    """
    running.start(cloud)
    options = ["--all", "--require-approval", "never", "--outputs-file", str(cloud.outputs_file(stage))]
    cdk.run(cloud, ROOT, "deploy", "--app", str(_assembly(cloud, stage)), *options)
    return outputs(cloud, stage)


def destroy(cloud: Cloud, stage: str) -> None:
    """Delete a stage that `publish` has deployed; raises CdkError."""
    cdk.run(cloud, ROOT, "destroy", "--app", str(_assembly(cloud, stage)), "--all", "--force")
    cloud.outputs_file(stage).unlink()


def outputs(cloud: Cloud, stage: str = LOCAL) -> Outputs:
    """The outputs of the last deployment; raises NotDeployedError if there was none."""
    if not cloud.outputs_file(stage).exists():
        raise NotDeployedError("nothing is deployed on the local cloud: make run")
    stacks: dict[str, dict[str, str]] = json.loads(cloud.outputs_file(stage).read_text())
    values = {name: value for stack in stacks.values() for name, value in stack.items()}
    # Only curl and browsers resolve the name {id}.execute-api.localhost; every client resolves these addresses.
    api_id, socket_id = (str(urlsplit(values[name]).hostname).partition(".")[0] for name in ("ApiUrl", "SocketUrl"))
    gateway = f"{cloud.url}/_aws/execute-api"
    return Outputs(values, f"{gateway}/{api_id}/$default", f"{gateway}/{socket_id}/live")


def _assembly(cloud: Cloud, stage: str) -> Path:
    return cloud.home / f"cdk.out-{stage}"
