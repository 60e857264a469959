"""The settings of a stage, for commands that do by hand what a deployment can't."""

from aws_cdk import App

from infra import stages
from infra.settings import InfraSettings
from infra.stages import InvalidStageError
from ops.errors import LocalError


class SettingsError(LocalError):
    """The stage has an invalid name or setting; the message says which."""


def settings_of(stage: str, like: str) -> InfraSettings:
    """What a deployment of the stage would be made of; `like`: as make's LIKE. Raises SettingsError."""
    try:
        return stages.of_context(App(context={"stage": stage, "like": like}).node)
    except InvalidStageError as error:
        raise SettingsError(str(error)) from error
