"""Messages as tables of Spark 4.

`register(spark)` adds the data source `lengthwise`, which reads files of messages:

    spark.read.format("lengthwise").option("schema", "readings.asn1").option("framing", "u16be").load("messages/")

| option | is |
| --- | --- |
| `schema` | the modules of ASN.1, or folders of them; or documents of XML Schema (`.xsd`) or a description (`.wsdl`); with commas between them. Each worker reads them, so they must be where it can |
| `root` | the type or the global element of messages, by default the only one that no other refers to; of a description `{http://schemas.xmlsoap.org/soap/envelope/}Envelope`, or that of SOAP 1.2 |
| `rules` | `uper` (the default), `aper`, `ber`, `der`, `cer`, `oer`, `coer`; `xml`, the default by an XML Schema; `xer`, `json`, `pon`, `tsf` |
| `framing`, `hex`, `port` | as for `Schema.read` |
| `columns` | the paths of the columns that are built, with commas between them |
| `mode` | what becomes of messages that cannot be read: `PERMISSIVE` (the default), `DROPMALFORMED`, `FAILFAST` |
| `columnNameOfCorruptRecord` | the column with the bytes of such a message, by default `_corrupt_record` |
| `batchSize` | rows in a batch |
| `splitBytes` | bytes of a partition, by default 128 MiB |

A schema that is given to `spark.read.schema` selects columns as well: what it does not name is not decoded. In the mode
`PERMISSIVE` the row of a message that cannot be read is null, and has its bytes in `_corrupt_record`.

A file is a partition. One that is longer than `splitBytes` is split where messages are found from any place of it: with the framing
`fixed:N`, `hex-lines` or `lines`, unless it is compressed. Those that are shorter than a sixteenth of that share a partition.

`spark.readStream` reads the files that come into a folder, each once, in the order of their times. A file must be complete
when it gets its name (write it elsewhere and move it), and is read a second after its time, so that others of the same time are there.

`from_lengthwise` makes a function of columns, for messages that are in a table already, such as those of Kafka, and
`to_lengthwise` one that writes messages.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import unquote, urlparse

import pyarrow as pa
from pyspark.sql import Column, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.pandas.functions import arrow_udf
from pyspark.sql.pandas.types import from_arrow_schema, from_arrow_type, to_arrow_schema, to_arrow_type
from pyspark.sql.types import BinaryType, StructType

from lengthwise import Batch, BatchReader, Error, Schema

__all__ = ["LengthwiseDataSource", "from_lengthwise", "register", "to_lengthwise"]

CORRUPT = "_corrupt_record"
# Files share a partition until they have a part of splitBytes, one in so many, or are so many.
SHARED = 16
TOGETHER = 128
ERRORS: dict[str, Literal["raise", "null", "collect"]] = {
    "PERMISSIVE": "null", "DROPMALFORMED": "collect", "FAILFAST": "raise"
}  # fmt: skip
OPTIONS = {
    "path", "paths", "schema", "root", "rules", "framing", "hex", "port", "columns", "mode", "columnnameofcorruptrecord", "batchsize",
    "splitbytes"
}  # fmt: skip


def register(spark: SparkSession) -> None:
    """Adds the data source `lengthwise` to a session."""
    spark.dataSource.register(LengthwiseDataSource)


def schema_of(documents: Sequence[str]) -> Schema:
    """The schema in some files, whose names say what they are."""
    endings = {os.path.splitext(name)[1].lower() for name in documents}
    if ".wsdl" in endings:
        return Schema.from_wsdl(*documents)
    if ".xsd" in endings:
        return Schema.from_xsd(*documents)
    return Schema.from_asn1(*documents)


def plain(kind: pa.DataType) -> pa.DataType:
    """The type as Spark has it: names of enumerations are text, and all numbers have a sign."""
    if pa.types.is_uint64(kind):
        return pa.decimal128(20)
    if pa.types.is_dictionary(kind):
        return kind.value_type
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(plain(field.type)) for field in kind])
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(plain(kind.value_type)))
    return kind


def paths_of(kind: StructType) -> list[str]:
    """The paths of the columns of a schema of Spark."""
    paths = []
    for field in kind.fields:
        inner = field.dataType
        while inner.typeName() == "array":
            inner = inner.elementType  # type: ignore[attr-defined]
        if isinstance(inner, StructType) and inner.fields:
            # The alternative that was chosen is no component.
            steps = [step for step in paths_of(inner) if step != "_tag"]
            paths += [f"{field.name}/{step}" for step in steps] or [field.name]
        else:
            paths.append(field.name)
    return paths


@dataclass(frozen=True)
class Source:
    """What the options say."""

    documents: tuple[str, ...]
    root: str | None
    rules: str | None
    framing: str | None
    hex: bool
    port: str | None
    columns: tuple[str, ...] | None
    mode: str
    corrupt: str
    batch_size: int
    split_bytes: int

    @staticmethod
    def of(options: Mapping[str, str]) -> Source:
        unknown = sorted(name for name in options if name.lower() not in OPTIONS)
        if unknown:
            raise ValueError(f"unknown option {unknown[0]!r}: the options are {', '.join(sorted(OPTIONS))}")
        given = {name.lower(): value for name, value in options.items()}
        if "schema" not in given:
            raise ValueError("the option 'schema' is missing: modules of ASN.1, or documents of XML Schema")
        mode = given.get("mode", "PERMISSIVE").upper()
        if mode not in ERRORS:
            raise ValueError(f"unknown mode {mode!r}: expected {', '.join(ERRORS)}")
        columns = given.get("columns")
        return Source(
            documents=tuple(local(name.strip()) for name in given["schema"].split(",")),
            root=given.get("root"),
            rules=given.get("rules"),
            framing=given.get("framing"),
            hex=given.get("hex", "false").lower() == "true",
            port=given.get("port"),
            columns=None if columns is None else tuple(name.strip() for name in columns.split(",")),
            mode=mode,
            corrupt=given.get("columnnameofcorruptrecord", CORRUPT),
            batch_size=max(1, int(given.get("batchsize", "65536"))),
            split_bytes=max(1, int(given.get("splitbytes", str(128 << 20)))),
        )

    def schema(self) -> Schema:
        return schema_of(self.documents)

    def kind(self) -> pa.Schema:
        """The columns."""
        empty = self.schema().decode_batch([], rules=self.rules, root=self.root, columns=self.columns)
        names = [field.with_type(plain(field.type)) for field in pa.schema(empty)]
        if self.mode == "PERMISSIVE":
            names.append(pa.field(self.corrupt, pa.binary()))
        return pa.schema(names)


def local(path: str) -> str:
    """A path of this machine, which Spark may have as a URI."""
    parts = urlparse(path)
    return unquote(parts.path) if parts.scheme == "file" else path


def files(path: str) -> Iterator[str]:
    """The files at a path, without hidden ones."""
    path = local(path)
    if not os.path.isdir(path):
        yield path
        return
    for folder, inner, names in os.walk(path):
        inner[:] = sorted(name for name in inner if not name.startswith((".", "_")))
        yield from (os.path.join(folder, name) for name in sorted(names) if not name.startswith((".", "_")))


@dataclass(frozen=True)
class Piece:
    """A file, or the messages that begin between two offsets in it."""

    path: str
    part: tuple[int, int] | None = None


@dataclass
class FilePartition(InputPartition):
    """What a task reads."""

    pieces: list[Piece]


class LengthwiseDataSource(DataSource):
    """The data source `lengthwise`."""

    @classmethod
    def name(cls) -> str:
        return "lengthwise"

    def schema(self) -> StructType:
        return from_arrow_schema(Source.of(self.options).kind())

    def reader(self, schema: StructType) -> DataSourceReader:
        return Reader(Files(Source.of(self.options), schema, self.options))

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        return StreamReader(Files(Source.of(self.options), schema, self.options))


class Files:
    """Files of messages, and the columns that become of them."""

    def __init__(self, source: Source, schema: StructType, options: Mapping[str, str]) -> None:
        self.source = source
        # All files are of one type, so a schema that has several needs a root.
        source.kind()
        self.kind = to_arrow_schema(schema)
        names = [name for name in schema.names if name != source.corrupt]
        self.columns = paths_of(StructType([schema[name] for name in names]))
        path = options.get("path")
        if path is None:
            raise ValueError("a path is missing: load(PATH)")
        self.path = path

    def partitions(self, paths: Iterable[str]) -> list[InputPartition]:
        """What tasks read: parts of long files, files, and short files together."""
        most = self.source.split_bytes
        enough = most // SHARED
        found: list[InputPartition] = []
        together: list[Piece] = []
        taken = 0
        for path in paths:
            size = os.path.getsize(path)
            if size > most and self.has_parts(path):
                found += [FilePartition([Piece(path, (begin, begin + most))]) for begin in range(0, size, most)]
            elif size >= enough:
                found.append(FilePartition([Piece(path)]))
            else:
                together.append(Piece(path))
                taken += size
                if taken >= enough or len(together) == TOGETHER:
                    found.append(FilePartition(together))
                    together, taken = [], 0
        return [*found, FilePartition(together)] if together else found

    def has_parts(self, path: str) -> bool:
        """Whether a part of a file can be read alone."""
        try:
            self.reader(self.source.schema(), Piece(path, (0, 0)))
        except Error as error:
            if error.kind == "unsupported":
                return False
            raise
        return True

    def reader(self, schema: Schema, piece: Piece) -> BatchReader:
        source = self.source
        return schema.read(
            piece.path,
            framing=source.framing,
            rules=source.rules,
            root=source.root,
            columns=self.columns,
            errors=ERRORS[source.mode],
            batch_size=source.batch_size,
            hex=source.hex,
            port=source.port,
            part=piece.part,
        )

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, FilePartition)
        schema = self.source.schema()
        for piece in partition.pieces:
            met = 0
            for batch in self.reader(schema, piece):
                yield record_batch(batch, self.kind, self.source, met)
                met += len(batch)


class Reader(DataSourceReader):
    """Reads files into batches of a schema."""

    def __init__(self, files: Files) -> None:
        self.files = files

    def partitions(self) -> Sequence[InputPartition]:
        return self.files.partitions(files(self.files.path))

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return self.files.read(partition)


class StreamReader(DataSourceStreamReader):
    """Reads the files that come into a folder. An offset is the time and the path of the last file."""

    SETTLED = 1_000_000_000

    def __init__(self, files: Files) -> None:
        self.files = files

    def initialOffset(self) -> dict[str, Any]:
        return {"time": -1, "path": ""}

    # Later versions of Spark say where the last batch ended, and how much they want.
    def latestOffset(self, start: Any = None, limit: Any = None) -> dict[str, Any]:
        time_ns, path = max(self.known(), default=(-1, ""))
        return {"time": time_ns, "path": path}

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        after, last = (start["time"], start["path"]), (end["time"], end["path"])
        new = sorted(file for file in self.known() if after < file <= last)
        return self.files.partitions(path for _, path in new)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return self.files.read(partition)

    def known(self) -> Iterator[tuple[int, str]]:
        """The files that are there, with their times."""
        latest = time.time_ns() - self.SETTLED
        for path in files(self.files.path):
            changed = os.stat(path).st_mtime_ns
            if changed <= latest:
                yield changed, path


def record_batch(batch: Batch, kind: pa.Schema, source: Source, met: int) -> pa.RecordBatch:
    """A batch with the columns of a schema; `met` rows came before it."""
    record = pa.record_batch(batch)
    arrays = []
    for field in kind:
        if field.name == source.corrupt:
            refused: list[bytes | None] = [None] * len(batch)
            # In other modes a message that is refused has no row.
            if source.mode == "PERMISSIVE":
                for (place, _), message in zip(batch.errors, batch.refused, strict=True):
                    refused[place - met] = message
            arrays.append(pa.array(refused, pa.binary()).cast(field.type))
        else:
            array = record[field.name]
            arrays.append(array.cast(plain(array.type)).cast(field.type))
    return pa.RecordBatch.from_arrays(arrays, schema=kind)


def from_lengthwise(
    *documents: str,
    root: str | None = None,
    rules: str | None = None,
    columns: list[str] | None = None,
    mode: str = "PERMISSIVE",
) -> Callable[[Column], Column]:
    """A function of a binary column: the message of each row as a structure.

    `documents`, `root` and `rules` are those of the data source. In the mode `PERMISSIVE` a message that cannot be read is null, in
    `FAILFAST` it is an error.

        readings = from_lengthwise("readings.asn1", columns=["sensor", "celsius"])
        table.select(readings("value").alias("reading")).select("reading.*")
    """
    if mode not in ("PERMISSIVE", "FAILFAST"):
        raise ValueError(f"unknown mode {mode!r}: expected PERMISSIVE or FAILFAST")
    schema = schema_of(documents)
    kind = pa.struct(list(pa.schema(schema.decode_batch([], rules=rules, root=root, columns=columns))))
    target = plain(kind)
    errors = ERRORS[mode]

    @arrow_udf(from_arrow_type(target))  # type: ignore[call-overload,untyped-decorator]
    def decode(messages: pa.Array) -> pa.Array:
        batch = schema.decode_batch(messages, rules=rules, root=root, columns=columns, errors=errors)
        is_null = messages.is_null().to_pylist()
        for place, _ in batch.errors:
            is_null[place] = True
        record = pa.record_batch(batch)
        fields = [field.with_nullable(True) for field in record.schema]
        return pa.StructArray.from_arrays(record.columns, fields=fields, mask=pa.array(is_null, pa.bool_())).cast(target)

    return decode  # type: ignore[no-any-return]


def to_lengthwise(*documents: str, root: str | None = None, rules: str | None = None) -> Callable[[Column], Column]:
    """A function of a column of structures: each row as a message, null of null.

    The structure is the one of `from_lengthwise`, or another that holds the same. A row that does not fit is an error.

        write = to_lengthwise("readings.asn1")
        table.select(write(struct("sensor", "celsius")).alias("value"))
    """
    schema = schema_of(documents)

    @arrow_udf(BinaryType())  # type: ignore[call-overload,untyped-decorator]
    def encode(rows: pa.Array) -> pa.Array:
        there = [place for place, is_there in enumerate(rows.is_valid().to_pylist()) if is_there]
        batch = pa.RecordBatch.from_struct_array(rows.take(pa.array(there, pa.int64())))
        messages: list[bytes | None] = [None] * len(rows)
        for place, message in zip(there, schema.encode_batch(batch, rules=rules, root=root), strict=True):
            messages[place] = message
        return pa.array(messages, pa.binary())

    return encode  # type: ignore[no-any-return]
