"""XML, JSON and ASN.1 values in length-prefixed binary formats that are read without parsing.

>>> from lengthwise import pon
>>> message = pon.dumps({"room": "attic", "t": 21.5, "image": b"\\x00\\xff"})
>>> message
b'30{room:5sattict:4d21.5image:2y\\x00\\xff'
>>> pon.View(message)["t"]
21.5

The modules `pon` and `tsf` have the functions of `json`. `Schema` reads and writes ASN.1 values in PER, BER and OER, and XML
by XML Schema. `convert` converts between all formats, and `Document` looks into a message of any of them.
"""

from lengthwise import pon, tsf
from lengthwise._error import Error
from lengthwise._lengthwise import (
    Batch,
    BatchReader,
    Column,
    Document,
    Loss,
    Messages,
    Node,
    Schema,
    Template,
    __version__,
    compare,
    convert,
    convert_with_losses,
    messages,
)

__all__ = [
    "Batch",
    "BatchReader",
    "Column",
    "Document",
    "Error",
    "Loss",
    "Messages",
    "Node",
    "Schema",
    "Template",
    "__version__",
    "compare",
    "convert",
    "convert_with_losses",
    "messages",
    "pon",
    "tsf",
]
