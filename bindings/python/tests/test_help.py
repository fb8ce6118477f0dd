"""What `help()` shows is what type checkers and editors show."""

import ast
import inspect
from pathlib import Path

import lengthwise
from lengthwise import _lengthwise


def documented() -> list[tuple[str, str]]:
    stubs = ast.parse((Path(lengthwise.__file__).parent / "_lengthwise.pyi").read_text("utf-8"))
    found = []
    for item in stubs.body:
        if isinstance(item, (ast.FunctionDef, ast.ClassDef)):
            found.append((item.name, item))
        if isinstance(item, ast.ClassDef):
            found += [(f"{item.name}.{inner.name}", inner) for inner in item.body if isinstance(inner, ast.FunctionDef)]
    return [(name, text) for name, item in found if (text := ast.get_docstring(item))]


def test_help_has_the_text_of_the_stubs() -> None:
    texts = documented()
    assert len(texts) > 60
    for name, text in texts:
        shown: object = _lengthwise
        for step in name.split("."):
            shown = getattr(shown, step)
        assert inspect.getdoc(shown) == text, name
