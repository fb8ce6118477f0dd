from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypedDict, TypeVar, final, overload

from typing_extensions import Buffer, Unpack

__version__: str

_Path = str | PathLike[str]
_Limits = str | Mapping[str, int]
_T = TypeVar("_T")

class _TsfReading(TypedDict, total=False):
    lengths: Literal["bytes", "chars"] | None
    types: str | None

class _TsfWriting(TypedDict, total=False):
    lengths: Literal["bytes", "chars"] | None
    binary_from_base64: bool | Sequence[str] | None

class _Text(TypedDict, total=False):
    pretty: bool | None

class _Xml(_Text, total=False):
    plain_xml: bool | None
    number_items: bool | None
    empty_tags: Literal["single", "pair"] | None
    line_ends: Literal["lf", "crlf"] | None

class _Reading(_TsfReading, total=False):
    plain_xml: bool | None

class _Options(_Xml, _Reading, total=False):
    from_lengths: Literal["bytes", "chars"] | None
    from_types: str | None
    sort_attributes: bool | None
    keep_entity_references: bool | None
    binary_from_base64: bool | Sequence[str] | None
    canonical: bool | None
    strings: Literal["none", "deflate", "bzip2", "zstd"] | None
    strings_from: int | None
    paper: bool | None
    scheme: Literal["aggregated", "grouped", "smaller"] | None
    binary: Literal["base64", "mime"] | None
    drop_comments: bool | None
    drop_mixed: bool | None
    embed_schema: bool | None
    soap: bool | None

@overload
def pon_loads(data: Buffer, /, *, type: type[_T], limits: _Limits | None = None) -> _T: ...
@overload
def pon_loads(data: Buffer, /, *, type: Any = None, limits: _Limits | None = None) -> Any:
    """Reads a PON message.

    With `type` the result is an object of a class: a dataclass, `msgspec.Struct`, `TypedDict`, `NamedTuple`, or of other types that
    msgspec knows, such as `list[Order]`. Fields are checked; the path of an `Error` leads to the one that is refused. It
    needs msgspec: `pip install 'lengthwise[typed]'`. The guide says of which types no `dict`s are made first.

    All of the message is checked. `Error` is raised with the offset and the path of the fault; also for an object that has
    a key twice, of which a `dict` could keep one only.

    `data` is `bytes`, or any other buffer, which is copied first: it may change meanwhile.
    """

def pon_dumps(obj: Any, /, *, default: Callable[[Any], Any] | None = None) -> bytes:
    """Writes an object as a PON message.

    `default` gets each object of a type that PON has nothing for, and returns another one. Without it, dataclasses,
    `msgspec.Struct` and attrs are written by their fields and enumerations by their value, if msgspec is installed. Keys must
    be `str`.
    """

@overload
def tsf_loads(
    data: Buffer, /, *, type: type[_T], limits: _Limits | None = None, **options: Unpack[_TsfReading]
) -> _T: ...
@overload
def tsf_loads(
    data: Buffer, /, *, type: Any = None, limits: _Limits | None = None, **options: Unpack[_TsfReading]
) -> Any:
    """Reads a TSF message of JSON values. `type` is that of `pon.loads`.

    `types` is its type set: `json`, `value`, or the text of one of your own; by default it is judged by the message. XML is
    refused: read it with `Document`. `lengths` is what lengths count, `bytes` or `chars`.
    """

def tsf_dumps(
    obj: Any,
    /,
    *,
    types: str = "value",
    default: Callable[[Any], Any] | None = None,
    **options: Unpack[_TsfWriting],
) -> bytes:
    """Writes an object as a TSF message, in the type set `value`, `json`, `xml`, or one of your own, by its text.

    `binary_from_base64` is that of `convert`, which warns of names that no string has.
    """

