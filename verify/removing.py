"""Removes the data of a run, as far as the API can, and reports what is left."""

from collections.abc import Sequence

from ops.api import Api, ApiError
from ops.recounting.readback import NOT_FOUND
from ops.threads import threads
from verify.share import Left, Request, Share


def remove(api: Api, shares: Sequence[Share]) -> None:
    """Remove all data that the API can remove, and skip what does not exist (any more)."""
    with threads() as pool:
        list(pool.map(lambda request: _remove(api, request), [each for share in shares for each in share.removal]))


def left(shares: Sequence[Share]) -> list[Left]:
    """The data that the API can't remove, assuming that all of it was stored."""
    return [each for share in shares for each in share.left]


def _remove(api: Api, request: Request) -> None:
    try:
        api.call(request.method, *request.path)
    except ApiError as error:
        if error.status != NOT_FOUND:
            raise
