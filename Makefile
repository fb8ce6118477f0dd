# What there is to do with Lengthwise. Everything needs Rust alone but for `fuzz`, which needs
# cargo-fuzz and a nightly compiler, `miri`, which needs the latter with its components miri and rust-src, `sanitize`, which needs the latter and Valgrind, and `bench`,
# which builds its peers (see bench/).

FUZZ_SECONDS ?= 60
DEMO = target/demo
HOST = $(shell rustc --print host-tuple)
VALGRIND_RUNNER = CARGO_TARGET_$(shell echo $(HOST) | tr a-z- A-Z_)_RUNNER

TESTS = cargo test --workspace --exclude no-alloc --all-features
ORACLES = $(CURDIR)/target/oracles
ORACLE_MODULES ?= 400
ORACLE_VALUES ?= 420

.PHONY: oracles oracle-pki oracle-modules oracle-protocols oracle-python xsts
.PHONY: demo test test-all tests-a tests-h tests-others tests-doc bench fuzz mutations load sanitize doc portable portable-quick miri deny dist features hostile oldest package api api-list fuzz-seeds fuzz-ci
.PHONY: test-python test-spark test-kafka test-c test-embedded sanitize-c header wire web test-web test-web-quick

# Shows a command, then runs it.
show = @echo '$$ $(subst ','"'"',$(1))'; PATH="$(CURDIR)/target/release:$$PATH"; $(1)

