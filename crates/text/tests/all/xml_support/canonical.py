"""Canonical XML by Python's standard library, comments included."""

import io
from xml.etree import ElementTree

from batch import answer_all


def canonical(text):
    try:
        return ElementTree.canonicalize(from_file=io.BytesIO(text), with_comments=True)
    except ElementTree.ParseError as error:
        return f"error: {error}"


answer_all(canonical)
