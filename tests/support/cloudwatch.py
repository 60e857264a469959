"""How CloudWatch evaluates alarms, from its guide alone: periods, M of N, missing data, metric math, composite alarms.

What the guide leaves open is assumed: an alarm looks for two more data points than it evaluates, as in the guide's own
examples. It is evaluated each minute, over a window that rolls (its page "Alarm evaluation window"); numbers are
there as soon as their minute is over.
"""

import ast
import math
import operator
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# Namespace, name, dimensions.
Metric = tuple[str, str, frozenset[tuple[str, str]]]
Number = float | None
RANGE = 2
OK, ALARM = "OK", "ALARM"


class Metrics:
    """What was counted in each minute."""

    def __init__(self) -> None:
        self._counted: dict[Metric, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))

    def put(self, minute: int, metric: Metric, value: float) -> None:
        self._counted[metric][minute].append(value)

    def number(self, metric: Metric, statistic: str, start: int, end: int) -> Number:
        """The statistic of the minutes from `start` on and before `end`; None if there is nothing."""
        found = self._counted.get(metric, {})
        values = [value for minute in range(start, end) for value in found.get(minute, ())]
        return _statistic(statistic, values) if values else None


def _statistic(name: str, values: Sequence[float]) -> float:
    if name.startswith("p"):
        return sorted(values)[math.ceil(len(values) * float(name[1:]) / 100) - 1]
    if name.startswith("PR("):
        at_least = float(name.removeprefix("PR(").removesuffix(":)"))
        return 100 * sum(each >= at_least for each in values) / len(values)
    of: Mapping[str, Callable[[Sequence[float]], float]] = {"Sum": sum, "Maximum": max, "Minimum": min}
    return of[name](values)


def state(alarm: Mapping[str, Any], metrics: Metrics, now: int, former: str) -> str:
    """The state of a metric alarm, given as its resource's properties, when the minute `now` begins."""
    of = alarm["EvaluationPeriods"]
    minutes = period(alarm)
    ends = [now - each * minutes for each in range(of + RANGE)]
    numbers = [_watched(alarm, metrics, end - minutes, end) for end in ends]
    breaching = [
        _compare(alarm["ComparisonOperator"], each, alarm["Threshold"]) for each in numbers if each is not None
    ]
    if (missing := of - len(breaching)) > 0:
        treated = "ignore" if alarm.get("Namespace") == "AWS/DynamoDB" else alarm["TreatMissingData"]
        if treated == "ignore":
            return former if all(breaching) else OK
        breaching += [treated == "breaching"] * missing
    return ALARM if sum(breaching[:of]) >= alarm.get("DatapointsToAlarm", of) else OK


def period(alarm: Mapping[str, Any]) -> int:
    """How many minutes a data point of an alarm has."""
    (seconds,) = {alarm["Period"]} if "Period" in alarm else {each["MetricStat"]["Period"] for each in _parts(alarm)}
    return int(seconds) // 60


def watched(alarm: Mapping[str, Any]) -> list[Metric]:
    """The metrics of an alarm."""
    return (
        [_metric(alarm)] if "MetricName" in alarm else [_metric(each["MetricStat"]["Metric"]) for each in _parts(alarm)]
    )


def names(alarm: Mapping[str, Any]) -> frozenset[str]:
    """The names of its metrics."""
    found = [alarm] if "MetricName" in alarm else [each["MetricStat"]["Metric"] for each in _parts(alarm)]
    return frozenset(each["MetricName"] for each in found)


def _parts(alarm: Mapping[str, Any]) -> list[Any]:
    return [each for each in alarm["Metrics"] if "MetricStat" in each]


def _metric(given: Mapping[str, Any]) -> Metric:
    dimensions = frozenset((each["Name"], each["Value"]) for each in given.get("Dimensions", ()))
    return given["Namespace"], given["MetricName"], dimensions


def _watched(alarm: Mapping[str, Any], metrics: Metrics, start: int, end: int) -> Number:
    if "MetricName" in alarm:
        statistic = alarm.get("Statistic") or alarm["ExtendedStatistic"]
        return metrics.number(_metric(alarm), statistic, start, end)
    numbers = {
        each["Id"]: metrics.number(_metric(each["MetricStat"]["Metric"]), each["MetricStat"]["Stat"], start, end)
        for each in _parts(alarm)
    }
    (expression,) = (each["Expression"] for each in alarm["Metrics"] if "Expression" in each)
    return calculated(expression, numbers)


