"""Writes the messages of a topic of Kafka to Parquet, each once.

python kafka_to_parquet.py SERVERS TOPIC SCHEMA.asn1 FOLDER [SECONDS]

A file is named after its partition and its offsets, and gets its name when it is complete. Where to read on after a restart, or a
crash at any time, is in these names, so no message is lost and none is there twice, as long as one program at a time writes to the
folder. It ends after SECONDS without a message.
"""

import re
import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet
from confluent_kafka import Consumer, TopicPartition
from lengthwise import Schema
from lengthwise.kafka import Rows, rows

NAME = re.compile(r"(?P<topic>.+)-(?P<partition>\d+)-(?P<first>\d+)-(?P<next>\d+)\.parquet")


def main(servers: str, topic: str, schema: str, out: str, seconds: str | None = None) -> None:
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    consumer = Consumer({"bootstrap.servers": servers, "group.id": "none", "enable.auto.commit": False})
    partitions = consumer.list_topics(topic, timeout=60).topics[topic].partitions
    consumer.assign([TopicPartition(topic, number, read_so_far(folder, topic, number)) for number in partitions])
    for read in rows(consumer, Schema.from_asn1(schema), idle=float(seconds) if seconds else None):
        write(folder, read)
    consumer.close()


def read_so_far(folder: Path, topic: str, partition: int) -> int:
    """The offset after the last message that is in a file."""
    names = (NAME.fullmatch(path.name) for path in folder.iterdir())
    own = [name for name in names if name and name["topic"] == topic and int(name["partition"]) == partition]
    return max((int(name["next"]) for name in own), default=0)


def write(folder: Path, read: Rows) -> None:
    refused = dict(read.batch.errors)
    offsets = [offset for place, offset in enumerate(read.offsets) if place not in refused]
    table = pyarrow.table(read.batch).append_column("_offset", pyarrow.array(offsets, pyarrow.int64()))
    for place, error in refused.items():
        print(f"{read.topic}, partition {read.partition}, offset {read.offsets[place]}: {error}", file=sys.stderr)
    name = f"{read.topic}-{read.partition}-{read.offsets[0]}-{read.offsets[-1] + 1}.parquet"
    pyarrow.parquet.write_table(table, folder / f".{name}")
    (folder / f".{name}").rename(folder / name)


if __name__ == "__main__":
    main(*sys.argv[1:])
