"""Take files of Python apart: into what each function does, and what is declared around them."""

import ast
import hashlib
from collections import defaultdict
from collections.abc import Mapping


def digest(content: bytes) -> str:
    """Digest the content of a file or of a part of it."""
    return hashlib.sha256(content).hexdigest()[:16]


def digests(file: str, source: bytes) -> Mapping[str, str]:
    """Digest the parts of a module: `FILE::` for what it declares, `FILE::Class.method` for what each function does.

    A declaration is all but the statements of functions: their names, parameters, decorators and docstrings belong to
    it. Comments and the layout of lines belong to nothing. A function within another is a part of that one.
    """
    tree = ast.parse(source)
    parts = _Parts()
    parts.visit(tree)
    texts = {"": [ast.unparse(tree)], **parts.found}
    return {f"{file}::{name}": digest("\n".join(each).encode()) for name, each in texts.items()}


class _Parts(ast.NodeTransformer):
    """Takes the statements of the outermost functions out of a module."""

    def __init__(self) -> None:
        self.found: dict[str, list[str]] = defaultdict(list)
        self._classes: list[str] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._classes.append(node.name)
        self.generic_visit(node)
        self._classes.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._without(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._without(node)

    def _without(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        documented = 1 if ast.get_docstring(node, clean=False) is not None else 0
        name = ".".join([*self._classes, node.name])
        # A property and its setter, and the overloads of a function, have one name.
        self.found[name].append(ast.unparse(ast.Module(node.body[documented:], [])))
        node.body[documented:] = [ast.Pass()]
        return node
