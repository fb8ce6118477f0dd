"""The data source for Spark, held against `decode`."""

import gzip
import os
import struct
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from lengthwise import Schema
from lengthwise.spark import from_lengthwise, register, to_lengthwise
from pyspark import TaskContext
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

MODULE = (
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN"
    " T ::= SEQUENCE { id INTEGER (0..65535), kind ENUMERATED { voice, data },"
    " at SEQUENCE { x INTEGER (0..255), y INTEGER (0..255) }, parts SEQUENCE OF Part,"
    " value CHOICE { number INTEGER, text UTF8String }, name UTF8String OPTIONAL }"
    " Part ::= SEQUENCE { kind ENUMERATED { a, b } } END"
)
schema = Schema.parse(MODULE)


def record(n: int) -> dict[str, object]:
    value = ("number", n) if n % 2 else ("text", f"t{n}")
    parts = [{"kind": "ab"[at % 2]} for at in range(n % 4)]
    place = {"x": n % 256, "y": n % 7}
    return {"id": n, "kind": "data" if n % 3 else "voice", "at": place, "parts": parts, "value": value, "name": f"n{n}"}


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    # A task is tried three times.
    builder = SparkSession.builder.master("local[2,3]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.host", "127.0.0.1").config("spark.sql.shuffle.partitions", "2").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    register(session)
    yield session
    session.stop()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A module, and two files of 500 messages, of which one in a hundred is spoiled in the second."""
    folder = tmp_path_factory.mktemp("messages")
    (folder / "m.asn1").write_text(MODULE)
    (folder / "in").mkdir()
    for name, start in (("a", 0), ("b", 500)):
        messages = [schema.encode(record(n)) for n in range(start, start + 500)]
        if name == "b":
            messages = [message[:3] if at % 100 == 9 else message for at, message in enumerate(messages)]
        data = b"".join(struct.pack(">H", len(message)) + message for message in messages)
        (folder / "in" / name).write_bytes(data)
    return folder


def load(spark: SparkSession, place: Path, file: str = "", kind: str | None = None, **options: str) -> DataFrame:
    reader = spark.read.format("lengthwise").option("schema", str(place / "m.asn1")).option("framing", "u16be")
    for name, value in options.items():
        reader = reader.option(name, value)
    if kind is not None:
        reader = reader.schema(kind)
    return reader.load(str(place / "in" / file))


def test_rows_are_what_decode_has(spark: SparkSession, place: Path) -> None:
    rows = load(spark, place, "a").orderBy("id").collect()
    assert len(rows) == 500
    for n in (0, 1, 7, 499):
        row, expected = rows[n].asDict(recursive=True), record(n)
        tag, value = expected["value"]  # type: ignore[misc]
        assert row["value"] == {"_tag": tag, "number": None, "text": None} | {tag: value}  # type: ignore[has-type]
        assert row["_corrupt_record"] is None
        for name in ("id", "kind", "at", "parts", "name"):
            assert row[name] == expected[name]


def test_messages_that_cannot_be_read_are_null_or_left_out_or_an_error(spark: SparkSession, place: Path) -> None:
    table = load(spark, place, batchSize="64").cache()
    assert (table.count(), table.filter("id is null").count()) == (1000, 5)
    corrupt = [bytes(row[0]) for row in table.filter("id is null").select("_corrupt_record").collect()]
    assert sorted(corrupt) == sorted(schema.encode(record(500 + at))[:3] for at in range(9, 500, 100))
    assert load(spark, place, mode="dropmalformed").count() == 995
    dropped = load(spark, place, kind="id bigint, _corrupt_record binary", mode="DROPMALFORMED")
    assert (dropped.count(), dropped.filter("_corrupt_record is not null").count()) == (995, 0)
    with pytest.raises(PySparkException, match="incomplete at byte"):
        load(spark, place, mode="FAILFAST").count()


def test_a_schema_selects_columns(spark: SparkSession, place: Path) -> None:
    table = load(spark, place, "a", kind="kind string, at struct<x: bigint>, parts array<struct<kind: string>>")
    assert table.columns == ["kind", "at", "parts"]
    sums = {row[0]: row[1] for row in table.groupBy("kind").agg(F.sum("at.x")).collect()}
    expected = {kind: sum(n % 256 for n in range(500) if record(n)["kind"] == kind) for kind in ("voice", "data")}
    assert sums == expected
    assert load(spark, place, "a", columns="id,at/y").columns == ["id", "at", "_corrupt_record"]


def test_a_task_that_is_killed_is_tried_again(spark: SparkSession, place: Path) -> None:
    def killed_once(rows: Iterable[Row]) -> Iterable[int]:
        context = TaskContext.get()
        if context is not None and context.attemptNumber() == 0:
            os._exit(1)
        return (row[0] for row in rows)

    ids = load(spark, place, "a").select("id").rdd.mapPartitions(killed_once).collect()
    assert sorted(ids) == list(range(500))


FIXED = (
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN"
    " T ::= SEQUENCE { id INTEGER (0..65535), x INTEGER (0..200), fill OCTET STRING (SIZE (4)) } END"
)


@pytest.mark.parametrize(("framing", "split"), [("fixed:7", "100"), ("fixed:7", "33"), ("hex-lines", "100"), ("hex-lines", "61")])
def test_long_files_are_split(spark: SparkSession, tmp_path: Path, framing: str, split: str) -> None:
    fixed = Schema.parse(FIXED)
    (tmp_path / "m.asn1").write_text(FIXED)
    messages = [fixed.encode({"id": n, "x": n % 200, "fill": b"fill"}) for n in range(700)]
    # A value beyond its constraint.
    messages[9] = messages[9][:2] + b"\xff" + messages[9][3:]
    is_hex = framing == "hex-lines"
    data = b"".join(message.hex().encode() + b"\n" * (1 + at % 2) if is_hex else message for at, message in enumerate(messages))
    data += b"0g\n" if is_hex else b""
    (tmp_path / "data").write_bytes(data)
    reader = spark.read.format("lengthwise").option("schema", str(tmp_path / "m.asn1")).option("framing", framing)
    whole = reader.load(str(tmp_path / "data"))
    parts = reader.option("splitBytes", split).option("batchSize", "3").load(str(tmp_path / "data"))
    assert whole.rdd.getNumPartitions() == 1 and parts.rdd.getNumPartitions() >= len(data) // int(split)
    assert sorted(map(str, parts.collect())) == sorted(map(str, whole.collect()))
    # A line that has no digits is no message.
    spoiled = [messages[9], b""] if is_hex else [messages[9]]
    assert [bytes(row[0]) for row in parts.filter("id is null").select("_corrupt_record").collect()] == spoiled
    # What is compressed is one part.
    (tmp_path / "packed").write_bytes(gzip.compress(data, mtime=0))
    packed = reader.option("splitBytes", "10").load(str(tmp_path / "packed"))
    assert packed.rdd.getNumPartitions() == 1 and packed.count() == whole.count() == 700 + is_hex


def test_files_that_come_are_read_once(spark: SparkSession, place: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()

    def put(name: str, numbers: range) -> None:
        data = b"".join(struct.pack(">H", len(message)) + message for message in map(schema.encode, map(record, numbers)))
        (tmp_path / name).write_bytes(data)
        past = time.time() - 5
        os.utime(tmp_path / name, (past, past))
        os.rename(tmp_path / name, folder / name)

    def run() -> list[int]:
        reader = spark.readStream.format("lengthwise").option("schema", str(place / "m.asn1")).option("framing", "u16be")
        stream = reader.load(str(folder)).select("id").writeStream.format("parquet")
        stream = stream.option("checkpointLocation", str(tmp_path / "checkpoint")).trigger(availableNow=True)
        query = stream.start(str(tmp_path / "out"))
        assert query.awaitTermination(120)
        return sorted(row[0] for row in spark.read.parquet(str(tmp_path / "out")).collect())

    put("a", range(10))
    assert run() == list(range(10))
    # Another run, as after a restart, reads what is new.
    put("b", range(10, 30))
    put("c", range(30, 40))
    assert run() == list(range(40))
    assert run() == list(range(40))


def test_rows_are_written_as_messages(spark: SparkSession, place: Path) -> None:
    module = str(place / "m.asn1")
    messages = [(n, bytearray(schema.encode(record(n)))) for n in range(50)] + [(50, None)]
    table = spark.createDataFrame(messages, "n int, value binary").repartition(3)
    decode, encode = from_lengthwise(module), to_lengthwise(module)
    again = table.select("n", "value", encode(decode(table["value"])).alias("again")).orderBy("n").collect()
    assert [row["again"] for row in again] == [row["value"] for row in again]
    outside = table.select(encode(F.struct(F.lit(70000).alias("id"))))
    with pytest.raises(PySparkException, match="no column kind"):
        outside.collect()


def test_a_column_of_messages_is_decoded(spark: SparkSession, place: Path) -> None:
    messages = [(n, bytearray(schema.encode(record(n)))) for n in range(50)] + [(50, bytearray(b"\1")), (51, None)]
    table = spark.createDataFrame(messages, "n int, value binary")
    decode = from_lengthwise(str(place / "m.asn1"), columns=["id", "at/x"])
    rows = table.select("n", decode(table["value"]).alias("m")).orderBy("n").select("n", "m.id", "m.at.x").collect()
    assert [tuple(row) for row in rows[:50]] == [(n, n, n) for n in range(50)]
    assert [tuple(row) for row in rows[50:]] == [(50, None, None), (51, None, None)]
    assert table.filter(decode(table["value"]).isNull()).count() == 2
    strict = from_lengthwise(str(place / "m.asn1"), mode="FAILFAST")
    with pytest.raises(PySparkException, match="incomplete"):
        table.select(strict(table["value"])).collect()


XSD = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="end" type="xs:string"/>
<xs:element name="reading"><xs:complexType><xs:sequence><xs:element name="celsius" type="xs:int" maxOccurs="2"/></xs:sequence>
<xs:attribute name="room" type="xs:string"/></xs:complexType></xs:element></xs:schema>"""


