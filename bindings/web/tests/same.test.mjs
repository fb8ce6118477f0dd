// The package gives the answers of the command: messages of the crates' own tests and of the fuzzers, and errors.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import * as text from 'lengthwise/text';
import { byteStrings, command, native, ours, part, root } from './native.mjs';

const xsd = await part('xsd');

const skip = command ? false : 'there is no command: cargo build -p lengthwise-cli';
const skipSchema = skip || (xsd ? false : 'the part xsd was not built: make web');
const read = (path) => readFileSync(root + path);

function same(messages, from, to, least, args = [], options = {}, part = text) {
  assert.ok(messages.length >= least, `${messages.length} messages`);
  for (const message of messages) {
    // The command ends a text with a line feed.
    const expected = native(['convert', '-', '-o', '-', '-f', from, '-t', to, ...args], message).replace(to === 'json' || to === 'xml' ? /0a$/ : /$/, '');
    const answer = ours(() => part.convert(message, from, to, options));
    assert.equal(answer, expected, `${from} to ${to}: ${message.toString('latin1').slice(0, 80)}`);
  }
}

test('the grammar of PON', { skip }, () => same(byteStrings(read('crates/pon/tests/grammar.rs').toString()), 'pon', 'json', 100));
test('the grammar of TSF', { skip }, () => same(byteStrings(read('crates/tsf/tests/grammar.rs').toString()), 'tsf', 'tsf', 100));

for (const [folder, from, to] of [['pon_read', 'pon', 'json'], ['tsf_read', 'tsf', 'tsf'], ['json_read', 'json', 'pon'], ['xml_read', 'xml', 'tsf']]) {
  test(`seeds of the fuzzers: ${folder}`, { skip }, () => {
    same(readdirSync(`${root}fuzz/seeds/${folder}`).map((name) => read(`fuzz/seeds/${folder}/${name}`)), from, to, 5);
  });
}

test('PER, BER and OER by a module', { skip: skipSchema }, () => {
  const schema = xsd.Schema.fromNotation(read('samples/weather.asn1').toString());
  const args = ['-s', `${root}samples/weather.asn1`];
  const weather = read('samples/weather.json');
  for (const rules of ['uper', 'aper', 'ber', 'der', 'cer', 'oer', 'coer']) {
    same([weather], 'json', rules, 1, args, { schema }, xsd);
    const message = Buffer.from(xsd.convert(weather, 'json', rules, { schema }));
    const cut = Array.from({ length: Math.min(40, message.length) }, (_, i) => message.subarray(0, i));
    same([message, ...cut], rules, 'json', 1, args, { schema }, xsd);
  }
});

test('XML by its schema in PER, and back', { skip: skipSchema }, () => {
  const sources = Object.fromEntries(['order.xsd', 'goods.xsd'].map((name) => [name, read(`samples/${name}`).toString()]));
  const schema = xsd.Schema.fromXsd(sources);
  const args = ['-s', `${root}samples/order.xsd`];
  const order = read('samples/order.xml');
  same([order, Buffer.from('<a/>')], 'xml', 'uper', 2, args, { schema }, xsd);
  same([Buffer.from(xsd.convert(order, 'xml', 'uper', { schema }))], 'uper', 'xml', 1, args, { schema }, xsd);
});