def _compare(name: str, number: float, threshold: float) -> bool:
    compared = {"GreaterThanOrEqualToThreshold": operator.ge, "LessThanThreshold": operator.lt}
    return bool(compared[name](number, threshold))


_ARITHMETIC: Mapping[type[ast.AST], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
}


def calculated(expression: str, numbers: Mapping[str, Number]) -> Number:
    """Metric math, for one data point of each metric; None: the result has none.

    What is missing counts as 0 beside what is there; a division by zero has no result.
    """
    return _value(ast.parse(expression, mode="eval").body, numbers)


def _value(node: ast.AST, numbers: Mapping[str, Number]) -> Number:
    match node:
        case ast.Constant(value=int(value) | float(value)):
            return value
        case ast.Name(id=name):
            return numbers[name]
        case ast.BinOp(left=left, op=op, right=right) | ast.Compare(left=left, ops=[op], comparators=[right]):
            return _both(op, left, right, numbers)
        case ast.Call(func=ast.Name(id="IF"), args=[condition, then, otherwise]):
            if (holds := _value(condition, numbers)) is None:
                return None
            return (_value(then, numbers) or 0) if holds else _value(otherwise, numbers)
    raise ValueError(f"not modelled: {ast.dump(node)}")


def _both(op: ast.AST, left: ast.AST, right: ast.AST, numbers: Mapping[str, Number]) -> Number:
    values = [_value(each, numbers) for each in (left, right)]
    # A scalar has no data points of its own.
    if all(
        value is None for value, node in zip(values, (left, right), strict=True) if not isinstance(node, ast.Constant)
    ):
        return None
    first, second = (value or 0 for value in values)
    if isinstance(op, ast.Div):
        return first / second if second else None
    return float(_ARITHMETIC[type(op)](first, second))


def holds(rule: str, states: Mapping[str, str]) -> bool:
    """Whether the rule of a composite alarm holds; raises KeyError for an alarm that is not there."""
    text = re.sub(r"\b(AND|OR|NOT)\b", lambda found: found[1].lower(), rule)
    tree = ast.parse(text.strip(), mode="eval").body
    return _holds(tree, states)


def _holds(node: ast.AST, states: Mapping[str, str]) -> bool:
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            return all(_holds(each, states) for each in values)
        case ast.BoolOp(op=ast.Or(), values=values):
            return any(_holds(each, states) for each in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _holds(operand, states)
        case ast.Call(func=ast.Name(id="ALARM"), args=[ast.Constant(value=str(name))]):
            return states[name] == ALARM
    raise ValueError(f"not modelled: {ast.dump(node)}")


class Change(NamedTuple):
    """An alarm has changed its state, and told so."""

    minute: int
    alarm: str
    state: str
    topics: tuple[str, ...]


@dataclass
class Watching:
    """All alarms of a stage, by their names, over a clock of minutes; composite ones are evaluated after the others."""

    alarms: Mapping[str, Mapping[str, Any]]
    metrics: Metrics = field(default_factory=Metrics)
    minute: int = 0
    changes: list[Change] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.states = dict.fromkeys(self.alarms, OK)

    def pass_minute(self) -> None:
        """End the minute."""
        self.minute += 1
        for name, each in sorted(self.alarms.items(), key=lambda of: self._depth(of[1])):
            if "AlarmRule" in each:
                self._set(name, ALARM if holds(each["AlarmRule"], self.states) else OK)
            else:
                self._set(name, state(each, self.metrics, self.minute, self.states[name]))

    def _depth(self, alarm: Mapping[str, Any]) -> int:
        named = re.findall('ALARM."([^"]+)"', alarm.get("AlarmRule", ""))
        return 1 + max((self._depth(self.alarms[each]) for each in named), default=-1)

    def _set(self, name: str, found: str) -> None:
        if found != self.states[name]:
            self.states[name] = found
            actions = self.alarms[name].get("AlarmActions" if found == ALARM else "OKActions", ())
            self.changes.append(Change(self.minute, name, found, tuple(actions)))

    def ringing(self) -> Iterator[str]:
        return (name for name, found in self.states.items() if found == ALARM)
