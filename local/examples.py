"""A few things of every system, stored through the API. Their names are those of AWS's documents on such systems."""

from typing import Any

from ops.api import Api, ApiError, after_version

INVOICE, BILLS = "Invoice-92551", {"Bill-4224663": 120, "Bill-4224687": 80}
PEOPLE = {
    "amy": ("1971-12-21", ["US", "Washington", "Seattle"], "DynamoDB"),
    "bob": ("1980-02-29", ["US", "Texas", "Houston"], "DynamoDB"),
    "eve": ("1971-03-01", ["US", "Texas", "Austin"], "Spark"),
    "kim": ("1999-09-09", ["FR", "Paris"], "DynamoDB"),
    "joe": ("1985-06-15", ["US", "Texas", "Dallas"], "Spark"),
    "sue": ("1971-07-07", ["DE", "Berlin"], "Python"),
    "tom": ("1990-01-31", ["US", "Washington", "Tacoma"], "Python"),
    "zoe": ("1968-10-04", ["FR", "Lyon"], "Spark"),
}
KNOWS = (
    ("amy", "bob"), ("bob", "eve"), ("eve", "kim"), ("amy", "eve"), ("bob", "kim"),
    ("joe", "bob"), ("kim", "sue"), ("sue", "tom"), ("tom", "zoe"), ("zoe", "sue"), ("joe", "tom"),
)  # fmt: skip
HOSTS = {"shop-1": "up", "shop-2": "down", "shop-3": "up"}
TEAMS = {"Engineering": ("Storage", "Streams"), "Storage": ("bob", "eve", "joe"), "Streams": ("kim", "sue", "zoe")}
GAMES = (
    ("rick", "chess", 2410, "2026-01-01T10:00:00Z", "Champ"),
    ("rick", "chess", 1900, "2026-01-02T10:00:00Z", None),
    ("rick", "go", 350, "2026-01-03T10:00:00Z", None),
    ("padma", "chess", 2650, "2026-01-01T11:00:00Z", "Champ"),
    ("padma", "chess", 2500, "2026-01-02T11:00:00Z", None),
    ("padma", "go", 900, "2026-01-03T11:00:00Z", "Champ"),
    ("padma", "go", 850, "2026-01-04T11:00:00Z", None),
)
PASSED = {"result": "passed"}
LEAK = {"result": "failed", "notes": "oil below the pump"}
# The text of a document, version by version.
VERSIONS = (
    """\
The handbook

1. Count nothing twice.
2. Count nothing when somebody looks.
3. Ask the table, not your memory.
""",
    """\
The handbook

1. Count nothing twice.
2. Count while data arrives, not when somebody looks.
3. Ask the table, not your memory.
4. What can't be counted waits in the quarantine.
""",
    """\
The handbook

1. Count everything exactly once.
2. Count while data arrives, not when somebody looks.
3. What can't be counted waits in the quarantine.
4. Now and then, count everything anew and compare.
""",
)


def store_all(app: Api) -> None:
    """Store them as a user in the group `write`; storing them again changes no answer."""
    for store in (_audits, _document, _orders, _games, _billing, _graph, _incident):
        store(app)


def _audits(app: Api) -> None:
    app.put("places", "entities", "EQUIPMENT", "Equipment_1", body={"path": ["USA", "TX", "Houston"]})
    for number in range(1, 13):
        audit = {"auditor": "app", **(LEAK if number % 5 == 0 else PASSED)}
        _post_once(app, "equipment", "Equipment_1", "audits", body=audit, headers=after_version(number - 1))
    engine = {"part": "engine", "auditor": "app", "result": "passed"}
    _post_once(app, "equipment", "Equipment_1", "audits", body=engine, headers=after_version(0))


def _document(app: Api) -> None:
    app.put("documents", "handbook", "metadata", body={"title": "The handbook"})
    app.put("documents", "handbook", "permissions", body={"readers": ["guest", "admin"], "writers": []})
    for number, content in enumerate(VERSIONS):
        _post_once(app, "documents", "handbook", "versions", body={"content": content}, headers=after_version(number))


def _orders(app: Api) -> None:
    orders = ("customers", "Customer-7", "orders")
    for number in range(1, 5):
        opened = {"order_id": f"Order-{number}", "opened_at": f"2026-01-0{number}T00:00:00Z", "amount": 10 * number}
        _post_once(app, *orders, body=opened)
    for number in (1, 2):
        _post_once(app, *orders, f"Order-{number}", "ship", body={})


def _games(app: Api) -> None:
    for player, game, score, at, award in GAMES:
        body = {"game": game, "score": score, "at": at} | ({"award": award} if award else {})
        app.post("players", player, "games", body=body)


def _billing(app: Api) -> None:
    app.put("invoices", INVOICE, body={})
    for bill, amount in BILLS.items():
        app.put("bills", bill, body={"amount": amount})
        app.put("invoices", INVOICE, "bills", bill, body={})


def _graph(app: Api) -> None:
    for name, (born, lives_in, knows) in PEOPLE.items():
        attributes = [
            {"name": "born", "value": born},
            {"name": "lives_in", "value": lives_in},
            {"name": "skill", "value": knows},
        ]
        app.put("graph", "nodes", "person", name, body={"attributes": attributes})
    for one, other in KNOWS:
        app.put("graph", "edges", "person", one, "KNOWS", "person", other, body={"weight": 1})
    for team in TEAMS:
        app.put("graph", "nodes", "team", team, body={"attributes": [{"name": "name", "value": team}]})
    for team, members in TEAMS.items():
        for member in members:
            below = ("team" if member in TEAMS else "person", member)
            app.put("graph", "edges", "team", team, "PARENT_OF", *below, body={"weight": 1})


def _incident(app: Api) -> None:
    service, business = ("service", "shop-web"), ("business", "shop")
    for node in (service, business, *(("host", host) for host in HOSTS)):
        app.put("graph", "nodes", *node, body={"attributes": []})
    for host, state in HOSTS.items():
        app.put("graph", "edges", "host", host, "RUNS", *service, body={})
        app.put("graph", "nodes", "host", host, "state", body={"state": state, "measures": {}})
    app.put("graph", "edges", *service, "PART_OF", *business, body={})


def _post_once(app: Api, *path: str, body: dict[str, Any], headers: dict[str, str] | None = None) -> None:
    try:
        app.call("POST", *path, body=body, headers=headers)
    except ApiError as error:
        if error.status not in (409, 412):  # an earlier tour has stored it
            raise
