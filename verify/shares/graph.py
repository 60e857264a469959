"""The graph: edges are stored, get other weights, and are deleted, some of them with a node; walks count nodes.

Hosts say how they are, and change; services that they run count them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from random import Random
from typing import Literal

from ops.api import Api
from ops.recounting.facts import Facts, Name
from ops.recounting.readback import get, pages
from verify.corner import Corner
from verify.facts import Check
from verify.share import Request, Share

NODES, TOP, DEPTH, HOSTS, SHOPPERS = 12, 100, 3, 5, 5
Edges = Mapping[tuple[str, str], Decimal]  # weights, by source and target
State = tuple[str, Decimal]  # and the load
Way = Literal["out", "in"]
WAYS: tuple[Way, ...] = ("out", "in")


def share(corner: Corner, rng: Random, events: int) -> Share:
    """A tenth of the edges change their weights, a tenth are deleted, and the last node is deleted with its edges."""
    kind, label = corner.id("node"), corner.id("knows")
    nodes = [corner.id(number) for number in range(NODES)]
    pairs = [(one, other) for one in nodes for other in nodes if one != other]
    before = {pair: _weight(rng) for pair in rng.sample(pairs, min(len(pairs) - 20, max(60, events // 20)))}
    *kept_nodes, gone = nodes
    kept = [pair for pair in before if gone not in pair]
    reweighted = {pair: _weight(rng) for pair in kept[:: len(kept) // 6]}
    deleted = kept[1 :: len(kept) // 6]
    after = {p: w for p, w in {**before, **reweighted}.items() if p not in deleted and gone not in p}
    put = [Request("PUT", _edge(kind, label, pair), {"weight": float(w)}) for pair, w in before.items()]
    changes = [
        *(Request("PUT", _edge(kind, label, pair), {"weight": float(w)}, times=2) for pair, w in reweighted.items()),
        *(Request("DELETE", _edge(kind, label, pair), times=2) for pair in deleted),
        Request("DELETE", _node(kind, gone)),
    ]
    degrees = [Name("DEGREE", ((kind, node), way, label)) for node in (nodes[0], gone) for way in WAYS]
    hosts, services = [corner.id(number) for number in range(HOSTS)], [corner.id("web"), corner.id("mail")]
    run = {service: hosts[number:] for number, service in enumerate(services)}
    machines = [*(("host", host) for host in hosts), *(("service", service) for service in services)]
    of_kind = [(kind, node) for node in nodes]
    tea, days = ("product", corner.id("tea")), ("2018-08-29", "2018-08-30")
    buying = {(corner.id("shopper"), corner.id(number)): days[number % 2] for number in range(SHOPPERS)}
    runs = [Request("PUT", _run(host, service), {}) for service, by in run.items() for host in by]
    first, last = ({host: _state(rng) for host in hosts} for _ in range(2))
    return Share(
        name="graph",
        rounds=[
            [Request("PUT", _node(*node), {"attributes": []}) for node in [*of_kind, *machines, *buying, tea]],
            [*put, *runs, *_said(first), *(_buys(node, tea, day) for node, day in buying.items())],
            [*changes, *_said(last)],
        ],
        checks=[
            *_checks(kind, label, kept_nodes, after),
            *(_of_hosts(of, by, last) for of, by in run.items()),
            _of_days(tea, Counter(buying.values())),
        ],
        recounts=[*degrees, *map(_adjacent, services), _bought(tea, days[0])],
        removal=[
            Request("DELETE", _node(*node))
            for node in [*((kind, each) for each in kept_nodes), *machines, *buying, tea]
        ],
    )


def _state(rng: Random) -> State:
    return rng.choice(("up", "degraded", "down")), _weight(rng)


def _said(states: Mapping[str, State]) -> list[Request]:
    return [
        Request("PUT", (*_node("host", host), "state"), {"state": name, "measures": {"load": float(load)}}, times=2)
        for host, (name, load) in states.items()
    ]


def _run(host: str, service: str) -> tuple[str, ...]:
    return ("graph", "edges", "host", host, "RUNS", "service", service)


def _adjacent(service: str) -> Name:
    return Name("ADJACENT", (("service", service), "in", "RUNS"))


def _of_hosts(service: str, by: Sequence[str], states: Mapping[str, State]) -> Check:
    """How the hosts of a service are: how many in which state, the sum of their load and its extremes."""
    loads = [states[host][1] for host in by]
    counts = Counter(states[host][0] for host in by)
    expected = {"sum": sum(loads, Decimal(0)), "min": min(loads), "max": max(loads), **counts}
    return Check({_adjacent(service): expected}, partial(_read_adjacent, service=service))


def _read_adjacent(api: Api, service: str) -> Facts:
    found = [each for page in pages(api, *_node("service", service), "aggregates") for each in page["adjacent"]]
    return {
        Name("ADJACENT", (("service", service), each["direction"], each["label"])): {
            **{name: each["measures"]["load"][name] for name in ("sum", "min", "max")},
            **each["states"],
        }
        for each in found
    }


def _buys(shopper: tuple[str, str], product: tuple[str, str], day: str) -> Request:
    return Request("PUT", ("graph", "edges", *shopper, "BOUGHT", *product), {"data": {"on": day}}, times=2)


def _bought(product: tuple[str, str], day: str) -> Name:
    return Name("DEGREE_ON", (product, "in", "BOUGHT", day))


def _of_days(product: tuple[str, str], bought: Mapping[str, int]) -> Check:
    """How often a product was bought, day by day."""
    expected: Facts = {_bought(product, day): {"edges": each, "weight": each} for day, each in bought.items()}
    return Check(expected, partial(_read_days, product=product))


def _read_days(api: Api, product: tuple[str, str]) -> Facts:
    found = pages(api, *_node(*product), "days", label="BOUGHT", direction="in")
    return {
        _bought(product, each["day"]): {"edges": each["edges"], "weight": each["weight"]}
        for page in found
        for each in page["days"]
    }


def _weight(rng: Random) -> Decimal:
    return Decimal(rng.randint(1, 1000)) / 100


def _node(kind: str, node: str) -> tuple[str, ...]:
    return ("graph", "nodes", kind, node)


def _edge(kind: str, label: str, pair: tuple[str, str]) -> tuple[str, ...]:
    return ("graph", "edges", kind, pair[0], label, kind, pair[1])


def _checks(kind: str, label: str, nodes: Sequence[str], edges: Edges) -> Iterator[Check]:
    weights = {way: _by_node(way, edges) for way in WAYS}
    for node in nodes:
        facts: Facts = {
            Name("DEGREE", ((kind, node), way, label)): {
                "edges": len(weights[way][node]),
                "weight": sum(weights[way][node], Decimal(0)),
            }
            for way in WAYS
            if node in weights[way]
        }
        yield Check(facts, partial(_read_degrees, kind=kind, node=node))
    for way in WAYS:
        ranked: Facts = {
            Name("place of", ((kind, node), way, label)): {"weight": sum(found, Decimal(0))}
            for node, found in weights[way].items()
        }
        yield Check(ranked, partial(_read_ranking, label=label, way=way))
    reached: Facts = {Name("walk from", ((kind, nodes[0]),)): _reached(nodes[0], edges)}
    yield Check(reached, partial(_read_walk, kind=kind, node=nodes[0]))


def _by_node(way: Way, edges: Edges) -> dict[str, list[Decimal]]:
    found: dict[str, list[Decimal]] = defaultdict(list)
    for (source, target), weight in edges.items():
        found[source if way == "out" else target].append(weight)
    return found


def _reached(start: str, edges: Edges) -> dict[str, object]:
    """The number of nodes at each distance in steps, up to DEPTH."""
    depths, frontier = {start: 0}, [start]
    for depth in range(1, DEPTH + 1):
        frontier = sorted({b for a, b in edges if a in frontier} - depths.keys())
        depths |= dict.fromkeys(frontier, depth)
    return {f"{depth} steps": count for depth, count in Counter(depths.values()).items() if depth}


def _read_degrees(api: Api, kind: str, node: str) -> Facts:
    return {
        Name("DEGREE", ((kind, node), each["direction"], each["label"])): {
            "edges": each["edges"],
            "weight": each["weight"],
        }
        for page in pages(api, *_node(kind, node), "aggregates")
        for each in page["aggregates"]
    }


def _read_ranking(api: Api, label: str, way: Way) -> Facts:
    found = api.get("graph", "rankings", label, direction=way, measure="weight", top=TOP)
    return {
        Name("place of", ((each["type"], each["id"]), way, label)): {"weight": each["value"]} for each in found["nodes"]
    }


def _read_walk(api: Api, kind: str, node: str) -> Facts:
    found = get(api, *_node(kind, node), "traverse", depth=DEPTH, max_requests=1000, max_items=20000)
    if found is None:
        return {}
    steps = {f"{depth} steps": count for depth, count in found["reached"]["by_depth"].items() if depth != "0"}
    return {Name("walk from", ((kind, node),)): steps}
