"""The jobs' code: the scripts that Spark starts, and an archive of what they import, of this project and of others."""

import shutil
from pathlib import Path
from typing import Final

from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_s3_assets import Asset
from constructs import Construct

from infra.assets import bundled
from infra.bundle import ROOT, dependencies, digest_of, layer_digest
from infra.modules import files_of
from infra.settings import InfraSettings

# By kind of run.
SCRIPTS: Final = {"reconcile": ROOT / "batch" / "spark.py", "fill": ROOT / "batch" / "graph" / "job.py"}
# The scripts, and the catalog, which is imported by its name (batch.reconcile.Declared).
MODULES: Final = ("batch.spark", "batch.graph.job", "functions.catalog")
# What the functions' modules import of botocore, and with it. All of it is plain Python, so an archive can hold it. Its
# descriptions of AWS are left out: the job makes no client.
PACKAGES: Final = ("botocore", "dateutil", "jmespath", "six.py", "urllib3")
_LEFT_OUT: Final = shutil.ignore_patterns("__pycache__", "data")


class JobCode(Construct):
    """All of it as assets."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        super().__init__(scope, construct_id)
        platform = settings.wheel_platform
        digest = digest_of(_modules()) + layer_digest(platform)
        self.scripts = {kind: Asset(self, kind, path=str(path)) for kind, path in SCRIPTS.items()}
        self.archive = Asset(self, "archive", **bundled(digest, lambda target: write_archive(target, platform)))

    def readable(self) -> PolicyStatement:
        """The right to read these objects."""
        objects = (*self.scripts.values(), self.archive)
        names = [f"arn:aws:s3:::{each.s3_bucket_name}/{each.s3_object_key}" for each in objects]
        return PolicyStatement(actions=["s3:GetObject"], resources=names)


def write_archive(target: Path, wheel_platform: str | None) -> None:
    """Put the modules and the packages into the folder `target`. Raises SyntaxError."""
    for path in _modules():
        copy = target / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    installed = dependencies(wheel_platform)
    for name in PACKAGES:
        if (installed / name).is_dir():
            shutil.copytree(installed / name, target / name, ignore=_LEFT_OUT)
        else:
            shutil.copyfile(installed / name, target / name)


def _modules() -> list[Path]:
    """The files of the modules and of all that they may import."""
    return sorted({path for module in MODULES for path in files_of(module, ROOT)})
