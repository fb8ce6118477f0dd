#!/usr/bin/env bash
# The serializers for Kafka, and the example that writes a topic to Parquet, with a broker that is started here. It needs Java from
# 17 on and Maven, and brings the broker and confluent-kafka, 60 megabytes, into target/python; without them it says so and does nothing.
set -euo pipefail
cd "$(dirname "$0")/../../.."
top=$PWD
venv=$top/target/python/kafka
tests=bindings/python/tests/kafka
export CARGO_TARGET_DIR=$top/target/python
if ! command -v java >/dev/null || ! command -v mvn >/dev/null; then
    exec tests/skipped.sh kafka 'there is no Java, or no Maven'
fi
if ! cat $tests/requirements.txt $tests/pom.xml | cmp -s - "$venv/installed"; then
    rm -rf "$venv"
    if ! { python3 -m venv "$venv" &&
        "$venv/bin/pip" install --quiet --no-compile --disable-pip-version-check -r $tests/requirements.txt &&
        mvn --quiet --batch-mode --file $tests/pom.xml dependency:copy-dependencies -DoutputDirectory="$venv/broker"; }; then
        exec tests/skipped.sh kafka 'confluent-kafka or the broker cannot be installed'
    fi
    cat $tests/requirements.txt $tests/pom.xml >"$venv/installed"
fi
PYO3_PYTHON=$venv/bin/python PYO3_BUILD_EXTENSION_MODULE=1 cargo build --quiet --manifest-path bindings/python/Cargo.toml
cp "$CARGO_TARGET_DIR"/debug/lib_lengthwise.so bindings/python/python/lengthwise/_lengthwise.abi3.so
export PATH=$venv/bin:$PATH BROKER=$venv/broker
export PYTHONPATH=$top/bindings/python/python PYTHONDONTWRITEBYTECODE=1
code=0
pytest --quiet -p no:cacheprovider -c bindings/python/pyproject.toml --rootdir . $tests |
    tee "$CARGO_TARGET_DIR/kafka.log" || code=$?
sed -n 's/^\(.*\(passed\|failed\).*\) in .*/test result: \1/p' "$CARGO_TARGET_DIR/kafka.log" | sed 's/,/;/g'
mypy --strict --config-file= --ignore-missing-imports --cache-dir "$CARGO_TARGET_DIR/mypy-kafka" \
    bindings/python/python/lengthwise/kafka.py bindings/python/examples/kafka_to_parquet.py $tests
exit "$code"
