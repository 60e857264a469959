"""Reads and validates the file of a stage, stages/STAGE.toml."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from constructs import Node
from pydantic import TypeAdapter, ValidationError

from infra.settings import NAME, NAME_LENGTH, InfraSettings

STAGES: Final = Path(__file__).resolve().parents[1] / "stages"
SETTINGS: Final = TypeAdapter(InfraSettings)


class InvalidStageError(ValueError):
    """A stage with an invalid name or setting; the message says where, what and why."""


def of_context(node: Node, folder: Path = STAGES) -> InfraSettings:
    """The settings of the stage that the CDK context names: those of its file, or the defaults.

    `-c like=OTHER`: a stage without a file takes the settings of OTHER's. `-c protected=no`: production may be deleted,
    as it must be if its first deployment fails. `-c console=ORIGIN`: where the console is served, instead of where the
    file says: the local cloud's is on a port beside its own. `-c emulator_url=URL`: where the local cloud is. Raises
    InvalidStageError.
    """
    settings, protected = _of_file(node, folder), str(node.try_get_context("protected") or "yes")
    if protected not in ("yes", "no"):
        raise InvalidStageError(f"PROTECTED={protected}: expected yes or no")
    console = node.try_get_context("console")
    origins = (console,) if console else settings.console_origins
    url = node.try_get_context("emulator_url") or settings.emulator_url
    protected_still = settings.protected and protected == "yes"
    return replace(settings, protected=protected_still, console_origins=origins, emulator_url=url)


def _of_file(node: Node, folder: Path) -> InfraSettings:
    stage, like = (str(node.try_get_context(name) or "") for name in ("stage", "like"))
    if not re.fullmatch(NAME, stage) or len(stage) > NAME_LENGTH:
        rule = f"a stage's name has at most {NAME_LENGTH} lowercase letters, digits and single hyphens"
        raise InvalidStageError(f"STAGE={stage}: {rule}; it begins with a letter and does not end with a hyphen")
    own, other = folder / f"{stage}.toml", folder / f"{like}.toml"
    if not like:
        return _own(stage, own)
    if own.exists():
        raise InvalidStageError(f"stage {stage} has a file of its own, so it can't be like {like}")
    if not other.exists():
        raise InvalidStageError(f"stage {stage} can't be like {like}: there is no file stages/{like}.toml")
    settings = _checked(stage, f"stages/{other.name}", _read(other))
    if settings.production:
        raise InvalidStageError(f"stage {stage} can't be like {like}, which is production: give it a file of its own")
    return settings


def _own(stage: str, path: Path) -> InfraSettings:
    if path.exists():
        return _checked(stage, f"stages/{path.name}", _read(path))
    if stage.startswith("prod"):
        # With the defaults, a deployed production would lose its protection.
        raise InvalidStageError(f"stage {stage}: there is no file stages/{path.name} that says what it is")
    return _checked(stage, f"STAGE={stage}", {})


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text())
    except ValueError as error:
        raise InvalidStageError(f"stages/{path.name}: {error}") from error


def _checked(stage: str, where: str, given: dict[str, Any]) -> InfraSettings:
    if "stage" in given:
        raise InvalidStageError(f"{where}: stage: its name is that of the file")
    try:
        return SETTINGS.validate_python({"stage": stage} | given)
    except ValidationError as error:
        found = (": ".join(filter(None, (_name(each["loc"]), each["msg"]))) for each in error.errors())
        raise InvalidStageError(f"{where}: {'; '.join(found)}") from error


def _name(path: tuple[int | str, ...]) -> str:
    """A setting as a file spells it: `batch.hour`; of a list it is the list. Empty if it is the whole file."""
    return ".".join(part for part in path if isinstance(part, str))
