"""Whether expat accepts a document when it processes namespaces."""

from xml.parsers import expat

from batch import answer_all


def accepts(text):
    parser = expat.ParserCreate(namespace_separator=" ")
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        return f"error: {error}"
    return "accepted"


answer_all(accepts)