def convert(
    data: Buffer,
    source: str,
    target: str,
    *,
    schema: Schema | None = None,
    limits: _Limits | None = None,
    lossless: bool = False,
    **options: Unpack[_Options],
) -> bytes:
    """Converts a message from one format to another.

    The formats are those of the command: `xml`, `json`, `tsf`, `pon`, `infoset-uper`, `infoset-aper`, `infoset-ber`, `uper`,
    `aper`, `ber`, `der`, `cer`, `oer`, `coer`, `xer`, `cxer`, `asn1`, `tdxml`. Those of ASN.1 need a `schema`.

    `lossless` reads the result back, and raises an `Error` if anything would be dropped or changed.
    `convert_with_losses` lists it.

    The other options have the names of the command's, with `_` for `-`, and are described in its manual:

    | option | for |
    | --- | --- |
    | `pretty` | writing XML and JSON |
    | `plain_xml` | XML without namespaces |
    | `keep_entity_references` | XML and infosets on both sides: references to external entities are kept |
    | `number_items`, `empty_tags`, `line_ends` | writing XML; `number_items` for JSON |
    | `lengths`, `types`, `from_lengths`, `from_types`, `sort_attributes` | TSF; a type set of your own by its text |
    | `binary_from_base64` | writing PON and TSF: `True`, or a list of names of members |
    | `strings`, `strings_from`, `paper` | writing infosets |
    | `canonical` | writing UPER, APER, BER, OER and XER: the only encoding of a value |
    | `scheme`, `binary`, `drop_comments`, `drop_mixed`, `embed_schema`, `soap` | writing TDXML |

    An option that has no effect for the two formats is refused, unless it is `None` or `False`. Names for `binary_from_base64`
    that no string has, and members of these names that are no strings, are warned of (`UserWarning`).

    >>> import lengthwise
    >>> lengthwise.convert(b'{"t": [21.50, null]}', "json", "tsf", types="value")
    b'1{2t[5%21.500~'
    >>> lengthwise.convert(b"[1]", "json", "pon", pretty=True)
    Traceback (most recent call last):
        ...
    lengthwise.Error: unsupported: found the option 'pretty' for json to pon, expected writing XML or JSON
    """

def convert_with_losses(
    data: Buffer,
    source: str,
    target: str,
    *,
    schema: Schema | None = None,
    limits: _Limits | None = None,
    **options: Unpack[_Options],
) -> tuple[bytes, list[Loss]]:
    """Converts a message as `convert` does, and lists what that drops or changes: one `Loss` for each kind.

    >>> import lengthwise
    >>> table, losses = lengthwise.convert_with_losses(b"<a><!-- b --><c>1</c></a>", "xml", "tdxml", drop_comments=True)
    >>> losses
    [<lengthwise.Loss: 1 comment dropped (line 1, column 4, in /a)>]
    >>> losses[0].kind, losses[0].count, losses[0].path, losses[0].offset
    ('comment', 1, '/a', 3)
    """

@final
class Loss:
    """What a conversion drops or changes, of one kind."""

    @property
    def kind(self) -> str:
        """`comment`, `spelling`, `value` and so on: the kinds that the manual of the command lists."""

    @property
    def count(self) -> int: ...
    @property
    def path(self) -> str:
        """The path of the first."""

    @property
    def offset(self) -> int | None:
        """Bytes from the start of the input to the first, if it is at one place there."""

    @property
    def line(self) -> int | None:
        """The line of the first in text, from 1."""

    @property
    def column(self) -> int | None:
        """Its column, in characters from 1."""

def compare(
    data: Buffer, source: str, *, schema: Schema | None = None, limits: _Limits | None = None
) -> dict[str, int | Exception]:
    """The bytes that a message takes in each format, or the `Error` why the format cannot hold it."""

