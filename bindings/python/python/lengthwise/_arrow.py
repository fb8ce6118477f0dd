"""Tables of Arrow in another layout."""

from typing import Any


def again(table: Any) -> Any:
    """A copy of a table, which is no slice of another; `None` without pyarrow, and of what it does not take."""
    try:
        import pyarrow
    except ImportError:
        return None
    try:
        copied = pyarrow.table(table)
    except (TypeError, ValueError):
        return None
    return copied.take(pyarrow.array(range(len(copied))))
