"""Places: entities get a place, move to another one, and lose their place."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from random import Random

from functions.web.spelling import spell
from ops.api import Api
from ops.recounting.facts import Facts, Name
from ops.recounting.readback import pages
from verify.corner import Corner
from verify.facts import Check
from verify.share import Request, Share

Path = tuple[str, ...]
KINDS = ("EQUIPMENT", "BILL")
Homes = Mapping[tuple[str, str], Path]


def share(corner: Corner, rng: Random, events: int) -> Share:
    """Each entity gets a place; a third of them move, and a sixth lose their place."""
    root = corner.id("home")
    paths = [(root, f"street {street}", f"house {house}") for street in range(2) for house in range(3)]
    entities = [(rng.choice(KINDS), corner.id("entity", number)) for number in range(max(12, events // 50))]
    before = {entity: rng.choice(paths) for entity in entities}
    moved = {entity: (root, "street 9") for entity in rng.sample(entities, len(entities) // 3)}
    gone = rng.sample(sorted(before.keys() - moved.keys()), len(entities) // 6)
    after = {entity: path for entity, path in {**before, **moved}.items() if entity not in gone}
    changes = [*(_put(*each) for each in moved.items()), *map(_delete, gone)]
    return Share(
        name="places",
        rounds=[[_put(*each) for each in before.items()], changes, changes],
        checks=[Check(_expected(after), partial(_read, path=(root,)))],
        recounts=[Name("PLACE", ((root,),)), Name("PLACE", ((root, "street 9"),))],
        removal=[_delete(entity) for entity in after],
    )


def _put(entity: tuple[str, str], path: Path) -> Request:
    return Request("PUT", ("places", "entities", *entity), {"path": list(path)})


def _delete(entity: tuple[str, str]) -> Request:
    return Request("DELETE", ("places", "entities", *entity))


def _expected(homes: Homes) -> Facts:
    facts: Facts = {}
    for path in {home[: end + 1] for home in homes.values() for end in range(len(home))}:
        below = [kind for (kind, _), home in homes.items() if home[: len(path)] == path]
        facts[Name("PLACE", (path,))] = dict(Counter(below))
    return facts


def _read(api: Api, path: Path) -> Facts:
    return dict(_walk(api, path))


def _walk(api: Api, path: Path) -> Iterator[tuple[Name, Mapping[str, object]]]:
    for page in pages(api, "places", path="/".join(map(spell, path))):
        if page["summary"]:
            yield Name("PLACE", (path,)), page["summary"]["entities"]
        for child in page["places"]:
            yield from _walk(api, (*path, child["name"]))
