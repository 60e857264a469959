"""Fields that requests for the next revision share."""

from typing import Annotated

from pydantic import Field

from functions.revisions.versions import MAX_VERSION

ExpectedVersion = Annotated[
    Annotated[int, Field(ge=0, lt=MAX_VERSION, strict=True)] | None,
    Field(description="store only if this is the newest version (0: there is none yet); saves a read"),
]
