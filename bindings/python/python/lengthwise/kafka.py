"""Messages in topics of Kafka, for confluent-kafka: `pip install 'lengthwise[kafka]'`.

`LengthwiseSerializer` and `LengthwiseDeserializer` are its serializers: objects into messages of a schema, and back.

    schema = Schema.from_asn1("readings.asn1")
    producer = SerializingProducer({"bootstrap.servers": "…", "value.serializer": LengthwiseSerializer(schema)})
    producer.produce("readings", value={"sensor": 7, "celsius": 21})

`rows` reads a topic into columns, some thousand messages at a time. It commits nothing, so a program that keeps the offset beside
what it has written has every message once, whatever ends it (`bindings/python/examples/kafka_to_parquet.py`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from confluent_kafka import Consumer, KafkaException, Message
from confluent_kafka.serialization import Deserializer, SerializationContext, Serializer

from lengthwise import Batch, Schema

__all__ = ["LengthwiseDeserializer", "LengthwiseSerializer", "Rows", "rows"]

# The most that a consumer gives at once.
MOST = 1_000_000


class LengthwiseSerializer(Serializer):
    """Writes objects as messages of a schema (`Schema.encode`). `None` stays `None`: Kafka deletes the key then."""

    def __init__(
        self, schema: Schema, *, rules: str | None = None, root: str | None = None, canonical: bool = False
    ) -> None:
        self.schema, self.rules, self.root, self.canonical = schema, rules, root, canonical

    def __call__(self, obj: Any, ctx: SerializationContext | None = None) -> bytes | None:
        if obj is None:
            return None
        return self.schema.encode(obj, rules=self.rules, root=self.root, canonical=self.canonical)


class LengthwiseDeserializer(Deserializer):
    """Reads messages of a schema (`Schema.decode`) as `dict`s, or as objects of the class `type`. `None` stays `None`."""

    def __init__(
        self,
        schema: Schema,
        *,
        type: Any = None,
        rules: str | None = None,
        root: str | None = None,
        defaults: bool = False,
        limits: str | Mapping[str, int] | None = None,
    ) -> None:
        self.schema, self.type, self.rules, self.root = schema, type, rules, root
        self.defaults, self.limits = defaults, limits

    def __call__(self, value: bytes | None, ctx: SerializationContext | None = None) -> Any:
        if value is None:
            return None
        return self.schema.decode(
            value, type=self.type, rules=self.rules, root=self.root, defaults=self.defaults, limits=self.limits
        )


@dataclass(frozen=True)
class Rows:
    """Messages of a partition of a topic, one after the other, as columns."""

    topic: str
    partition: int
    offsets: list[int]
    """The offset of each."""
    messages: list[Message]
    """The messages: their times, keys and headers, and the bytes of those that were refused."""
    batch: Batch
    """Their values. `Batch.errors` has the places of those that were refused in `messages`."""


def rows(
    consumer: Consumer,
    schema: Schema,
    *,
    rules: str | None = None,
    root: str | None = None,
    columns: list[str] | tuple[str, ...] | None = None,
    errors: Literal["raise", "null", "collect"] = "collect",
    limits: str | Mapping[str, int] | None = None,
    most: int = 65536,
    wait: float = 1.0,
    idle: float | None = None,
) -> Iterator[Rows]:
    """The messages that a consumer gets, as columns: each time at most `most` of them, after at most `wait` seconds.

    It ends after `idle` seconds without a message, by default never. `errors` and the others are those of `Schema.decode_batch`. With
    `"collect"` a message without a value has a row of nulls, and one that is refused has none.
    """
    quiet_since = time.monotonic()
    while idle is None or time.monotonic() - quiet_since < idle:
        found: dict[tuple[str, int], tuple[list[int], list[Message]]] = {}
        for message in consumer.consume(min(most, MOST), wait):
            if (error := message.error()) is not None:
                raise KafkaException(error)
            # A message without an error has all three.
            place = (message.topic() or "", message.partition() or 0)
            offsets, messages = found.setdefault(place, ([], []))
            offsets.append(message.offset() or 0)
            messages.append(message)
        for (topic, partition), (offsets, messages) in found.items():
            values = [message.value() for message in messages]
            batch = schema.decode_batch(values, rules=rules, root=root, columns=columns, errors=errors, limits=limits)
            yield Rows(topic, partition, offsets, messages, batch)
        if found:
            quiet_since = time.monotonic()
