"""Note which of the project's files run or are read: each function notes its file whenever it is called.

Needs nothing but Python's library, since the processes that tests start load it, too (`sitecustomize.py`): deployed
functions run in some of them.
"""

import ast
import builtins
import os
import sys
from collections.abc import Iterable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

ROOT = f"{Path(__file__).resolve().parents[3]}/"
PACKAGES = ("batch", "benchmarks", "delivery", "docs", "edgewise", "functions", "infra", "local", "tests", "verify")
# What the project's folder has besides the project.
FOREIGN = (".", "node_modules/", "web/node_modules/", "tests/e2e/browser/node_modules/", "cdk.out/")
NAME = "__note__"
# What is deployed as functions, and what reads it to put it into bundles and to compute digests of these.
DEPLOYED = ("edgewise/", "functions/")
PACKING = ("infra/bundle.py", "infra/modules.py")

noted: set[str] = set()


def take() -> set[str]:
    """Return what was noted since the last call. Other threads may note meanwhile: nothing is lost."""
    taken = noted.copy()
    noted.difference_update(taken)
    return taken


def begin() -> None:
    """Note from now on, of modules that are not imported yet."""
    setattr(builtins, NAME, noted.add)
    sys.meta_path.insert(0, _Finder())
    sys.addaudithook(_heard)


def expect(paths: Iterable[str]) -> None:
    """Require, if anything is noted at all, that the files at these paths are: that their changes choose this test."""
    if hasattr(builtins, NAME):
        missing = {file for path in paths if (file := file_at(path)) and file not in noted}
        assert not missing, f"a change of {', '.join(sorted(missing))} would not choose this test"


class _Finder(MetaPathFinder):
    """Finds the project's modules as Python does. pytest loads its own kinds itself: it rewrites their assertions."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        parts = fullname.split(".")
        if parts[0] not in PACKAGES or parts[-1].startswith(("test_", "conftest")):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec and spec.origin and type(spec.loader) is SourceFileLoader:
            spec.loader = _Loader(fullname, spec.origin)
        return spec


class _Loader(SourceFileLoader):
    """Compiles a module so that its functions note its file."""

    def get_code(self, fullname: str) -> CodeType:
        end = "/__init__.py" if self.is_package(fullname) else ".py"
        tree = ast.parse(self.get_data(self.path), self.path)
        Noting(fullname.replace(".", "/") + end).visit(tree)
        code: CodeType = compile(tree, self.path, "exec", dont_inherit=True)
        return code


class Noting(ast.NodeTransformer):
    """Let each function of a file begin with a note of it."""

    def __init__(self, file: str) -> None:
        # Functions of jobs are sent to processes that note nothing, where all that every Python has is at hand.
        known = f"vars(__import__('builtins')).get({NAME!r}, bool)" if file.startswith("batch/") else NAME
        self._call = f"{known}({file!r})"

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._begun(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._begun(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        pair = ast.Tuple([self._note(node.body), node.body], ast.Load())
        node.body = _at(ast.Subscript(pair, ast.Constant(1), ast.Load()), node.body)
        return node

    def _begun(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        after = 1 if ast.get_docstring(node, clean=False) is not None else 0
        at = node.body[min(after, len(node.body) - 1)]
        node.body.insert(after, _at(ast.Expr(self._note(at)), at))
        noting: ast.AST = node
        return noting

    def _note(self, at: ast.AST) -> ast.expr:
        call = ast.parse(self._call, mode="eval").body
        for each in ast.walk(call):
            ast.copy_location(each, at)
        return call


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
    """Tell whether what is opened is only put into a bundle, or its digest is computed: it is noted when it runs."""
    frame: FrameType | None = sys._getframe()
    while frame and frame.f_code.co_filename.removeprefix(ROOT) not in PACKING:
        frame = frame.f_back
    return frame is not None


def file_at(path: str) -> str | None:
    """Name the project's file at a path, relative to the project's folder; None for what is not the project's."""
    whole = path if path.startswith("/") else f"{Path.cwd()}/{path}"
    if not whole.startswith(ROOT):
        return None
    file = os.path.normpath(whole).removeprefix(ROOT)
    return None if file.startswith(FOREIGN) or "/__pycache__/" in file else file
