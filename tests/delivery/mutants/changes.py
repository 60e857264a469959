"""Changes to the program, made for a while."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from textwrap import dedent
from types import CodeType, FunctionType
from typing import Any, Protocol
from unittest.mock import patch


class Change(Protocol):
    """Something in the program that can be otherwise for a while."""

    def made(self) -> AbstractContextManager[None]:
        """It is otherwise inside."""

    @property
    def place(self) -> tuple[str, str]:
        """The path of the file where it stands, and the function there, or nothing."""


class LostPlaceError(Exception):
    """The text to be changed does not stand exactly once in the function: the mutant must follow the code."""


@dataclass(frozen=True)
class Edit:
    """`before` becomes `after` in the source of `target`, a function or method of the program.

    `names` are what `after` speaks of and the function's module does not know.
    """

    target: Callable[..., Any]
    before: str
    after: str
    names: dict[str, Any] = field(default_factory=dict)

    @property
    def place(self) -> tuple[str, str]:
        """The path of the function's file, and its name."""
        function = inspect.unwrap(self.target)
        return inspect.getsourcefile(function) or "", function.__qualname__

    @contextmanager
    def made(self) -> Iterator[None]:
        """The function runs with the changed source inside, and as it was afterwards; raises LostPlaceError."""
        function = inspect.unwrap(self.target)
        assert isinstance(function, FunctionType)
        unchanged = function.__code__
        with patch.dict(function.__globals__, self.names):
            function.__code__ = self._code(function)
            try:
                yield
            finally:
                function.__code__ = unchanged

    def _code(self, function: FunctionType) -> CodeType:
        source = dedent(inspect.getsource(function))
        if source.count(self.before) != 1:
            raise LostPlaceError(f"{source.count(self.before)} times in {function.__qualname__}: {self.before}")
        module = compile(source.replace(self.before, self.after), f"<mutant of {function.__qualname__}>", "exec")
        return next(
            code for code in module.co_consts if isinstance(code, CodeType) and code.co_name == function.__name__
        )


@dataclass(frozen=True)
class Other:
    """An attribute of a module or class is something else."""

    of: Any
    name: str
    value: Any

    @property
    def place(self) -> tuple[str, str]:
        """The path of the module's or the class's file."""
        return inspect.getsourcefile(self.of) or "", ""

    @contextmanager
    def made(self) -> Iterator[None]:
        """It is that inside, and what it was afterwards."""
        with patch.object(self.of, self.name, self.value):
            yield
