"""`make halt`, `make pause` and `make resume`: a stage that nobody reads or writes, or whose stream nobody reads.

Halted, no function of the API may run, and nothing reads the table's stream or the telemetry queue: for as long as it
takes to replace the table. Paused, only the stream waits, until its readers are mended: what is stored is not counted.
The stream keeps its records for 24 hours. Recounts, sweeps and checks go on: they find nothing new.
"""

import sys
from collections.abc import Callable, Iterable
from typing import Any

from ops import refusal
from ops.errors import LocalError
from ops.stage import Stage

# The stacks whose functions are called through the API, and those whose functions read the table's stream.
CALLED, READERS = "api", {"edge-stream": "EdgeAggregatorFunctionName", "cascade": "CascadeFunctionName"}
OUTPUT = "FunctionName"


def halt(stage: Stage) -> None:
    """Let nobody read or write the table; what has begun still ends. May be repeated. Raises StageError."""
    with stage.telling():
        functions, called = stage.client("lambda"), _called(stage)
        for name in called:
            functions.put_function_concurrency(FunctionName=name, ReservedConcurrentExecutions=0)
        _switch(functions, [*called, *_readers(stage)], enabled=False)


def pause(stage: Stage) -> None:
    """Let nothing read the table's stream; everybody reads and writes. May be repeated. Raises StageError."""
    with stage.telling():
        _switch(stage.client("lambda"), _readers(stage), enabled=False)


def resume(stage: Stage) -> None:
    """End what `halt` or `pause` began; may be repeated. Raises StageError.

    A table that was restored from, and is used all the same, takes writes again.
    """
    with stage.telling():
        refusal.end(stage.client("dynamodb"), stage.outputs("table", "TableName")["TableName"])
        functions, called = stage.client("lambda"), _called(stage)
        _switch(functions, [*called, *_readers(stage)], enabled=True)
        for name in called:
            functions.delete_function_concurrency(FunctionName=name)


def _called(stage: Stage) -> list[str]:
    return [value for name, value in stage.outputs(CALLED).items() if name.endswith(OUTPUT)]


def _readers(stage: Stage) -> list[str]:
    return [stage.outputs(part, name)[name] for part, name in READERS.items()]


def _switch(functions: Any, names: Iterable[str], *, enabled: bool) -> None:
    """Let the mappings of these functions deliver, or stop them; on AWS this takes some seconds after the request."""
    for name in names:
        for mapping in functions.list_event_source_mappings(FunctionName=name)["EventSourceMappings"]:
            functions.update_event_source_mapping(UUID=mapping["UUID"], Enabled=enabled)


COMMANDS: dict[str, Callable[[Stage], None]] = {"halt": halt, "pause": pause, "resume": resume}


if __name__ == "__main__":
    try:
        COMMANDS[sys.argv[2]](Stage(sys.argv[1]))
    except LocalError as error:
        sys.exit(str(error))
