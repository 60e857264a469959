"""Note which of the project's functions run and which of its files are read: each function notes itself when called.

A function is noted as `FILE::Class.method`, what is within it as itself, a file that is read as `FILE`. What runs while
a module is imported or a cached result is computed runs once in a process, for all tests there: `@` stands before it.
Needs nothing but Python's library, since the processes that tests start load it, too (`sitecustomize.py`): deployed
functions run in some of them.
"""

import ast
import builtins
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

ROOT = f"{Path(__file__).resolve().parents[3]}/"
PACKAGES = (
    "batch", "benchmarks", "delivery", "demo", "docs", "edgewise", "functions", "infra",
    "local", "ops", "tests", "verify",
)  # fmt: skip
# What the project's folder has besides the project.
FOREIGN = (".", "node_modules/", "web/node_modules/", "tests/e2e/browser/node_modules/", "cdk.out/")
NAME, ONCE = "__note__", "__once__"
# What is named by such decorators computes a result that later calls only return.
CACHES = ("cache", "lru_cache", "cached_property")
# What is deployed as functions, and what reads it to put it into bundles and to compute digests of these.
DEPLOYED = ("edgewise/", "functions/")
PACKING = ("infra/bundle.py", "infra/modules.py")
COMPILING = ("/compileall.py", "/py_compile.py")

noted: set[str] = set()
_depth = 0


def take() -> set[str]:
    """Return what was noted since the last call. Other threads may note meanwhile: nothing is lost."""
    taken = noted.copy()
    noted.difference_update(taken)
    return taken


def begin() -> None:
    """Note from now on, of modules that are not imported yet."""
    setattr(builtins, NAME, noted.add)
    setattr(builtins, ONCE, once)
    sys.meta_path.insert(0, _Finder())
    sys.addaudithook(_heard)


@contextmanager
def once() -> Iterator[None]:
    """Mark what is noted meanwhile as what runs once in a process."""
    global _depth
    _depth += 1
    setattr(builtins, NAME, _note_once)
    try:
        yield
    finally:
        _depth -= 1
        if not _depth:
            setattr(builtins, NAME, noted.add)


def _note_once(name: str) -> None:
    noted.update((name, f"@{name}"))


def is_noted(file: str) -> bool:
    """Tell whether the functions of a module note themselves. pytest loads its own: it rewrites their assertions."""
    name = file.rpartition("/")[2]
    return file.split("/")[0] in PACKAGES and name.endswith(".py") and not name.startswith(("test_", "conftest"))


def expect(path: str, function: str = "") -> None:
    """Require, if this process notes here, that a function of the file at a path is: its changes choose this test."""
    if getattr(builtins, NAME, None) == noted.add and (file := file_at(path)):
        name = f"{file}::{function.partition('.<locals>')[0]}"
        reached = name in noted if function else any(each.startswith(name) for each in noted)
        assert reached, f"a change of {name} would not choose this test"


