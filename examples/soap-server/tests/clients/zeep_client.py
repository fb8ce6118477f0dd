"""Asks the service by zeep, which knows nothing of it but its description: zeep_client.py URL."""

import math
import random
import struct
import sys

import zeep

# What zeep would ask the network for, as far as the service uses it.
ENCODING = b"""<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:e="http://schemas.xmlsoap.org/soap/encoding/"
    targetNamespace="http://schemas.xmlsoap.org/soap/encoding/">
  <xs:attribute name="arrayType" type="xs:string"/>
  <xs:complexType name="Array">
    <xs:sequence><xs:any minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>
    <xs:attribute ref="e:arrayType"/>
  </xs:complexType>
</xs:schema>"""


class Transport(zeep.Transport):
    def load(self, url):
        return ENCODING if url == "http://schemas.xmlsoap.org/soap/encoding/" else super().load(url)


WORDS = ["grid", "XML", "piece", "differential", "Only", "<again>", "&", "ž", "none such", "x]]>y"]


def some_double(choice):
    """Any double that is a number, or a short one."""
    if choice.random() < 0.3:
        return choice.choice([0.0, 1.5, -2.25, 1e22, 1e-300, 5e-324, 1.7976931348623157e308, 0.1])
    while True:
        value = struct.unpack("<d", choice.randbytes(8))[0]
        if math.isfinite(value):
            return value


def added(values):
    total = 0.0
    for value in values:
        total += value
    return total


def same(a, b):
    return a == b or math.isnan(a) and math.isnan(b)


def search(client, encoded, choice):
    question = " ".join(choice.choice(WORDS) for _ in range(choice.randrange(1, 3)))
    start, most = choice.randrange(2), choice.randrange(4)
    if encoded:
        result = client.doGoogleSearch("key", question, start, most, True, "", False, "", "latin1", "latin1")
        asked, found = result["searchQuery"], result["resultElements"]
        found = [item["title"] for item in (found["_value_1"] if isinstance(found, dict) else found) or []]
    else:
        lr = choice.choice([None, "lang_cs"])
        result = client.search(q=question, start=start, maxResults=most, lr=zeep.xsd.Nil if lr is None else lr)
        asked, found = result["q"], [item["title"] for item in result["result"] or []]
    assert asked == question, (asked, question)
    assert len(found) <= most and result["estimatedTotalResultsCount"] >= len(found), result
    return len(found)


def total(client, encoded, values):
    if encoded:
        item = zeep.xsd.Element("item", zeep.xsd.Double())
        return client.sendDoubles({"_value_1": [zeep.xsd.AnyObject(item, value) for value in values]})
    result = client.sum(data=values)
    assert result["count"] == len(values), (result, values)
    return result["sum"]


def refused(call):
    try:
        call()
    except zeep.exceptions.Fault as fault:
        return fault
    raise AssertionError("it was not refused")


def main():
    client = zeep.Client(sys.argv[1], transport=Transport())
    choice = random.Random(7)
    calls = 0
    for port in ["LiteralPort", "Literal12Port", "EncodedPort"]:
        service = client.bind("SearchService", port)
        encoded = port == "EncodedPort"
        found = sum(search(service, encoded, choice) for _ in range(60))
        assert found > 10, found
        values = [some_double(choice) for _ in range(200)]
        for _ in range(60):
            # A few change, and the array becomes longer or shorter.
            for _ in range(choice.randrange(6)):
                values[choice.randrange(len(values))] = some_double(choice)
            at = choice.randrange(len(values))
            values[at : at + choice.randrange(3)] = [some_double(choice) for _ in range(choice.randrange(3))]
            given = total(service, encoded, values)
            assert same(given, added(values)), (given, added(values))
        calls += 120
    literal = client.bind("SearchService", "LiteralPort")
    fault = refused(lambda: literal.search(q="a", start=-1, maxResults=1, lr="lang_cs"))
    assert "negative" in fault.message and fault.code.endswith("Client"), (fault.code, fault.message)
    soap12 = client.bind("SearchService", "Literal12Port")
    fault = refused(lambda: soap12.search(q="a", start=-1, maxResults=1, lr="lang_cs"))
    assert "negative" in fault.message and fault.code.endswith("Sender"), (fault.code, fault.message)
    print(f"{calls} calls")


if __name__ == "__main__":
    main()
