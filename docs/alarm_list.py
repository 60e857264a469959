"""The table of all alarms in docs/operations.md, made from where they are declared (infra/watches.py)."""

import re
from pathlib import Path

from edgewise.cdk.alarms import Rule
from infra.watches import CAUSES, GATHERED, WATCHES, Cause, Watch

PAGE = Path(__file__).with_name("operations.md")
_PLACE = re.compile(r"(<!-- alarms -->\n).*?(<!-- end of alarms -->)", re.DOTALL)
_HEAD = "| alarm | tells | it rings when | first | then |\n| :-- | :-- | :-- | :-- | :-- |\n"


def filled(text: str) -> str:
    """The page with the table in its place."""
    rows = [*map(_cause, CAUSES.items()), *map(_watch, WATCHES.items())]
    return _PLACE.sub(lambda place: f"{place[1]}{_HEAD}{''.join(rows)}{place[2]}", text)


def _cause(of: tuple[str, Cause]) -> str:
    name, cause = of
    rings = f"{_listed(cause.of, 'and')} ring together" if cause.together else f"{_listed(cause.of, 'or')} rings"
    when = f"{cause.says}: {rings}"
    return _row(name, cause.severity, when, cause)


def _watch(of: tuple[str, Watch]) -> str:
    name, watch = of
    tells = f"by `{GATHERED[name]}`" if name in GATHERED else str(watch.severity)
    return _row(name, tells, f"{watch.rule.says} ({_periods(watch.rule)})", watch)


def _row(name: str, tells: str, when: str, each: Watch | Cause) -> str:
    every = "" if each.always else " *"
    first = each.first.replace("|", r"\|")
    return f"| `{name}`{every} | {tells} | {when} | `{first}` | {_link(each.then)} |\n"


def _periods(rule: Rule) -> str:
    every = rule.every.to_human_string()
    return f"{rule.least} of {rule.of} times {every}" if rule.of > 1 else f"in {every}"


def _listed(names: tuple[str, ...], last: str) -> str:
    *rest, end = (f"`{name}`" for name in names)
    return f" {last} ".join([", ".join(rest), end])


def _link(then: str) -> str:
    page, _, section = then.partition("#")
    text = section or page.removesuffix(".md")
    return f"[{text.replace('-', ' ')}]({then.removeprefix(PAGE.name)})"
