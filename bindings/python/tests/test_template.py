"""Messages by what differs: each is read as `Schema.decode` reads it, whatever came before."""

import random
import re
import threading
from pathlib import Path

import pytest
from lengthwise import Error, Schema, Template

SAMPLES = Path(__file__).parents[3] / "samples"
orders = Schema.from_xsd(SAMPLES / "order.xsd")
ORDER = (SAMPLES / "order.xml").read_bytes()


def stream(seed: int, count: int) -> list[bytes]:
    """The order with other digits, and some that are spoiled."""
    source = random.Random(seed)
    digits = [place for place, octet in enumerate(ORDER) if chr(octet).isdigit()]
    messages = []
    for _ in range(count):
        message = bytearray(ORDER)
        for place in source.sample(digits, source.randrange(4)):
            message[place] = source.choice(b"0123456789")
        if source.random() < 0.2:
            message[source.randrange(len(message))] = source.choice(b"<>x")
        messages.append(bytes(message))
    return messages


def outcome(read: object, message: bytes) -> object:
    try:
        return read(message)  # type: ignore[operator]
    except Error as error:
        return error.kind, error.offset, error.path, str(error)


def test_messages_are_read_as_by_themselves() -> None:
    template = Template(orders)
    messages = stream(1, 400)
    found = [outcome(template.read, message) for message in messages]
    assert found == [outcome(orders.decode, message) for message in messages]
    refused = sum(isinstance(one, tuple) for one in found)
    stats = template.stats
    assert 40 < refused < 200 and stats["messages"] == 400 and stats["errors"] == refused
    assert stats["bytes_skipped"] > 0, stats


def test_of_long_messages_what_differs_is_read() -> None:
    # Entities of a document's own are read each time.
    order = re.sub(rb"<!DOCTYPE.*?\]>", b"", ORDER, flags=re.DOTALL).replace(b"&house;", b"Lange Gasse 7")
    begin, end = order.index(b"<line "), order.rindex(b"</line>") + len(b"</line>")
    source, template = random.Random(2), Template(orders)
    long = order[:begin] + order[begin:end] * 50 + order[end:]
    digits = [place for place in range(begin, len(long)) if long[place : place + 1].isdigit()]
    for _ in range(20):
        place = source.choice(digits)
        message = long[:place] + source.choice(b"123456789").to_bytes() + long[place + 1 :]
        assert outcome(template.read, message) == outcome(orders.decode, message)
    stats = template.stats
    assert stats["errors"] < 10 and stats["bytes_skipped"] > stats["bytes"] / 2, stats


def test_threads_share_a_template() -> None:
    template = Template(orders, memory=1 << 20)
    failures: list[object] = []

    def work(seed: int) -> None:
        for message in stream(seed, 60):
            if outcome(template.read, message) != outcome(orders.decode, message):
                failures.append(message)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_paths_name_what_becomes_an_object() -> None:
    template = Template(orders)
    whole = template.read(ORDER)
    assert template.read(ORDER, at="currency") == whole["currency"]
    assert template.read(bytearray(ORDER), at=["currency", "nothing/here"]) == [whole["currency"], None]
    assert template.read(ORDER, at="") == whole
    assert template.read(ORDER, defaults=True) == orders.decode(ORDER, defaults=True)


def test_what_cannot_be_is_refused() -> None:
    module = Schema.parse("M DEFINITIONS ::= BEGIN T ::= INTEGER END")
    with pytest.raises(Error, match="a schema of ASN.1 modules"):
        Template(module)
    with pytest.raises(Error) as refused:
        Template(orders, limits={"units": 3}).read(ORDER)
    assert refused.value.kind == "limit"
    with pytest.raises(TypeError):
        Template(orders).read("text")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Template(orders).read(ORDER, at=7)  # type: ignore[arg-type]


def test_another_root_than_the_chosen_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "two.xsd"
    path.write_text(
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'>"
        "<xs:element name='a' type='xs:int'/><xs:element name='b' type='xs:string'/></xs:schema>"
    )
    template = Template(Schema.from_xsd(path, root="a"))
    assert template.read(b"<a>7</a>") == 7
    with pytest.raises(Error, match="as requested"):
        template.read(b"<b>7</b>")


def test_soap_is_read_by_its_description() -> None:
    template = Template(Schema.from_wsdl(SAMPLES / "search.wsdl"))
    for path in sorted((SAMPLES / "requests").glob("*.xml")):
        assert "Body" in template.read(path.read_bytes())
    assert template.stats["errors"] == 0
