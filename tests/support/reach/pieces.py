"""Take files of Python apart: into what each function does, and what is declared around them."""

import ast
import hashlib
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from tests.support.reach.noting import Functions, documented


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


class _Parts(Functions):
    """Takes the statements of the outermost functions out of a module."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, list[str]] = defaultdict(list)

    def transformed(self, node: Any) -> ast.AST:
        """Return the function without its statements."""
        after = documented(node)
        # A property and its setter, and the overloads of a function, have one name.
        self.found[self.name_of(node)].append(ast.unparse(ast.Module(node.body[after:], [])))
        node.body[after:] = [ast.Pass()]
        emptied: ast.AST = node
        return emptied
