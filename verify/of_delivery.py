"""Conclusions about Lambda's delivery, from the consumer's log lines and its mapping. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from verify.lines import Line
from verify.probing import Seen, seen, unseen

# Invocations of a shard may run on several hosts, whose clocks differ a little (milliseconds).
CLOCKS = 20
NO_WINDOWS = "no event had a window"


def of_lines(lines: Sequence[Line], mapping: Mapping[str, Any]) -> Iterator[Seen]:
    """Conclude from the content and the times of the invocations."""
    by_shard = defaultdict(list)
    for line in sorted(lines, key=lambda line: line.began):
        by_shard[line.shard].append(line)
    windowed = [line for line in lines if line.window_end is not None]
    yield _in_order(by_shard)
    yield (
        seen("shard-id", True, f"{len(by_shard)} shards named in {len(windowed)} events with a window")
        if windowed
        else unseen("shard-id", f"{NO_WINDOWS} in {len(lines)} invocations")
    )
    yield _one_at_a_time(by_shard)
    yield _window_end(windowed)
    yield _state(by_shard)
    yield _batches(lines, mapping)
    yield _statements(lines)


def of_mapping(mapping: Mapping[str, Any]) -> Iterator[Seen]:
    """Conclude from the stored mapping: whether it kept its settings, and can read the stream."""
    window, retries = mapping.get("TumblingWindowInSeconds"), mapping.get("MaximumRetryAttempts")
    filters = len(mapping.get("FilterCriteria", {}).get("Filters", ()))
    told = f"window {window} s, {filters} filters, retries {retries}, age {mapping.get('MaximumRecordAgeInSeconds')} s"
    yield seen("mapping-kept", bool(window) and filters > 0 and retries == -1, told)
    state, result = mapping.get("State"), mapping.get("LastProcessingResult")
    works = state == "Enabled" and str(result).startswith(("OK", "No records processed"))
    yield seen("stream-rights", works, f"{state}, last result: {result}")


def _in_order(by_shard: Mapping[str, Sequence[Line]]) -> Seen:
    """A batch that begins before an earlier batch ended must be a repetition, and not one that was skipped at first."""
    name, batches, repeated, passed_over = "in-order-the-first-time", 0, 0, 0
    for lines in by_shard.values():
        before: list[tuple[int, int]] = []
        for line in lines:
            if line.first is None or line.last is None:
                continue
            if any(line.first <= last for _, last in before):
                repeated += 1
                passed_over += not any(first <= line.first <= last for first, last in before)
            before.append((line.first, line.last))
        batches += len(before)
    if not batches:
        return unseen(name, "no invocation with records was logged")
    told = f"{batches} batches of {len(by_shard)} shards, {repeated} repeated, {passed_over} skipped at first"
    return seen(name, not passed_over, told)


def _one_at_a_time(by_shard: Mapping[str, Sequence[Line]]) -> Seen:
    name = "one-invocation-a-shard"
    pairs = [pair for lines in by_shard.values() for pair in pairwise(lines)]
    if not pairs:
        return unseen(name, "fewer than two invocations of a shard were logged")
    # The log states the end of an invocation to the millisecond; its beginning follows from its duration.
    overlapping = sum(other.began < one.ended - CLOCKS for one, other in pairs)
    return seen(name, not overlapping, f"{overlapping} of {len(pairs)} began before the previous one ended")


def _window_end(windowed: Sequence[Line]) -> Seen:
    name = "window-end"
    late = [line.began - line.window_end for line in windowed if line.final and line.window_end is not None]
    if not late:
        return unseen(name, f"no final invocation was logged; {len(windowed)} events had a window")
    return seen(
        name, True, f"{len(late)} final invocations, {_seconds(min(late))} to {_seconds(max(late))} after the end"
    )


def _state(by_shard: Mapping[str, Sequence[Line]]) -> Seen:
    name = "state-kept"
    pairs = [
        (one, other)
        for lines in by_shard.values()
        for one, other in pairwise(lines)
        if one.window_end is not None and one.window_end == other.window_end and one.state_left
    ]
    if not pairs:
        return unseen(name, "no effect waited for a window's end (nothing that waits, or no event with a window)")
    kept = sum(one.state_left == other.state_came for one, other in pairs)
    return seen(
        name,
        kept == len(pairs),
        f"{kept} of {len(pairs)} invocations received the state that the previous one had left",
    )


def _batches(lines: Sequence[Line], mapping: Mapping[str, Any]) -> Seen:
    name, most = "batch-and-age", mapping["BatchSize"]
    sizes = [line.records for line in lines if line.records]
    ages = [line.age for line in lines if line.age is not None]
    if not sizes or not ages:
        return unseen(name, "no invocation with records was logged")
    told = f"{len(sizes)} batches of {min(sizes)} to {max(sizes)} records (at most {most})"
    aged = f"median age of their first record {_seconds(round(median(ages)))}, {_seconds(max(ages))} at most"
    return seen(name, max(sizes) <= most, f"{told}; {aged}")


def _statements(lines: Sequence[Line]) -> Seen:
    """By the consumer's own requests, with its own rights: those of a run are an administrator's."""
    name = "statements-allowed"
    if not lines:
        return unseen(name, "no invocation was logged")
    failures = sum((Counter(line.failures) for line in lines), Counter[str]())
    told = ", ".join(f"{count} with {code}" for code, count in failures.most_common()) or "none"
    return seen(name, not failures, f"of the requests of {len(lines)} invocations, {told} failed as a whole")


def _seconds(millis: int) -> str:
    return f"{millis / 1000:.1f} s"