def messages(
    source: _Path | Buffer | _File,
    *,
    framing: str | None = None,
    types: Literal["json", "value", "xml"] | None = None,
    hex: bool = False,
    port: str | None = None,
    limits: _Limits | None = None,
) -> Messages:
    """The messages of a file or a stream, one by one, as `bytes`.

    `source` is a path, a binary file, which is read as the messages are asked for, or the bytes themselves. `framing` is how
    messages follow each other: `ber`, `u16be`, `u32be`, `fixed:N`, `hex-lines`, `lines`, `json`, `pon`, `tsf`; without it there
    is one message, or a line is one in files whose names end with `.jsonl` or `.ndjson`. `hex` and `port` are those of
    `Schema.read`. zstd and gzip are decompressed. `types` is the type set of TSF: `value` for what `tsf.dumps` writes.

    >>> from lengthwise import messages, pon
    >>> stream = pon.dumps({"id": 1}) + pon.dumps([2, 3])
    >>> [pon.loads(message) for message in messages(stream, framing="pon")]
    [{'id': 1}, [2, 3]]
    """

@final
class Messages:
    """The messages that `messages` finds. After an `Error` in a line of digits or a packet the next one can be read."""

    def __iter__(self) -> Messages: ...
    def __next__(self) -> bytes: ...

class _File(Protocol):
    def read(self, size: int, /) -> bytes: ...