# The command at work on samples/: half a minute once it is built.
demo:
	@cargo build --quiet --release --target-dir target -p lengthwise-cli
	@mkdir -p $(DEMO)
	@echo '== An order in XML becomes TSF, and XML again'
	$(call show,lengthwise convert samples/order.xml -o $(DEMO)/order.tsf)
	$(call show,lengthwise convert $(DEMO)/order.tsf -o $(DEMO)/order.xml)
	$(call show,wc -c samples/order.xml $(DEMO)/order.tsf $(DEMO)/order.xml)
	$(call show,lengthwise convert samples/order.xml -t xml | cmp - $(DEMO)/order.xml)
	@echo 'Nothing is lost: both orders, written in the same way, are equal.'
	@echo
	@echo '== The structure of the message, next to its bytes'
	$(call show,lengthwise inspect $(DEMO)/order.tsf | head -n 16)
	@echo
	@echo '== One value, by its path'
	$(call show,lengthwise get $(DEMO)/order.tsf '/o:order/o:lines/line[2]/title/text()')
	$(call show,lengthwise get samples/sensors.json /readings/3)
	@echo
	@echo '== PON: values with lengths, and binary data inside'
	$(call show,lengthwise convert samples/sensors.json -o $(DEMO)/sensors.pon)
	$(call show,wc -c samples/sensors.json $(DEMO)/sensors.pon)
	$(call show,lengthwise inspect samples/vibration.pon)
	$(call show,lengthwise get samples/vibration.pon /samples --raw | wc -c)
	@echo
	@echo '== PER: the message holds only what the schema leaves open'
	$(call show,lengthwise convert samples/weather.json -s samples/weather.asn1 -o $(DEMO)/weather.uper)
	$(call show,wc -c samples/weather.json $(DEMO)/weather.uper)
	$(call show,lengthwise inspect $(DEMO)/weather.uper -s samples/weather.asn1 | head -n 12)
	$(call show,lengthwise get $(DEMO)/weather.uper /readings/4/wind -s samples/weather.asn1)
	@echo
	@echo '== PER by an XML Schema, and back to XML'
	$(call show,lengthwise convert samples/order.xml -s samples/order.xsd -o $(DEMO)/order.uper)
	$(call show,wc -c samples/order.xml $(DEMO)/order.uper)
	$(call show,lengthwise convert $(DEMO)/order.uper -s samples/order.xsd -t xml --pretty | head -n 8)
	$(call show,lengthwise inspect $(DEMO)/order.uper -s samples/order.xsd --by-type)
	@echo
	@echo '== XML as the XML Infoset in PER, its strings compressed'
	$(call show,lengthwise convert samples/map.xml --strings zstd -o $(DEMO)/map.iuper)
	$(call show,lengthwise convert $(DEMO)/map.iuper -o $(DEMO)/map.xml)
	$(call show,wc -c samples/map.xml $(DEMO)/map.iuper)
	$(call show,lengthwise convert samples/map.xml -t xml | cmp - $(DEMO)/map.xml)
	@echo
	@echo '== TDXML: a schema with the names, then one row per record'
	$(call show,lengthwise convert samples/map.xml --scheme grouped -o $(DEMO)/map.tdxml)
	$(call show,lengthwise convert samples/map.xml -t tdxml --scheme aggregated | wc -c)
	$(call show,wc -c samples/map.xml $(DEMO)/map.tdxml)
	$(call show,grep -n -A 3 '^\[0\]\[2\]' $(DEMO)/map.tdxml)
	$(call show,lengthwise get $(DEMO)/map.tdxml '/map/way[2]/tag[1]/@v')
	$(call show,lengthwise convert $(DEMO)/map.tdxml -t xml | wc -c)
	@echo
	@echo '== A SOAP service: its operations, and the gain of differential deserialization on its requests'
	$(call show,lengthwise schema samples/search.wsdl | head -n 12)
	$(call show,lengthwise check samples/requests -s samples/search.wsdl)
	$(call show,lengthwise replay samples/requests -s samples/search.wsdl --html $(DEMO)/replay.html)
	@echo 'The same with charts: $(DEMO)/replay.html'
	@echo
	@echo '== An error, with its position'
	$(call show,lengthwise check samples/broken.xml 2>&1; test $$? = 1)
	@echo
	@echo '== Every format on every sample'
	$(call show,lengthwise compare samples/config.json samples/sensors.json samples/*.pon samples/map.xml samples/order.xml --html $(DEMO)/comparison.html)
	@echo 'The same with charts: $(DEMO)/comparison.html'
	$(call show,lengthwise compare samples/weather.json -s samples/weather.asn1)

# Makes targets beside a command, then shows what was said of them. Compilers and tests often leave processors idle.
beside = $(MAKE) --no-print-directory $(1) >target/beside.log 2>&1 & made=$$!; \
    (set -x; $(2)); code=$$?; wait $$made || code=1; cat target/beside.log; exit $$code

# What must hold before a change lands; .ci/run runs more, such as `doc` and `features`, as far as there is time. At the end it
# says how many tests passed, failed and were skipped.
test:
	@tests/counted.sh $(MAKE) --no-print-directory test-all

# Of long tests a share runs, and the rest in `make mutations` (test_support::rounds).
test-all: export TEST_SHARE ?= 4
test-all: export PROPTEST_CASES ?= 64
# Our own crates are compiled by Clippy's rustc, as `cargo clippy` does, so that one compilation is both the check and the
# programs of the tests.
test-all: export RUSTC_WORKSPACE_WRAPPER = clippy-driver
test-all: export CLIPPY_ARGS = -Dwarnings
test-all mutations: export ASN1TOOLS_PYTHON = $(ORACLES)/venv/bin/python
test-all mutations: export ZEEP_PYTHON = $(ORACLES)/zeep/bin/python
test-all:
	@mkdir -p target
	cargo fmt --all --check
	@$(call beside,oracle-python,$(TESTS) --no-run)
	@$(MAKE) --no-print-directory --jobs=4 --output-sync=target tests-a tests-h tests-others test-c tests-doc

# The tests in shares by the names of their programs, as a program of tests often has one that takes longest.
tests-a:
	$(TESTS) --test 'a*'
tests-h:
	$(TESTS) --test '[b-h]*'
tests-others:
	$(TESTS) --lib --bins --test '[!a-h]*'
tests-doc:
	$(TESTS) --doc
	cargo test -p no-alloc

# The interface to C, which needs gcc alone: bindings/c/tests/run.sh. The library is the one of the tests, which `test-all`
# has built; the last line builds another in its place.
test-c:
	$(TESTS) --quiet --no-run
	LIBRARY=$(CURDIR)/target/debug/deps WORK=$(CURDIR)/target/c-tests bindings/c/tests/run.sh
	cargo test -p lengthwise-c --no-default-features --features std

# The package for Python (bindings/python/tests/run.sh).
test-python:
	tests/counted.sh bindings/python/tests/run.sh

# The data source for Spark (bindings/python/tests/spark.sh); it brings pyspark, half a gigabyte.
test-spark:
	tests/counted.sh bindings/python/tests/spark.sh

# The serializers for Kafka (bindings/python/tests/kafka.sh); it brings a broker and confluent-kafka.
test-kafka:
	tests/counted.sh bindings/python/tests/kafka.sh

# The npm package, in bindings/web/package, and the page, in bindings/web/site. They need Node, and rustup's target
# wasm32-unknown-unknown.
web:
	bindings/web/build.sh release
	node bindings/web/site.mjs

# The package in Node, every part of it, against the command; and the page in a browser.
test-web:
	cargo build --quiet -p lengthwise-cli
	bindings/web/build.sh quick
	tests/counted.sh bindings/web/test.sh
	tests/counted.sh bindings/web/browser/test.sh

# The share that CI has time for: the parts `core` and `text`.
test-web-quick:
	tests/counted.sh bindings/web/quick.sh

# The workspace for processors of 32 bits and of the other order of bytes, and for WebAssembly (tests/portable.sh).
# `portable-quick` is the share that CI has time for.
portable:
	tests/counted.sh tests/portable.sh full

portable-quick:
	tests/counted.sh tests/portable.sh quick

# The unsafe code in Miri, here and with the most significant byte first (tests/miri.sh).
miri:
	tests/counted.sh tests/miri.sh

# On a microcontroller, in qemu-system-arm: needs Debian's packages that bindings/c/embedded/setup.sh installs; without
# them it says so and does nothing.
test-embedded:
	bindings/c/embedded/test.sh

# The interface to C under AddressSanitizer and Valgrind: the tests against the crates, what the fuzzers found among
# them, or where they have not run what they would start from, and the programs in C.
sanitize-c: fuzz/corpus/tsf_read
	RUSTFLAGS=-Zsanitizer=address cargo +nightly test --target $(HOST) --target-dir target/sanitize \
	    -p lengthwise-c --no-default-features --features std --tests
	$(VALGRIND_RUNNER)='valgrind --quiet --error-exitcode=1' cargo test --release --target $(HOST) \
	    --target-dir target/sanitize -p lengthwise-c --no-default-features --features std --tests
	cargo build --quiet --release -p lengthwise-c --no-default-features --features std --target-dir target/c-devices
	LIBRARY=$(CURDIR)/target/c-devices/release RUNNER='valgrind --quiet --error-exitcode=1' bindings/c/tests/run.sh
	LIBRARY=$(CURDIR)/target/c-devices/release CFLAGS='-g -fsanitize=address,undefined' bindings/c/tests/run.sh

# Whether this build writes what another (PROGRAM) writes: a hash over 90 000 messages of each (tests/wire.py).
wire:
	cargo build --quiet --release -p lengthwise-cli
	TMPDIR=$(if $(wildcard /dev/shm),/dev/shm,/tmp) tests/wire.py $(PROGRAM) target/release/lengthwise

# The header of C again, by cbindgen. That it is what cbindgen makes is among the tests.
header:
	WRITE_HEADER=1 cargo test -p lengthwise-c --test header

# The tables beside the peers; bench/setup.sh brings those that are not in Rust.
bench:
	cargo run --release --manifest-path bench/Cargo.toml -- tsf
	cargo run --release --manifest-path bench/Cargo.toml -- json
	cargo run --release --manifest-path bench/Cargo.toml -- pon
	cargo run --release --manifest-path bench/Cargo.toml -- infoset
	cargo run --release --manifest-path bench/Cargo.toml -- per
	cargo run --release --manifest-path bench/Cargo.toml -- dds
	cargo run --release --manifest-path bench/Cargo.toml -- tdxml

# asn1tools and pycrate, whose opinions tests/oracles asks for, and zeep, which asks examples/soap-server; without
# a Python that can get them the tests that ask are skipped.
oracle-python: $(ORACLES)/venv/installed $(ORACLES)/zeep/installed

$(ORACLES)/venv/installed: tests/oracles/requirements.txt
	@mkdir -p $(ORACLES)
	@python3 -m venv $(ORACLES)/venv && \
	    $(ORACLES)/venv/bin/python -m pip install --quiet --no-compile --disable-pip-version-check -r $< && touch $@ || \
	    { rm -rf $(ORACLES)/venv; echo 'No asn1tools: the tests that ask it are skipped.'; }

$(ORACLES)/zeep/installed: examples/soap-server/tests/clients/requirements.txt
	@mkdir -p $(ORACLES)
	@python3 -m venv $(ORACLES)/zeep && \
	    $(ORACLES)/zeep/bin/python -m pip install --quiet --no-compile --disable-pip-version-check -r $< && touch $@ || \
	    { rm -rf $(ORACLES)/zeep; echo 'No zeep: the test that runs it is skipped.'; }

# Every made-up value of ORACLE_MODULES modules against asn1tools, pycrate and rasn (see
# tests/oracles): an hour or so, most of it in Python.
oracles: oracle-python
	cd tests/oracles && $(ORACLES)/venv/bin/python -m vectors $(ORACLES)/vectors --modules $(ORACLE_MODULES) \
	    --values $(ORACLE_VALUES) --libraries asn1tools,pycrate,rasn --target $(ORACLES)/rasn
	ORACLE_VECTORS=$(ORACLES)/vectors cargo test --release -p lengthwise-asn1 --test oracle -- --nocapture

# A thousand certificates, lists of revoked ones and cryptographic messages that OpenSSL makes, read by the modules of RFC
# 5280 and 5652 (two folders in LENGTHWISE_ASN1_SETS) and written again.
oracle-pki:
	python3 tests/oracles/pki.py $(ORACLES)/pki 1000
	ORACLE_PKI=$(ORACLES)/pki cargo test -p lengthwise-asn1 --test pki -- --nocapture

# ORACLE_MESSAGES messages of each of eleven types of protocols, made by `lengthwise example`, against pycrate, whose collection of
# modules is in LENGTHWISE_ASN1_SETS (see tests/oracles).
ORACLE_MESSAGES ?= 100000
oracle-protocols: oracle-python
	cargo build --release -p lengthwise-cli
	$(ORACLES)/venv/bin/python tests/oracles/protocols.py $(CURDIR)/target/release/lengthwise $(LENGTHWISE_ASN1_SETS) \
	    $(ORACLE_MESSAGES) $(ORACLE_PROTOCOLS)

# The modules of published schemas, read by rasn's compiler; SCHEMAS is a folder that has them.
oracle-modules:
	cargo run --manifest-path tests/oracles/modules/Cargo.toml --target-dir $(ORACLES)/modules -- $(SCHEMAS) \
	    uddi/xsd/uddi_v2.xsd gpx/gpx11.xsd kml/xsd/ogckml22.xsd \
	    ubl21/xsd/maindoc/UBL-Invoice-2.1.xsd

# The W3C XML Schema test suite, in the folder LENGTHWISE_XSTS: a checkout of github.com/w3c/xsdtests.
xsts:
	cargo test --release -p lengthwise-xsd --test suite -- --nocapture

# What the fuzz targets start from.
SEEDS = cargo run --quiet --release -p fuzz-targets --example seeds -- samples fuzz/corpus

fuzz/corpus/tsf_read:
	$(SEEDS)

# The few and small seeds that are committed, which `test` runs through their targets. Those named `kept-` are not made
# here, and stay.
fuzz-seeds:
	rm -f fuzz/seeds/*/seed-*
	cargo run --quiet -p fuzz-targets --example seeds -- samples fuzz/seeds small

# Each fuzz target for FUZZ_SECONDS, starting from the samples and the tests' messages, with its dictionary.
fuzz:
	$(SEEDS)
	fuzz/run.sh $(FUZZ_SECONDS) fuzz/corpus

# A minute for all fuzz targets together, starting from the committed seeds: what CI has time for.
fuzz-ci:
	tests/counted.sh fuzz/run.sh ci

# The SOAP server beside 600 clients that hold its connections: rates, processor time, memory, answers lost by a stop.
load:
	cargo test --release -p soap-server --test load -- --ignored --nocapture two_hundred

# Ten million spoiled messages of each format against a plain reader, and as many by vectors against
# by bytes; spoiled modules and infosets, a million and fewer; values by all rules of ASN.1. Before them all rounds of the
# tests of which `test` runs a share.
mutations: oracle-python
	cargo test --workspace --exclude no-alloc --all-features --lib --tests
	cargo test --release -p lengthwise-tsf --lib --test hostile -- --ignored --nocapture ten_million
	cargo test --release -p lengthwise-pon --all-features --test hostile -- --ignored --nocapture ten_million
	cargo test --release -p lengthwise-asn1 --tests -- --ignored --nocapture
	cargo test --release -p lengthwise-infoset --test hostile -- --ignored --nocapture
	cargo test --release -p lengthwise-tdxml --all-features --tests -- --ignored --nocapture
	cargo test --release -p lengthwise-x694 --test template --test all -- --ignored --nocapture
	cargo test --release -p lengthwise-c --no-default-features --features std --test answers -- --ignored --nocapture
	cargo test --release -p lengthwise-soap --test oracle -- --ignored --nocapture

# The tests of the crates with unsafe code under AddressSanitizer (a nightly compiler) and Valgrind.
sanitize:
	RUSTFLAGS=-Zsanitizer=address cargo +nightly test --target $(HOST) --target-dir target/sanitize \
	    -p lengthwise-tsf -p lengthwise-pon -p lengthwise-xml --all-features --lib --tests
	$(VALGRIND_RUNNER)='valgrind --quiet --error-exitcode=1' cargo test --release --target $(HOST) \
	    --target-dir target/sanitize -p lengthwise-tsf -p lengthwise-pon -p lengthwise-xml --all-features --lib --tests

# Licences, sources and advisories of all dependencies (deny.toml).
deny:
	tests/counted.sh tools/deny.sh

# Inputs that are made to cost, ten thousand of them over all readers, against the bounds of docs/security.md; and what
# takes longer than in proportion. A share of it is in `test`.
hostile:
	tests/counted.sh cargo test --release -p hostile -- --ignored --nocapture --test-threads=1 ten_thousand at_length

# The product and its tests with the oldest Rust that is promised.
oldest:
	tests/counted.sh tools/oldest.sh

# The facade with each of its features alone (tests/features.sh).
features:
	tests/features.sh

# The public interface of every library, compared with tools/api/*.txt, and written there (tools/api.sh).
api:
	tests/counted.sh tools/api.sh

api-list:
	tools/api.sh --write

# The crates as a registry takes them, in target/package.
package:
	tools/package.sh

# The command (static, with completions, manual pages and a package for Debian), the library for C, its archives for devices,
# the crates as a registry takes them, and bills of materials (CycloneDX), in target/dist.
dist:
	tools/dist.sh

doc:
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --all-features --no-deps
