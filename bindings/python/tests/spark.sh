#!/usr/bin/env bash
# The data source for Spark, in a session on this machine. It needs Java from 17 on, and brings pyspark, half a gigabyte, into
# target/python; without them it says so and does nothing.
set -euo pipefail
cd "$(dirname "$0")/../../.."
top=$PWD
venv=$top/target/python/spark
requirements=bindings/python/tests/spark/requirements.txt
export CARGO_TARGET_DIR=$top/target/python
if ! command -v java >/dev/null; then
    exec tests/skipped.sh spark 'there is no Java'
fi
if ! cmp -s "$requirements" "$venv/installed"; then
    rm -rf "$venv"
    if ! { python3 -m venv "$venv" &&
        "$venv/bin/pip" install --quiet --no-compile --disable-pip-version-check -r "$requirements"; }; then
        exec tests/skipped.sh spark 'pyspark cannot be installed'
    fi
    cp "$requirements" "$venv/installed"
fi
PYO3_PYTHON=$venv/bin/python PYO3_BUILD_EXTENSION_MODULE=1 cargo build --quiet --manifest-path bindings/python/Cargo.toml
cp "$CARGO_TARGET_DIR"/debug/lib_lengthwise.so bindings/python/python/lengthwise/_lengthwise.abi3.so
export PATH=$venv/bin:$PATH PYSPARK_PYTHON=$venv/bin/python
export PYTHONPATH=$top/bindings/python/python PYTHONDONTWRITEBYTECODE=1
code=0
pytest --quiet -p no:cacheprovider -c bindings/python/pyproject.toml --rootdir . bindings/python/tests/spark |
    tee "$CARGO_TARGET_DIR/spark.log" || code=$?
sed -n 's/^\(.*\(passed\|failed\).*\) in .*/test result: \1/p' "$CARGO_TARGET_DIR/spark.log" | sed 's/,/;/g'
mypy --strict --config-file= --ignore-missing-imports --cache-dir "$CARGO_TARGET_DIR/mypy-spark" \
    bindings/python/python/lengthwise/spark.py bindings/python/tests/spark
exit "$code"