@final
class Schema:
    """Types of messages, from modules of ASN.1, XML Schema or WSDL. It never changes, can be pickled, and any number of
    threads can use it at once.

    | ASN.1 | Python |
    | --- | --- |
    | BOOLEAN, NULL, INTEGER | `bool`, `None`, `int` of any size |
    | REAL | `float`; `decimal.Decimal` where the type allows base 10 only, as decimals of XML Schema do |
    | ENUMERATED, strings, times, object identifiers | `str` |
    | OCTET STRING | `bytes` |
    | BIT STRING | a tuple of `bytes` and the number of bits |
    | SEQUENCE, SET | `dict`, without absent components |
    | SEQUENCE OF, SET OF | `list` |
    | CHOICE | a tuple of the name and the value |
    | open types | the value if a table has its type, otherwise `{"per": "0A"}` |
    """

    @staticmethod
    def from_asn1(*paths: _Path, root: str | None = None, limits: _Limits | None = None) -> Schema:
        """Reads modules of ASN.1 from files, and from folders of `.asn` and `.asn1` files.

        `root` is the type of messages. By default it is the only type that no other refers to.
        """

    @staticmethod
    def parse(text: str, *, root: str | None = None, limits: _Limits | None = None) -> Schema:
        """Reads the text of modules of ASN.1."""

    @staticmethod
    def from_xsd(
        *paths: _Path,
        root: str | None = None,
        catalog: Mapping[str, _Path] | None = None,
        limits: _Limits | None = None,
    ) -> Schema:
        """Reads documents of XML Schema.

        They may import and include others in and below their folders; `catalog` has documents for namespaces whose imports
        name none. `root` is the global element of messages; in XML the message says it.
        """

    @staticmethod
    def from_wsdl(
        *paths: _Path, catalog: Mapping[str, _Path] | None = None, limits: _Limits | None = None
    ) -> Schema:
        """Reads the description of a service (WSDL 1.1). Messages are the SOAP envelopes of its literal messages."""

    @staticmethod
    def infer(
        messages: _Path | Iterable[bytes] | _ArrowArray | _ArrowStream,
        *,
        rules: str = "json",
        framing: str | None = None,
        sample: int = 65536,
        limits: _Limits | None = None,
    ) -> Schema:
        """Infers the type of documents that come without one, for `decode_batch` and `read`.

        `messages` are documents of JSON values, or the path of a file with them; `rules` is `json`, `pon` or `tsf`, and then
        the default of the schema; `framing` is that of `read`. At most `sample` of them are looked at. Numbers without a
        fraction are integers, unless one at the same place has one. Every member may be absent or `null`, and items of lists
        may be `null`. Of values of several kinds at one place the first decides, and the messages with others are refused when
        they are read. If no message can be read, the `Error` of the first is raised.
        """

    @property
    def root(self) -> str | None:
        """The name of the type of messages, if it is known."""

    @property
    def types(self) -> list[str]:
        """The names of all types: `Module.Type`."""

    @property
    def warnings(self) -> list[str]:
        """What is not right in modules of ASN.1 but was read: `a.asn1: module M ends without END (line 3)`."""

    @overload
    def decode(
        self,
        data: Buffer,
        *,
        type: type[_T],
        rules: str | None = None,
        root: str | None = None,
        defaults: bool = False,
        limits: _Limits | None = None,
    ) -> _T: ...
    @overload
    def decode(
        self,
        data: Buffer,
        *,
        type: Any = None,
        rules: str | None = None,
        root: str | None = None,
        defaults: bool = False,
        limits: _Limits | None = None,
    ) -> Any:
        """Reads a message. `type` is that of `pon.loads`.

        `rules` is `uper` (the default of ASN.1), `aper`, `ber`, `der`, `cer`, `oer`, `coer`, `xer`, `cxer`, `json`, `pon`,
        `asn1`, or `xml` (the default of XML Schema and WSDL). `defaults` adds components that were left out because they have
        their default.
        """

    def encode(
        self, obj: Any, *, rules: str | None = None, root: str | None = None, canonical: bool = False
    ) -> bytes:
        """Writes an object as a message.

        The object is what `decode` returns, with any tuple for a list, or one of a class, whose fields that are `None` are absent
        components. What
        `json.loads` makes of the JSON of X.697 is taken as well: hexadecimal digits for octets, a `dict` with one member for a
        CHOICE. The path of an `Error` leads to the value that is refused.
        """

    def encode_batch(
        self,
        table: _ArrowArray | _ArrowStream,
        *,
        rules: str | None = None,
        root: str | None = None,
        canonical: bool = False,
    ) -> list[bytes]:
        """Writes the rows of a table of Arrow as messages, in every format that `decode_batch` reads.

        `table` is a `Batch`, or a table of pyarrow, polars, pandas and others, which must not be changed meanwhile. It has the
        columns that `decode_batch` makes, or others that hold the same: integers of any size, texts and octets of any layout, dates, times
        and timestamps of any unit, decimals. A timestamp with a time zone is a moment, which is written in UTC.
        Null is a component that is absent. The path of an `Error` begins with the number of the row.
        """

    def decode_batch(
        self,
        messages: Iterable[bytes | None] | _ArrowArray | _ArrowStream,
        *,
        rules: str | None = None,
        root: str | None = None,
        columns: list[str] | tuple[str, ...] | None = None,
        exclude_columns: list[str] | tuple[str, ...] | None = None,
        times: Literal["exact", "utc", "local"] = "exact",
        errors: Literal["raise", "null", "collect"] = "raise",
        limits: _Limits | None = None,
    ) -> Batch:
        """Reads messages into Arrow columns: PER, BER and OER, XML by XML Schema or WSDL, XER, JSON, PON and TSF.

        `messages` are `bytes`, or a binary array or column of pyarrow, polars and others, which must not be changed meanwhile.
        The row of `None`, or null, is null.

        `columns` has the paths of the columns that are built: `id`, `place/latitude`; in a name `~1` is `/`, and `~0` is `~`. Other
        members of JSON, PON and TSF may then be of any kind, or unknown. Those of `exclude_columns` are left out. With `errors="null"` the row of a refused message is null,
        and with `"collect"` it has no row; both list it in `Batch.errors`.

        Times are texts, as in the message, but DATE is a date of Arrow. With `times="utc"` dates, times of day and date-times are of
        Arrow's types: a date-time must have a time zone, and becomes a timestamp in UTC. With `times="local"` it must have none,
        unless its type demands one. A message with a time that such a column cannot hold is refused.
        """

    def read(
        self,
        path: _Path,
        *,
        framing: str | None = None,
        rules: str | None = None,
        root: str | None = None,
        columns: list[str] | tuple[str, ...] | None = None,
        exclude_columns: list[str] | tuple[str, ...] | None = None,
        times: Literal["exact", "utc", "local"] = "exact",
        errors: Literal["raise", "null", "collect"] = "raise",
        batch_size: int = 65536,
        hex: bool = False,
        port: str | None = None,
        part: tuple[int, int] | None = None,
        limits: _Limits | None = None,
    ) -> BatchReader:
        """Reads the messages of a file, as `decode_batch` does, into batches of columns, with memory for one batch.

        `framing` is how messages follow each other: `ber`, `u16be`, `u32be`, `fixed:N`, `hex-lines`, `lines`; without it the
        file is one message, or JSON Lines if its name ends with `.jsonl` or `.ndjson`. With `hex` the file is hexadecimal text;
        with `port` (`38412`, `sctp:38412`, `tcp:N`, `udp:N`) it is a capture of a network. Files that are compressed by zstd or
        gzip are decompressed. `columns`, `exclude_columns`, `times` and `errors` are those of `decode_batch`.

        `part` are two offsets in bytes: only messages that begin between them are read, the second excluded. Parts that follow each
        other have all messages of a file, each once. It needs the framing `fixed:N`, `hex-lines` or `lines`, and a file that is not
        compressed; `Error` of kind `unsupported` says so otherwise.
        """

    def __reduce__(self) -> tuple[Any, ...]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None, /) -> Any: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None, /) -> tuple[Any, Any]: ...

