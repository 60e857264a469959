"""Audits: parts of equipment are audited in several rounds, and each request is sent twice."""

from collections import Counter
from functools import partial
from random import Random

from ops.api import Api, after_version
from ops.recounting.facts import Facts, Name
from ops.recounting.readback import get
from verify.corner import Corner
from verify.facts import Check
from verify.share import Left, Request, Share

PARTS, ROUNDS = 4, 3
RESULTS = ("passed", "failed", "to be repeated")


def share(corner: Corner, rng: Random, _: int) -> Share:
    """Each audit of a part requires the previous audit to be the newest."""
    equipment = corner.id("equipment")
    results = [[rng.choice(RESULTS) for _ in range(PARTS)] for _ in range(ROUNDS)]
    rounds = [
        [_post(equipment, part, version, result) for part, result in enumerate(of_round)]
        for version, of_round in enumerate(results)
    ]
    everything = [result for of_round in results for result in of_round]
    expected: Facts = {Name("EQUIPMENT", (equipment,)): {"audits": len(everything), **Counter(everything)}}
    return Share(
        name="audits",
        rounds=rounds,
        checks=[Check(expected, partial(_read, equipment=equipment))],
        recounts=list(expected),
        left=[Left("audits", len(everything), f"EQUIPMENT#{corner.name}…")],
    )


def _post(equipment: str, part: int, version: int, result: str) -> Request:
    body = {"auditor": "verify", "part": f"part {part}", "result": result}
    return Request("POST", ("equipment", equipment, "audits"), body, times=2, headers=after_version(version))


def _read(api: Api, equipment: str) -> Facts:
    found = get(api, "equipment", equipment)
    if not found or not found["summary"]:
        return {}
    return {Name("EQUIPMENT", (equipment,)): {"audits": found["summary"]["audits"], **found["summary"]["results"]}}
