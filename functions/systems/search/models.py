"""Parameters and responses of search."""

from typing import Annotated, Literal

from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import BaseModel, Field

from functions.catalog import WATCHED
from functions.web.fields import Line

MOST_FOUND = 1_000
_KINDS = ", ".join(WATCHED.kinds)
_ATTRIBUTES = ", ".join(sorted({name for each in WATCHED.kinds.values() for name in each.attributes}))

Asked = Annotated[
    Line,
    Query(
        description="words, which all must be found; a phrase in quotes; a word that ends in `*` is the beginning of "
        "one, as is the last. A word of four letters or more may have one wrong"
    ),
]
Kinds = Annotated[Line | None, Query(description=f"only things of these kinds, separated by commas: {_KINDS}")]
Where = Annotated[
    Line | None,
    Query(
        description="only things with these attributes, such as `room:seattle,user:amy`; there are "
        f"{_ATTRIBUTES}. A `,` or `:` in a value is written `~2C` or `~3A`"
    ),
]
SearchOrder = Annotated[Literal["relevance", "time"], Query(description="the best or the newest first")]
SearchLimit = Annotated[int, Query(ge=1, le=100, description="the maximum number of things")]


class MarkOut(BaseModel):
    """A word that was asked for: from which character of a text on, and before which."""

    start: int
    end: int


class ExcerptOut(BaseModel):
    """A part of a text, and where it has the words that were asked for."""

    text: str
    marks: list[MarkOut]


class FoundOut(BaseModel):
    """A thing as the table holds it now. `kind` and `id` name it; `id` has the parts that its path in the API has."""

    kind: Annotated[str, Field(json_schema_extra={"enum": sorted(WATCHED.kinds)})]
    id: list[str]
    title: ExcerptOut
    excerpt: ExcerptOut
    at: str | None
    attributes: dict[str, str]


class SearchOut(BaseModel):
    """One page of what was found, and how many of each kind there are in all.

    What the caller may not read any more is in no number, unless `at_most` is true: then all of them may be too high.
    That is so while more than a hundred things were withdrawn and the index lags, or the index can't be read anew.
    `attributes`: how many have which value, the most frequent ones; of those that all kinds asked for have.
    """

    found: list[FoundOut]
    total: Annotated[int, Field(ge=0)]
    at_most: bool
    kinds: dict[str, int]
    attributes: dict[str, dict[str, int]]
    cursor: str | None


class RebuildOut(BaseModel):
    """The generation of the index that is being filled; it serves once it is full."""

    generation: str