@final
class Batch:
    """Messages as Arrow columns.

    pyarrow, polars, DuckDB, pandas and others take it without a copy: `pyarrow.record_batch(batch)`,
    `polars.DataFrame(batch)`.
    """

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""

    @property
    def errors(self) -> list[tuple[int, Exception]]:
        """The messages that were refused: their place among all, and the `Error`."""

    @property
    def refused(self) -> list[bytes]:
        """The bytes of the messages that were refused, in the order of `errors`, if they were read from a file."""

    def __len__(self) -> int: ...
    def __getitem__(self, name: str, /) -> Column: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...

@final
class BatchReader:
    """The messages of a file as batches, one after the other.

    pyarrow, polars, DuckDB and others take it as a stream: `pyarrow.RecordBatchReader.from_stream(reader)`.
    """

    @property
    def errors(self) -> list[tuple[int, Exception]]:
        """The messages that were refused so far: their place among all of the file, and the `Error`."""

    def __iter__(self) -> BatchReader: ...
    def __next__(self) -> Batch: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

@final
class Template:
    """XML messages that are like each other: of each only what differs from one before is read.

    >>> from lengthwise import Schema, Template
    >>> orders = Template(Schema.from_xsd("samples/order.xsd"))
    >>> message = open("samples/order.xml", "rb").read()
    >>> orders.read(message, at="currency"), orders.read(message, at=["currency", "other"])
    ('EUR', ['EUR', None])
    >>> orders.stats["messages"]
    2

    The schema is one of `Schema.from_xsd` or `Schema.from_wsdl`. Several kinds of messages may come in turn; `memory` bounds what is
    kept of them, in bytes. Several threads may read at once.
    """

    def __new__(cls, schema: Schema, *, memory: int = 16777216, limits: _Limits | None = None) -> Template: ...
    def read(self, data: Buffer, *, at: str | list[str] | None = None, defaults: bool = False) -> Any:
        """The message as `Schema.decode` has it, or only what is at a path, or at each of several; `None` where nothing is.

        A path has the names of `dict`s and the numbers of items: `lines/line/0/title`. Making objects takes longer than
        reading a message that differs in little, so name what you need.
        """

    @property
    def stats(self) -> dict[str, int]:
        """How many `messages` were read, `regular` ones among them as a whole; `errors`; `bytes` and `bytes_skipped`; `memory`."""

@final
class Column:
    """One column of a `Batch`: `pyarrow.array(batch["id"])`."""

    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...

