#!/usr/bin/env bash
# The package for Python: format, clippy, tests, types, and the programs in its pages. It needs Python 3.11 and installs
# the rest in target/python; without it, it says so and does nothing.
set -euo pipefail
cd "$(dirname "$0")/../../.."
top=$PWD
venv=$top/target/python/venv
export CARGO_TARGET_DIR=$top/target/python
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    exec tests/skipped.sh python 'there is no Python from 3.11 on'
fi
mkdir -p "$CARGO_TARGET_DIR"
if ! cmp -s bindings/python/tests/requirements.txt "$venv/installed"; then
    rm -rf "$venv"
    if ! { python3 -m venv "$venv" &&
        "$venv/bin/pip" install --quiet --no-compile --disable-pip-version-check -r bindings/python/tests/requirements.txt; }; then
        exec tests/skipped.sh python 'pytest cannot be installed'
    fi
    cp bindings/python/tests/requirements.txt "$venv/installed"
fi
export PATH=$venv/bin:$PATH PYO3_PYTHON=$venv/bin/python
cargo fmt --manifest-path bindings/python/Cargo.toml --check
PYO3_BUILD_EXTENSION_MODULE=1 cargo build --quiet --manifest-path bindings/python/Cargo.toml
cp "$CARGO_TARGET_DIR"/debug/lib_lengthwise.so bindings/python/python/lengthwise/_lengthwise.abi3.so
export PYTHONPATH=$top/bindings/python/python PYTHONDONTWRITEBYTECODE=1
code=0
pytest=(pytest --quiet --strict-markers -p no:cacheprovider -c bindings/python/pyproject.toml --rootdir .)
"${pytest[@]}" --ignore bindings/python/python/lengthwise/spark.py --ignore bindings/python/tests/spark \
    --ignore bindings/python/python/lengthwise/kafka.py --ignore bindings/python/tests/kafka \
    --doctest-modules --doctest-glob='*.md' bindings/python/python bindings/python/tests docs/guides/python.md |
    tee "$CARGO_TARGET_DIR/pytest.log" || code=$?
# tests/counted.sh counts lines like those of cargo.
sed -n 's/^\(.*\(passed\|failed\).*\) in .*/test result: \1/p' "$CARGO_TARGET_DIR/pytest.log" | sed 's/,/;/g'
(cd bindings/python && mypy --strict --exclude 'tests/(spark|kafka)|kafka_to' --cache-dir "$CARGO_TARGET_DIR/mypy" python tests examples)
exit "$code"