def test_a_folder_of_xml_is_a_table(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "reading.xsd").write_text(XSD)
    for n in range(300):
        text = f'<reading room="r{n}"><celsius>{n}</celsius></reading>' if n != 7 else "<reading/>"
        (tmp_path / "in" / f"{n:03}.xml").write_text(text)
    reader = spark.read.format("lengthwise").option("schema", str(tmp_path / "reading.xsd")).option("root", "reading")
    table = reader.load(str(tmp_path / "in"))
    assert table.rdd.getNumPartitions() == 3
    rows = {row["room"]: row["celsius"] for row in table.filter("room is not null").collect()}
    assert rows == {f"r{n}": [n] for n in range(300) if n != 7}
    assert [bytes(row[0]) for row in table.filter("room is null").select("_corrupt_record").collect()] == [b"<reading/>"]
    # Texts in a column, and rows as XML.
    texts = spark.createDataFrame([(bytearray(b"<reading><celsius>1</celsius></reading>"),)], "value binary")
    decode, encode = (of(str(tmp_path / "reading.xsd"), root="reading") for of in (from_lengthwise, to_lengthwise))
    assert bytes(texts.select(encode(decode(texts["value"]))).collect()[0][0]) == b"<reading><celsius>1</celsius></reading>"
    no_root = spark.read.format("lengthwise").option("schema", str(tmp_path / "reading.xsd"))
    for of in (no_root, no_root.schema("room string")):
        with pytest.raises(PySparkException, match="2 global elements"):
            of.load(str(tmp_path / "in")).count()


def test_options_are_checked(spark: SparkSession, place: Path) -> None:
    for options, words in (
        ({"mode": "LAX"}, "unknown mode"),
        ({"frame": "ber"}, "unknown option"),
        ({"columns": "nothing"}, "no component 'nothing'"),
    ):
        with pytest.raises(PySparkException, match=words):
            load(spark, place, "a", **options).collect()
