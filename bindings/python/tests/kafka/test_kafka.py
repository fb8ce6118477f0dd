"""Topics of Kafka, with a broker of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet
import pytest
from confluent_kafka import Consumer, DeserializingConsumer, Producer, SerializingProducer
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic
from confluent_kafka.error import ValueDeserializationError, ValueSerializationError
from lengthwise import Schema
from lengthwise.kafka import LengthwiseDeserializer, LengthwiseSerializer, rows

MODULE = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE { n INTEGER (0..1000000), name UTF8String OPTIONAL } END"
EXAMPLE = Path(__file__).parents[2] / "examples/kafka_to_parquet.py"
schema = Schema.parse(MODULE)


class Broker:
    """A broker and controller in one, whose log is in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, controller = free_port(), free_port()
        self.config = folder / "server.properties"
        self.config.write_text(f"""
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{self.port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{self.port}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
log.dirs={folder / "log"}
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=false
""")
        self.java("kafka.tools.StorageTool", "format", "-t", "MkU3OEVBNTcwNTJENDM2Qg", "-c", str(self.config)).wait(60)
        self.start()

    @property
    def servers(self) -> str:
        return f"127.0.0.1:{self.port}"

    def java(self, *arguments: str) -> "subprocess.Popen[bytes]":
        command = ["java", "-Xmx512m", "-cp", f"{os.environ['BROKER']}/*", *arguments]
        with open(self.folder / "broker.log", "ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log)

    def start(self) -> None:
        self.process = self.java("kafka.Kafka", str(self.config))
        for _ in range(120):
            try:
                AdminClient({"bootstrap.servers": self.servers, "log_level": 0}).list_topics(timeout=1)
                return
            except Exception:
                assert self.process.poll() is None, (self.folder / "broker.log").read_text()[-2000:]
        raise AssertionError("the broker does not answer")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def topic(self, name: str, partitions: int) -> None:
        admin = AdminClient({"bootstrap.servers": self.servers})
        for done in admin.create_topics([NewTopic(name, partitions, 1)]).values():
            done.result(30)

    def consumer(self, topic: str) -> Consumer:
        consumer = Consumer({"bootstrap.servers": self.servers, "group.id": topic, "auto.offset.reset": "earliest"})
        consumer.subscribe([topic])
        return consumer


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    broker = Broker(tmp_path_factory.mktemp("broker"))
    yield broker
    broker.kill()


def test_objects_are_written_and_read(broker: Broker) -> None:
    broker.topic("objects", 1)
    producer = SerializingProducer({"bootstrap.servers": broker.servers, "value.serializer": LengthwiseSerializer(schema)})
    for n in range(100):
        producer.produce("objects", key=str(n), value={"n": n, "name": f"n{n}"} if n != 7 else None)
    with pytest.raises(ValueSerializationError, match="n"):
        producer.produce("objects", value={"n": -1})
    producer.flush()
    consumer = DeserializingConsumer(
        {
            "bootstrap.servers": broker.servers,
            "group.id": "objects",
            "auto.offset.reset": "earliest",
            "value.deserializer": LengthwiseDeserializer(schema),
        }
    )
    consumer.subscribe(["objects"])
    found: list[object] = []
    while len(found) < 100:
        if (message := consumer.poll(10)) is not None:
            found.append(message.value())
    assert found == [{"n": n, "name": f"n{n}"} if n != 7 else None for n in range(100)]
    plain = Producer({"bootstrap.servers": broker.servers})
    plain.produce("objects", b"")
    plain.flush()
    with pytest.raises(ValueDeserializationError, match="incomplete"):
        while consumer.poll(10) is None:
            pass
    consumer.close()


def test_rows_have_offsets_and_what_was_refused(broker: Broker) -> None:
    broker.topic("rows", 2)
    producer = Producer({"bootstrap.servers": broker.servers})
    for n in range(1000):
        value = b"\0" if n % 100 == 99 else schema.encode({"n": n})
        producer.produce("rows", value if n != 50 else None, partition=n % 2)
    producer.flush()
    consumer = broker.consumer("rows")
    seen: dict[int, list[tuple[int, int | None]]] = {0: [], 1: []}
    refused = []
    for read in rows(consumer, schema, columns=["n"], most=170, idle=3):
        assert read.topic == "rows" and 0 < len(read.messages) <= 170
        assert read.offsets == [message.offset() for message in read.messages]
        bad = [place for place, _ in read.batch.errors]
        refused += [(read.partition, read.offsets[place]) for place in bad]
        offsets = [offset for place, offset in enumerate(read.offsets) if place not in bad]
        seen[read.partition] += zip(offsets, pyarrow.array(read.batch["n"]).to_pylist(), strict=True)
    consumer.close()
    for partition in (0, 1):
        numbers = range(partition, 1000, 2)
        expected = [(at, n if n != 50 else None) for at, n in enumerate(numbers) if n % 100 != 99]
        assert seen[partition] == expected
    assert sorted(refused) == [(1, at) for at in range(49, 500, 50)]


def test_every_message_is_in_parquet_once_over_crashes(broker: Broker, tmp_path: Path) -> None:
    """The consumer is killed again and again, and the broker in between, while messages are produced."""
    broker.topic("crashes", 3)
    (tmp_path / "m.asn1").write_text(MODULE)
    out = tmp_path / "out"
    producer = Producer({"bootstrap.servers": broker.servers, "enable.idempotence": True, "log_level": 0})

    def produce(numbers: range) -> None:
        for n in numbers:
            producer.produce("crashes", schema.encode({"n": n}))
            producer.poll(0)

    def consume(*arguments: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, str(EXAMPLE), broker.servers, "crashes", str(tmp_path / "m.asn1"), str(out), *arguments]
        with open(tmp_path / "consumer.log", "ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log)

    for turn in range(6):
        consumer = consume()
        produce(range(turn * 5000, turn * 5000 + 2500))
        if turn in (2, 4):
            producer.flush(1)
            broker.kill()
            broker.start()
        produce(range(turn * 5000 + 2500, turn * 5000 + 5000))
        time.sleep(1.5)
        consumer.kill()
        consumer.wait()
    assert producer.flush(60) == 0
    assert consume("5").wait(120) == 0, (tmp_path / "consumer.log").read_text()
    table = pyarrow.parquet.read_table([path for path in out.iterdir() if not path.name.startswith(".")])
    assert sorted(table["n"].to_pylist()) == list(range(30000))
    assert len(list(out.glob("crashes-*.parquet"))) > 6
