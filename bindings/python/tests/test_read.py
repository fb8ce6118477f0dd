"""Files of messages into batches, held against `decode_batch`."""

import gzip
import os
import struct
import threading
from pathlib import Path

import pyarrow as pa
import pytest
from lengthwise import BatchReader, Error, Schema

schema = Schema.parse(
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN"
    " T ::= SEQUENCE { id INTEGER (0..65535), kind ENUMERATED { voice, data }, name UTF8String OPTIONAL } END"
)
records = [{"id": n, "kind": "data" if n % 3 else "voice", "name": f"n{n}"} for n in range(250)]
messages = [schema.encode(record) for record in records]


def framed(parts: list[bytes]) -> bytes:
    return b"".join(struct.pack(">H", len(part)) + part for part in parts)


def rows(reader: BatchReader) -> list[dict[str, object]]:
    return [row for batch in reader for row in pa.record_batch(batch).to_pylist()]


def test_a_file_is_read_batch_by_batch(tmp_path: Path) -> None:
    expected = pa.record_batch(schema.decode_batch(messages)).to_pylist()
    plain, packed, digits = tmp_path / "a.bin", tmp_path / "a.bin.gz", tmp_path / "a.hex"
    plain.write_bytes(framed(messages))
    packed.write_bytes(gzip.compress(framed(messages)))
    digits.write_text("".join(message.hex() + "\n" for message in messages))
    reader = schema.read(plain, framing="u16be", batch_size=100)
    assert [len(batch) for batch in reader] == [100, 100, 50]
    assert list(reader) == []
    for path, framing in ((plain, "u16be"), (packed, "u16be"), (digits, "hex-lines")):
        assert rows(schema.read(path, framing=framing, batch_size=7)) == expected
    assert rows(schema.read(str(plain), framing="u16be", columns=["id"])) == [{"id": row["id"]} for row in expected]
    single = tmp_path / "one.uper"
    single.write_bytes(messages[3])
    assert rows(schema.read(single)) == [expected[3]]