@final
class Document:
    """A message of any format as a tree of units, without a schema."""

    @staticmethod
    def read(
        data: Buffer,
        format: str | None = None,
        *,
        schema: Schema | None = None,
        limits: _Limits | None = None,
        **options: Unpack[_Reading],
    ) -> Document:
        """Reads a message. Without `format` it is judged by how the message begins. The options are those of `convert`."""

    @property
    def format(self) -> str:
        """The format that the message was read as."""

    @property
    def vocabulary(self) -> str:
        """What the units mean: `xml`, `json` or `value`."""

    @property
    def units(self) -> int:
        """The number of units on all levels."""

    @property
    def root(self) -> Node | None:
        """The outermost unit."""

    def get(self, path: str) -> Node | None:
        """The unit at a path such as `/order/@id`, `/order/line[2]` or `/readings/3/t`, or `None`. A query that
        may lead to several is an `Error`: see `find_all`."""

    def find_all(self, query: str) -> list[Node]:
        """The units that a query finds, in the order of the document: `//line[@sku]`, `/users/*[age>=18]/name`, as those of the
        command's `get`."""

    def to(self, format: str, *, schema: Schema | None = None, **options: Unpack[_Options]) -> bytes:
        """The document as a message of a format. The options are those of `convert`."""

    def to_xml(self, **options: Unpack[_Xml]) -> bytes:
        """The document as XML."""

    def to_json(self, **options: Unpack[_Text]) -> bytes:
        """The document as JSON."""

    def to_python(self) -> Any:
        """The document as objects, if it is one of JSON values."""

    def __getitem__(self, path: str, /) -> Node: ...
    def __contains__(self, path: str, /) -> bool: ...
    def __iter__(self) -> Iterator[Node]: ...

@final
class Node:
    """One unit of a `Document`."""

    @property
    def name(self) -> str | None:
        """The name of a member, an element or an attribute; `None` for an item."""

    @property
    def kind(self) -> str:
        """The type character of the unit, as TSF has it: `<` is an element, `{` an object, `*` binary data."""

    @property
    def path(self) -> str:
        """The path, as `Document.get` takes it."""

    @property
    def text(self) -> str:
        """The data of a unit that holds no others."""

    @property
    def payload(self) -> memoryview:
        """The same as bytes, without a copy if the message has them as they are."""

    def to_python(self) -> Any:
        """The unit as an object, if it is a JSON value."""

    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[Node]: ...
    def __getitem__(self, key: str | int, /) -> Node: ...

@final
class View:
    """An object or an array in a PON message. Only what is asked for is read, so an error in another part is not found.

    >>> from lengthwise import pon
    >>> view = pon.View(pon.dumps({"id": 7, "image": bytes(1000), "tags": ["in", "out"]}))
    >>> view["id"], view["/tags/1"], len(view["image"])
    (7, 'out', 1000)

    Containers are views, and binary data is a `memoryview` of the message, without a copy. A message that is not `bytes` is
    copied first: it may change meanwhile. A view is pickled and copied as a message of its value alone.
    """

    def __new__(cls, data: Buffer) -> View: ...
    @property
    def kind(self) -> str:
        """`object` or `array`."""

    def get(self, key: str | int, default: Any = None) -> Any:
        """The value of a key, at an index, or at a path that begins with `/` (RFC 6901), or `default`."""

    def keys(self) -> list[str]:
        """The keys of an object."""

    def values(self) -> list[Any]:
        """The values of an object, or the items of an array."""

    def items(self) -> list[tuple[str, Any]]:
        """The keys and values of an object."""

    def to_python(self) -> Any:
        """All of it as objects; binary data is copied."""

    def __getitem__(self, key: str | int | slice, /) -> Any: ...
    def __contains__(self, key: object, /) -> bool: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __reversed__(self) -> Iterator[Any]: ...
    def __reduce__(self) -> tuple[type[View], tuple[bytes]]: ...
