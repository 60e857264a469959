"""The bundles as CDK's assets: one code asset for each function, one layer of dependencies for each stack."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

import jsii
from aws_cdk import BundlingOptions, DockerImage, ILocalBundling, Stack
from aws_cdk.aws_lambda import AssetCode, Code, LayerVersion, Runtime
from constructs import Construct

from infra.bundle import (
    REQUIREMENTS,
    ROOT,
    SEARCH_REQUIREMENTS,
    SOURCE,
    code_digest,
    layer_digest,
    python_version,
    write_code,
    write_layer,
)
from infra.settings import InfraSettings


def runtime() -> Runtime:
    """Lambda's runtime of every function. Raises WrongPythonError."""
    return cast(Runtime, getattr(Runtime, f"PYTHON_{python_version().replace('.', '_')}"))


def function_code(name: str) -> AssetCode:
    """The modules of this project that the function `name` may import, bundled on demand. Raises WrongPythonError."""
    return Code.from_asset(**bundled(code_digest(name), partial(write_code, name)))


def dependencies(scope: Construct, settings: InfraSettings) -> LayerVersion:
    """The stack's layer. Each stack has its own: CloudFormation can't replace a layer that other stacks import."""
    return _layer(scope, "dependencies", REQUIREMENTS, settings)


def search_engine(scope: Construct, settings: InfraSettings) -> LayerVersion:
    """The stack's layer with the search engine, which few functions need."""
    return _layer(scope, "search-engine", SEARCH_REQUIREMENTS, settings)


def _layer(scope: Construct, name: str, requirements: Path, settings: InfraSettings) -> LayerVersion:
    stack, platform = Stack.of(scope), settings.wheel_platform
    if made := stack.node.try_find_child(name):
        return cast(LayerVersion, made)
    digest = layer_digest(platform, requirements)
    return LayerVersion(
        stack,
        name,
        description=f"what {requirements.relative_to(ROOT)} pins",
        code=Code.from_asset(**bundled(digest, lambda target: write_layer(target, platform, requirements))),
        compatible_runtimes=[runtime()],
        compatible_architectures=[settings.architecture],
    )


def bundled(digest: str, write: Callable[[Path], None]) -> dict[str, Any]:
    """What makes an asset with this digest, which is written on demand. Raises WrongPythonError."""
    return {
        # Has no effect, as the digest is given and the bundle is written without this path; but it must exist.
        "path": str(SOURCE),
        "asset_hash": digest,
        "bundling": BundlingOptions(
            # CDK requires an image, but never pulls it, because local bundling always succeeds or raises.
            image=DockerImage.from_registry("unused"),
            local=_LocalBundling(write),
        ),
    }


@jsii.implements(ILocalBundling)
class _LocalBundling:
    def __init__(self, write: Callable[[Path], None]) -> None:
        self._write = write

    def try_bundle(self, output_dir: str, *_options: Any, **_named: Any) -> bool:
        self._write(Path(output_dir))
        return True