def test_other_libraries_take_the_stream(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(framed(messages))
    table = pa.RecordBatchReader.from_stream(schema.read(path, framing="u16be", batch_size=64)).read_all()
    assert table.num_rows == 250
    assert table["id"].to_pylist() == list(range(250))
    assert pa.schema(schema.read(path, framing="u16be")).names == ["id", "kind", "name"]


def test_what_is_refused_is_listed_with_its_bytes(tmp_path: Path) -> None:
    spoiled = [*messages]
    spoiled[17] = b""
    spoiled[140] = messages[140][:-1]
    path = tmp_path / "a.bin"
    path.write_bytes(framed(spoiled))
    reader = schema.read(path, framing="u16be", errors="collect", batch_size=100)
    batches = list(reader)
    assert [len(batch) for batch in batches] == [100, 100, 48]
    assert [[place for place, _ in batch.errors] for batch in batches] == [[17], [140], []]
    assert [batch.refused for batch in batches] == [[b""], [spoiled[140]], []]
    assert [(place, type(error)) for place, error in reader.errors] == [(17, Error), (140, Error)]
    nulls = rows(schema.read(path, framing="u16be", errors="null"))
    assert [place for place, row in enumerate(nulls) if row["id"] is None] == [17, 140]
    with pytest.raises(Error, match="incomplete") as raised:
        rows(schema.read(path, framing="u16be"))
    assert raised.value.path.startswith("/17")


def test_a_file_that_is_cut_short_keeps_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(framed(messages)[:-1])
    reader = schema.read(path, framing="u16be", errors="collect")
    assert [row["id"] for row in rows(reader)] == list(range(249))
    assert [place for place, _ in reader.errors] == [249]
    with pytest.raises(Error):
        rows(schema.read(path, framing="u16be"))


def test_parts_of_a_file_have_all_messages_once(tmp_path: Path) -> None:
    lines = [message.hex() for message in messages]
    lines[17] = "0g"
    path, packed = tmp_path / "a.hex", tmp_path / "a.hex.gz"
    path.write_text("\n".join(lines) + "\n")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    whole = rows(schema.read(path, framing="hex-lines", errors="null"))
    assert [place for place, row in enumerate(whole) if row["id"] is None] == [17]
    for step in (50, 1000):
        parts = [(begin, begin + step) for begin in range(0, path.stat().st_size, step)]
        readers = [schema.read(path, framing="hex-lines", errors="null", part=part) for part in parts]
        assert [row for reader in readers for row in rows(reader)] == whole
        assert len([error for reader in readers for error in reader.errors]) == 1
    for file, framing in ((path, "u16be"), (packed, "hex-lines")):
        with pytest.raises(Error) as raised:
            schema.read(file, framing=framing, part=(0, 10))
        assert raised.value.kind == "unsupported"


XSD = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="reading"><xs:complexType><xs:sequence>
<xs:element name="celsius" type="xs:int" maxOccurs="unbounded"/><xs:element name="note" type="xs:string" minOccurs="0"/>
</xs:sequence><xs:attribute name="room" type="xs:string"/></xs:complexType></xs:element></xs:schema>"""


def test_xml_by_its_schema_becomes_columns(tmp_path: Path) -> None:
    (tmp_path / "reading.xsd").write_text(XSD)
    readings = Schema.from_xsd(tmp_path / "reading.xsd")
    xml = [f'<reading room="r{n}"><celsius>{n}</celsius><celsius>-1</celsius></reading>'.encode() for n in range(50)]
    expected = [readings.decode(message) for message in xml]
    (tmp_path / "a.xml").write_bytes(b"\n".join([*xml[:20], b"<reading><celsius>x</celsius></reading>", *xml[20:]]))
    reader = readings.read(tmp_path / "a.xml", framing="lines", errors="collect", batch_size=16)
    table = pa.RecordBatchReader.from_stream(reader).read_all()
    assert table.drop(["note"]).to_pylist() == expected
    assert [place for place, _ in reader.errors] == [20]
    assert readings.encode_batch(table) == xml
    for rules in ("json", "xer", "pon", "tsf", "uper"):
        messages = readings.encode_batch(table, rules=rules)
        assert messages == [readings.encode(value, rules=rules) for value in expected]
        assert pa.table(readings.decode_batch(messages, rules=rules)) == table
    with pytest.raises(Error) as raised:
        readings.decode_batch([xml[0], xml[1][:-5]])
    assert (raised.value.kind, raised.value.path) == ("incomplete", "/1")
    assert rows(readings.read(tmp_path / "a.xml", framing="lines", errors="collect", columns=["celsius"]))[3] == {
        "celsius": [3, -1]
    }


def test_arguments_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"")
    assert rows(schema.read(path, framing="u16be")) == []
    for wrong in ({"framing": "u64"}, {"errors": "ignore"}, {"rules": "xml"}, {"columns": ["nothing"]}, {"port": "x"}):
        with pytest.raises(Error):
            schema.read(path, **wrong)
    with pytest.raises(Error) as raised:
        schema.read(tmp_path / "nothing")
    assert raised.value.kind == "io"


def test_the_first_message_says_which_element_the_others_are(tmp_path: Path) -> None:
    first, _, last = XSD.rpartition("</xs:schema>")
    (tmp_path / "reading.xsd").write_text(f'{first}<xs:element name="end" type="xs:boolean"/></xs:schema>{last}')
    readings = Schema.from_xsd(tmp_path / "reading.xsd")
    messages = [b"<", b"<reading><celsius>1</celsius></reading>", b"<end>true</end>"]
    batch = readings.decode_batch(messages, errors="collect")
    assert [place for place, _ in batch.errors] == [0, 2]
    assert pa.record_batch(batch).to_pylist() == [{"room": None, "celsius": [1], "note": None}]
    assert pa.record_batch(readings.decode_batch(messages, root="end", errors="collect")).to_pylist() == [{"value": True}]
    (tmp_path / "a.xml").write_bytes(b"\n".join(messages))
    assert [len(batch) for batch in readings.read(tmp_path / "a.xml", framing="lines", errors="collect")] == [1]
    with pytest.raises(Error, match="2 global elements"):
        readings.decode_batch([])

    # The limits of the call hold where the type is looked for, and `root` where it is read.
    long = b"<reading>" + b" " * 1000 + b"<celsius>1</celsius></reading>"
    batch = readings.decode_batch([long, b"<end>true</end>"], errors="collect", limits={"message_bytes": 500})
    assert ([place for place, _ in batch.errors], len(batch)) == ([0], 1)
    with pytest.raises(Error, match="found <end>, expected <reading>"):
        readings.decode(messages[2], root="reading")


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    first, _, last = XSD.rpartition("</xs:schema>")
    (tmp_path / "reading.xsd").write_text(f'{first}<xs:element name="end" type="xs:boolean"/></xs:schema>{last}')
    readings = Schema.from_xsd(tmp_path / "reading.xsd")
    reader, writer = os.pipe()

    def write() -> None:
        with open(writer, "wb") as file:
            file.write(b"".join(b"<reading><celsius>%d</celsius></reading>\n" % n for n in range(5000)))

    thread = threading.Thread(target=write)
    thread.start()
    pipe = f"/dev/fd/{reader}"
    with pytest.raises(Error, match="2 global elements"):
        readings.read(pipe, framing="lines")
    assert [row["celsius"] for row in rows(readings.read(pipe, framing="lines", root="reading"))] == [
        [n] for n in range(5000)
    ]
    thread.join()
    os.close(reader)
