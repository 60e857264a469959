"""The real `cdk bootstrap`, `deploy` and `destroy`, in an environment that points them at the local cloud.

The stage is `local` by default; other stages get its settings (stages/local.toml).
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from local import assemblies, cdk
from local.stream import running
from ops.local_cloud import ACCOUNT, REGION, STAGE, Cloud, Outputs, outputs
from ops.paths import ROOT

STAGES = ROOT / "stages"


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
def synthesis(cloud: Cloud, stage: str = STAGE, stages: Path = STAGES) -> Iterator[Callable[[], None]]:
    """Begin to synthesize the stacks of a stage and to bundle the functions, unless this was done of the same sources.

    Gives what waits for the end; raises CdkError. `stages`: the folder of the stage's file.
    """
    like, nobody = "" if stage == STAGE else STAGE, assemblies.NOBODY
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


def synthesize(cloud: Cloud, stage: str = STAGE, stages: Path = STAGES) -> None:
    """Synthesize the stacks of a stage, and wait for the end; raises CdkError."""
    with synthesis(cloud, stage, stages) as finish:
        finish()


def publish(cloud: Cloud, stage: str = STAGE) -> Outputs:
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


def _assembly(cloud: Cloud, stage: str) -> Path:
    return cloud.home / f"cdk.out-{stage}"