class _Finder(MetaPathFinder):
    """Finds the project's modules as Python does."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not is_noted(fullname.replace(".", "/") + ".py"):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec and spec.origin and type(spec.loader) is SourceFileLoader:
            spec.loader = _Loader(fullname, spec.origin)
        return spec


class _Loader(SourceFileLoader):
    """Compiles a module so that its functions note themselves."""

    def get_code(self, fullname: str) -> CodeType:
        end = "/__init__.py" if self.is_package(fullname) else ".py"
        tree = ast.parse(self.get_data(self.path), self.path)
        Noting(fullname.replace(".", "/") + end).visit(tree)
        code: CodeType = compile(tree, self.path, "exec", dont_inherit=True)
        return code

    def exec_module(self, module: ModuleType) -> None:
        with once():
            super().exec_module(module)


class Functions(ast.NodeTransformer):
    """Transform each function of a file; a function within another only if that one visits it."""

    def __init__(self) -> None:
        self._classes: list[str] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._classes.append(node.name)
        self.generic_visit(node)
        self._classes.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self.transformed(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self.transformed(node)

    def name_of(self, node: Any) -> str:
        """Name a function as its classes and itself: `Class.method`."""
        return ".".join([*self._classes, node.name])

    def transformed(self, node: Any) -> ast.AST:
        """Return what takes the place of a function."""
        raise NotImplementedError


def documented(node: Any) -> int:
    """Tell how many statements of a function are its docstring: one, or none."""
    return 1 if ast.get_docstring(node, clean=False) is not None else 0


class Noting(Functions):
    """Let each function of a file begin with a note of itself, or of the outermost one that it is part of."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self._file = file
        self._function = ""

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        pair = ast.Tuple([self._parsed(self._note(), node.body), node.body], ast.Load())
        node.body = _at(ast.Subscript(pair, ast.Constant(1), ast.Load()), node.body)
        return node

    def transformed(self, node: Any) -> ast.AST:
        """Return the function with its note, and with a mark that what it calls runs once if its result is kept."""
        outermost = not self._function
        if outermost:
            self._function = self.name_of(node)
        self.generic_visit(node)
        after = documented(node)
        at = node.body[min(after, len(node.body) - 1)]
        call = _at(ast.Expr(self._parsed(self._note(), at)), at)
        if outermost and any(_is_cache(each) for each in node.decorator_list):
            once = self._known(ONCE, "__import__('contextlib').nullcontext")
            item = ast.withitem(self._parsed(f"{once}()", at))
            node.body[after:] = [_at(ast.With([item], [call, *node.body[after:]]), at)]
        else:
            node.body.insert(after, call)
        if outermost:
            self._function = ""
        noting: ast.AST = node
        return noting

    def _note(self) -> str:
        return f"{self._known(NAME, 'bool')}({f'{self._file}::{self._function}'!r})"

    def _known(self, name: str, otherwise: str) -> str:
        # Functions of jobs are sent to processes that note nothing, where all that every Python has is at hand.
        apart = self._file.startswith("batch/")
        return f"vars(__import__('builtins')).get({name!r}, {otherwise})" if apart else name

    @staticmethod
    def _parsed(text: str, at: ast.AST) -> ast.expr:
        expression = ast.parse(text, mode="eval").body
        for each in ast.walk(expression):
            ast.copy_location(each, at)
        return expression


def _is_cache(decorator: ast.expr) -> bool:
    """Tell whether a decorator keeps results: `cache`, `functools.cache`, `lru_cache(...)`."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return name in CACHES


def _at(node: Any, place: ast.AST) -> Any:
    """Give a new node, and the new ones within it, the place of another."""
    for each in ast.walk(node):
        if "lineno" in each._attributes and not hasattr(each, "lineno"):
            ast.copy_location(each, place)
    return node


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open":
        path, _, flags = arguments
        reads = isinstance(path, str) and not (flags or 0) & (os.O_WRONLY | os.O_RDWR)
        if reads and (file := file_at(path)) and not (file.startswith(DEPLOYED) and _is_packed()):
            noted.add(file)


def _is_packed() -> bool:
    """Tell whether what is opened is only compiled, put into a bundle, or digested: it is noted when it runs."""
    frame: FrameType | None = sys._getframe()
    while frame:
        file = frame.f_code.co_filename
        if file.removeprefix(ROOT) in PACKING or file.endswith(COMPILING):
            return True
        frame = frame.f_back
    return False


def file_at(path: str) -> str | None:
    """Name the project's file at a path, relative to the project's folder; None for what is not the project's."""
    whole = path if path.startswith("/") else f"{Path.cwd()}/{path}"
    if not whole.startswith(ROOT):
        return None
    file = os.path.normpath(whole).removeprefix(ROOT)
    return None if file.startswith(FOREIGN) or "/__pycache__/" in file else file
