"""The one error of every format."""

from __future__ import annotations


class Error(ValueError):
    """Why a message, a schema or an argument was refused.

    ``str(error)`` is the whole error as a sentence, for people. Programs use the attributes; `kind` is the same in Rust, C
    and Python, and stays the same in later versions.
    """

    kind: str
    """``syntax``, ``incomplete``, ``limit``, ``schema``, ``unsupported`` or ``io``."""
    format: str
    """The format whose rules were broken, for example ``pon`` or ``per``."""
    offset: int
    """Bytes from the start of the message, or of the schema."""
    bit: int | None
    """The bit in that byte, from 0 for the highest, in formats that count bits."""
    line: int | None
    """The line, from 1, in text."""
    column: int | None
    """The character in that line, from 1."""
    path: str
    """Where in the message: ``/readings/3/t``. For a schema, its file. Empty if unknown."""

    def __init__(
        self,
        message: str,
        kind: str,
        format: str,
        offset: int,
        bit: int | None = None,
        line: int | None = None,
        column: int | None = None,
        path: str = "",
    ) -> None:
        super().__init__(message, kind, format, offset, bit, line, column, path)
        self.kind = kind
        self.format = format
        self.offset = offset
        self.bit = bit
        self.line = line
        self.column = column
        self.path = path

    def __str__(self) -> str:
        return str(self.args[0])
