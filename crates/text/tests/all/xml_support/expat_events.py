"""Expat's events for a document, in the form of the tests' own event strings.

If it skips entities, "skipped" comes first, and there is an event for each reference to one.

After a document may come files that it refers to, each after a NUL and "file ": a name of one letter, and the text.
A NUL alone is no sign of a file: a document may be in UTF-16.
"""

from xml.parsers import expat

from batch import answer_all

EVENT, FIELD = "\x1e", "\x1f"


class Events:
    def __init__(self):
        self.out = []
        self.text = ""
        self.kind = "text"
        self.skipped = False
        self.in_doctype = False
        self.externals = set()

    def add(self, *fields):
        if not self.in_doctype:
            self.flush()
            self.out.append("".join(field + FIELD for field in fields) + EVENT)

    def flush(self):
        if self.text or self.kind == "cdata":
            self.out.append(self.kind + FIELD + self.text + FIELD + EVENT)
        self.text = ""
        self.kind = "text"

    def characters(self, text):
        self.text += text

    def section(self):
        self.flush()
        self.kind = "cdata"

    def doctype(self, *_):
        self.add("doctype")
        self.in_doctype = True

    def doctype_over(self):
        self.in_doctype = False

    def entity(self, name, is_parameter, value, base, system, public, notation):
        if not is_parameter and value is None and notation is None:
            self.externals.add(name)

    def skip(self, name, is_parameter):
        if not is_parameter:
            self.skipped = True
            self.add("entity", name)

    def external(self, context, base, system, public):
        file = self.files.get(system)
        if file is None:
            if context is not None:
                # The context has the names of the entities that are open. Only this one is external.
                self.skip(next(name for name in context.split("\f") if name in self.externals), False)
            return 1
        outer = self.parser
        self.parser = outer.ExternalEntityParserCreate(context)
        self.parser.Parse(file, True)
        self.parser = outer
        return 1


def events(text):
    seen = Events()
    text, *files = text.split(b"\0file ")
    seen.files = {file[:1].decode(): file[1:] for file in files}
    parser = seen.parser = expat.ParserCreate()
    parser.ordered_attributes = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)
    parser.StartElementHandler = lambda name, attributes: seen.add("start", name, *attributes)
    parser.EndElementHandler = lambda name: seen.add("end", name)
    parser.CharacterDataHandler = seen.characters
    parser.StartCdataSectionHandler = seen.section
    parser.EndCdataSectionHandler = seen.flush
    parser.CommentHandler = lambda text: seen.add("comment", text)
    parser.ProcessingInstructionHandler = lambda target, data: seen.add("pi", target, data)
    parser.StartDoctypeDeclHandler = seen.doctype
    parser.EndDoctypeDeclHandler = seen.doctype_over
    parser.EntityDeclHandler = seen.entity
    parser.SkippedEntityHandler = seen.skip
    parser.ExternalEntityRefHandler = seen.external
    try:
        parser.Parse(text, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        return f"error: {error}"
    return ("skipped" if seen.skipped else "") + "".join(seen.out)


answer_all(events)
