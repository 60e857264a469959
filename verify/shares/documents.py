"""Documents: one document gets metadata, information and versions; each request is sent twice."""

from functools import partial
from random import Random

from ops.api import Api, after_version
from ops.recounting.facts import Facts, Name
from ops.recounting.readback import get, pages
from verify.corner import Corner
from verify.facts import Check
from verify.share import Left, Request, Share

VERSIONS = 2


def share(corner: Corner, _: Random, __: int) -> Share:
    """The document gets its metadata in the first round, and its versions in the following ones."""
    document = corner.id("document")
    information = ("documents", document, "information", "more")
    described = Request("PUT", ("documents", document, "metadata"), {"title": "verify"}, times=2)
    # The author is the run's own user, who has the corner's name.
    revised: Facts = {Name("DOCUMENT", (document,)): {"versions": VERSIONS, f"by {corner.name}": VERSIONS}}
    # Who gives a document its metadata may read it.
    readable: Facts = {Name("MAY_READ", (corner.name, document)): {"may read": 1}}
    return Share(
        name="documents",
        # One after the other: each of these transactions checks the permissions.
        rounds=[
            [described],
            [_revise(document, 0)],
            [_revise(document, 1)],
            [Request("PUT", information, {"data": {"a": 1}})],
        ],
        checks=[
            Check(revised, partial(_read, document=document)),
            Check(readable, partial(_readable, user=corner.name, document=document)),
        ],
        recounts=[*revised, *readable],
        removal=[Request("DELETE", information)],
        left=[Left("versions of a document", VERSIONS, f"DOCUMENT#{corner.name}…")],
    )


def _revise(document: str, version: int) -> Request:
    path, body = ("documents", document, "versions"), {"content": f"text {version}"}
    return Request("POST", path, body, times=2, headers=after_version(version))


def _read(api: Api, document: str) -> Facts:
    found = get(api, "documents", document)
    if not found:
        return {}
    authors = {f"by {author}": count for author, count in found["summary"]["authors"].items()}
    return {Name("DOCUMENT", (document,)): {"versions": found["summary"]["versions"], **authors}}


def _readable(api: Api, user: str, document: str) -> Facts:
    listed = any(each["document"] == document for page in pages(api, "documents") for each in page["documents"])
    return {Name("MAY_READ", (user, document)): {"may read": 1}} if listed else {}
