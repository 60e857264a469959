"""Filter patterns of event source mappings: which records reach the function.

All fields of a pattern must match, each by at least one of its rules. Rules: a value (equals, including case and form),
null, "" (empty), `exists`, `prefix`, `suffix`, `equals-ignore-case`, `anything-but`, `numeric`; `$or` over fields.
On DynamoDB records every value is text within its type (`{"N": ["100"]}`), so `numeric` matches none of them.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Rule = Callable[[Any], bool]
_ABSENT = object()
_COMPARISONS = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class PatternError(ValueError):
    """A pattern that Lambda would not accept."""


def compile_pattern(pattern: Mapping[str, Any]) -> Rule:
    """A function that tests records against the pattern; raises PatternError."""
    fields = [_field(name, rules) for name, rules in pattern.items()]
    return lambda data: all(matches(data) for matches in fields)


def _field(name: str, rules: Any) -> Rule:
    if name == "$or":
        choices = [compile_pattern(choice) for choice in rules]
        return lambda data: any(matches(data) for matches in choices)
    if isinstance(rules, Mapping):
        inner = compile_pattern(rules)
        return lambda data: inner(_member(data, name))
    if not isinstance(rules, list | tuple) or not rules:
        raise PatternError(f"the rules of {name} must be a list with at least one rule")
    tests = [_rule(rule) for rule in rules]
    return lambda data: _any_matches(tests, _member(data, name))


def _member(data: Any, name: str) -> Any:
    return data.get(name, _ABSENT) if isinstance(data, Mapping) else _ABSENT


def _any_matches(tests: Sequence[Rule], value: Any) -> bool:
    """For a list in the record, one matching element is enough."""
    values = value if isinstance(value, list) else [value]
    return any(test(each) for each in values for test in tests)


def _rule(rule: Any) -> Rule:
    if not isinstance(rule, Mapping):
        return lambda value: type(value) is type(rule) and value == rule
    if len(rule) != 1:
        raise PatternError(f"not one operator: {rule}")
    ((name, operand),) = rule.items()
    if name not in _OPERATORS:
        raise PatternError(f"no operator that Lambda documents: {name}")
    return _OPERATORS[name](operand)


def _exists(wanted: Any) -> Rule:
    """Only leaves exist: an object is not a value."""
    return lambda value: (value is not _ABSENT and not isinstance(value, Mapping)) is wanted


def _prefix(text: Any) -> Rule:
    return lambda value: isinstance(value, str) and value.startswith(text)


def _suffix(text: Any) -> Rule:
    return lambda value: isinstance(value, str) and value.endswith(text)


def _equals_ignore_case(text: Any) -> Rule:
    return lambda value: isinstance(value, str) and value.lower() == text.lower()


def _anything_but(values: Any) -> Rule:
    if not isinstance(values, list | tuple):
        raise PatternError("anything-but takes a list of values")
    return lambda value: value is not _ABSENT and value not in values


def _numeric(terms: Any) -> Rule:
    pairs = [(_COMPARISONS[sign], number) for sign, number in zip(terms[::2], terms[1::2], strict=True)]
    return lambda value: (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and all(compare(value, number) for compare, number in pairs)
    )


_OPERATORS: dict[str, Callable[[Any], Rule]] = {
    "exists": _exists,
    "prefix": _prefix,
    "suffix": _suffix,
    "equals-ignore-case": _equals_ignore_case,
    "anything-but": _anything_but,
    "numeric": _numeric,
}
