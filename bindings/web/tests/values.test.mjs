// Values, documents and errors of each part.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as core from 'lengthwise';
import * as text from 'lengthwise/text';
import { part } from './native.mjs';

const [asn1, xsd] = await Promise.all(['asn1', 'xsd'].map(part));
const skip = xsd ? false : 'the parts asn1 and xsd were not built: make web';

const utf8 = (bytes) => new TextDecoder().decode(bytes);

test('a part has its formats and no others', () => {
  assert.deepEqual(core.formats, ['tsf', 'pon']);
  assert.deepEqual(text.formats, ['xml', 'json', 'tsf', 'pon']);
  if (asn1) assert.ok(asn1.formats.includes('coer') && !asn1.formats.includes('tdxml'));
  assert.throws(() => core.convert('1a<', 'tsf', 'xml'), /no format 'xml'/);
});

test('every type of PON becomes a value and a message again', () => {
  const value = { text: 'grüß 😀', n: 17, big: 2n ** 70n, half: 0.5, yes: true, no: false, none: null, list: [1, [], {}], bytes: new Uint8Array([0, 255]) };
  for (const part of [core, text, asn1, xsd].filter(Boolean)) {
    const message = part.pon.stringify(value);
    assert.deepEqual(part.pon.parse(message), value);
    assert.deepEqual(part.tsf.parse(part.tsf.stringify(value)), value);
  }
});

// A message of Latin-1 shows the octets; RFC 3629 section 3: UTF-8 has no surrogates.
test('binary data may be in any view, and text that UTF-8 has no bytes for is refused', () => {
  const octets = new Uint8Array([1, 2, 3, 4]).buffer;
  for (const value of [octets, new DataView(octets), new Uint16Array(octets), new Uint8ClampedArray(octets), Buffer.from(octets)]) {
    assert.deepEqual(core.pon.parse(core.pon.stringify({ value })), { value: new Uint8Array(octets) });
  }
  assert.deepEqual(core.pon.parse(core.pon.stringify(new DataView(octets, 1, 2))), new Uint8Array([2, 3]));
  const boxed = [new String('x'), new Number(2), new Boolean(false), Object(2n)];
  assert.deepEqual(core.pon.parse(core.pon.stringify(boxed)), ['x', 2, false, 2]);
  for (const value of ['\ud800', ['a\udc00'], { '\ud83d': 1 }]) assert.throws(() => core.pon.stringify(value), /lone surrogate/);
  assert.throws(() => text.json.parse('"\ud800"'), /lone surrogate/);
});

test('the examples of the page of PON', () => {
  assert.deepEqual(core.pon.parse('26{key1:6svalue1key2:6svalue2'), { key1: 'value1', key2: 'value2' });
  assert.equal(core.pon.parse('16sThis is a string'), 'This is a string');
  assert.equal(core.pon.parse('4d17.3'), 17.3);
  assert.equal(core.pon.parse('cA'), 'A');
});

test('binary data is a view into the message', () => {
  const message = core.pon.stringify({ image: new Uint8Array(1000).fill(200) });
  const { image } = core.pon.parse(message);
  assert.equal(image.buffer, message.buffer);
  assert.equal(image.length, 1000);
});

test('a member called __proto__ is a member', () => {
  const value = text.json.parse('{"__proto__":{"polluted":1}}');
  assert.equal({}.polluted, undefined);
  assert.deepEqual(Object.keys(value), ['__proto__']);
  assert.equal(text.json.stringify(value), '{"__proto__":{"polluted":1}}');
});

test('XML is elements, attributes and text', () => {
  const source = '<!--c--><order id="17"><item>tea &amp; milk</item><b/>tail</order>';
  const document = text.xml.parse(source);
  assert.deepEqual(document, [
    { type: 'comment', name: '', text: 'c' },
    { name: 'order', attributes: { id: '17' }, children: [{ name: 'item', attributes: {}, children: ['tea & milk'] }, { name: 'b', attributes: {}, children: [] }, 'tail'] },
  ]);
  assert.equal(text.xml.stringify(document), source);
  assert.equal(utf8(text.convert('<order id="17"><item>tea &amp; milk</item></order>', 'xml', 'tsf')), '2order<1=2id[171item<10[tea & milk');
  assert.deepEqual(core.tsf.parse('2order<1=2id[171item<10[tea & milk').attributes, { id: '17' });
});

test('errors are those of Rust', () => {
  const error = (call) => { try { call(); } catch (error) { return error; } };
  const syntax = error(() => text.json.parse('{\n "a": x}'));
  assert.ok(syntax instanceof text.LengthwiseError);
  // Another thread gets the message and the cause.
  const { kind, offset, path } = structuredClone(syntax).cause;
  assert.deepEqual({ kind, offset, path }, { kind: syntax.kind, offset: syntax.offset, path: syntax.path });
  assert.deepEqual([syntax.kind, syntax.format, syntax.offset, syntax.line, syntax.column], ['syntax', 'json', 8, 2, 7]);
  const incomplete = error(() => core.pon.parse('10sabc'));
  assert.deepEqual([incomplete.kind, incomplete.needed], ['incomplete', 7]);
  const limit = error(() => text.json.parse('[[[1]]]', { limits: { depth: 2 } }));
  assert.equal(limit.kind, 'limit');
  assert.throws(() => core.pon.parse('t', { pretty: true }), /no option 'pretty'/);
  assert.throws(() => core.pon.stringify(() => 1), TypeError);
  const circular = {};
  circular.self = circular;
  assert.throws(() => core.pon.stringify(circular), TypeError);
});

const own = 'structured ( object\nstructured < array\nprimitive : string\nprimitive # number';

test('options are those of the command', () => {
  assert.equal(utf8(core.tsf.stringify(['é'], { lengths: 'chars' })), "1[1'é");
  assert.deepEqual(core.tsf.parse("1[1'é", { lengths: 'chars' }), ['é']);
  assert.throws(() => core.pon.parse('t', { lengths: 'chars' }), /the option 'lengths' for pon, expected TSF/);
  assert.throws(() => core.tsf.parse('0{', { lengths: 'bits' }), /'bits' for the option 'lengths', expected bytes or chars/);
  assert.deepEqual(core.pon.parse('t', { sortAttributes: false }), true);
  assert.equal(utf8(core.convert('1(5a#21.50', 'tsf', 'tsf', { fromTypes: own, types: 'value' })), '1{5a%21.50');
  assert.throws(() => core.tsf.parse('1(5a#21.50', { types: own }), /convert it/);
  assert.equal(utf8(core.convert('1(5a#21.50', 'tsf', 'pon', { types: own })), '9{a:5d21.50');
});

test('options of text', { skip }, (t) => {
  assert.equal(utf8(text.convert('<a><b/>\n</a>', 'xml', 'xml', { emptyTags: 'pair', lineEnds: 'crlf' })), '<a><b></b>\r\n</a>');
  assert.equal(utf8(text.convert('{"t":[1,2]}', 'json', 'xml', { numberItems: true })), '<e0s1><t><e1s1i1>1</e1s1i1><e1s1i2>2</e1s1i2></t></e0s1>');
  assert.equal(utf8(text.convert('{"a":["Zm8="],"b":"Zm8="}', 'json', 'pon', { binaryFromBase64: ['a'] })), '16{a:4[2yfob:4sZm8=');
  const warn = t.mock.method(console, 'warn', () => {});
  const options = { binaryFromBase64: ['a', 'b', 'image'] };
  assert.equal(utf8(text.convert('{"a":"Zm8=","b":7}', 'json', 'pon', options)), '11{a:2yfob:1i7');
  assert.equal(utf8(text.encode({ a: 'Zm8=', b: 7 }, 'pon', options)), '11{a:2yfob:1i7');
  const words = "binaryFromBase64: 1 value of these members not converted: not a string; no string in a member 'b'; no string in a member 'image'";
  assert.deepEqual(warn.mock.calls.map((call) => call.arguments), [[words], [words]]);
  text.convert('{"a":"Zm8=","b":7}', 'json', 'pon', { binaryFromBase64: ['a'] });
  assert.equal(warn.mock.callCount(), 2);
  for (const names of [[], ['true'], ['a', 'false'], ['a,b'], [1]]) {
    assert.throws(() => text.convert('{}', 'json', 'pon', { binaryFromBase64: names }), /takes names without commas/);
  }
  assert.throws(() => text.edit("1{1b'c", 'tsf', '/b', 'z', { fromLengths: 'chars' }), /an option of the input alone/);
  assert.equal(utf8(text.edit("2{1a'é1b'c", 'tsf', '/b', 'zz', { lengths: 'chars' })), "2{1a'é2b'zz");
  assert.throws(() => text.convert('[[1]]', 'json', 'pon', { limits: { depth: 1 } }), { kind: 'limit' });
  assert.equal(utf8(text.convert('{"room":"attic"}', 'json', 'tsf', { types: own })), '1(5room:attic');
  assert.equal(utf8(text.edit('1(5a#21.50', 'tsf', '/a', '22', { types: own })), '1(2a#22');
});

test('what a conversion loses is listed', { skip }, () => {
  const source = '<a xmlns="u"><!-- b --><c>24.00</c></a>';
  const schema = xsd.Schema.fromXsd({ 'a.xsd': `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="u" elementFormDefault="qualified">
    <xs:element name="a"><xs:complexType><xs:sequence><xs:element name="c" type="xs:decimal"/></xs:sequence></xs:complexType></xs:element></xs:schema>` });
  const { message, losses } = xsd.convertWithLosses(source, 'xml', 'uper', { schema });
  assert.deepEqual(message, xsd.convert(source, 'xml', 'uper', { schema }));
  assert.deepEqual(losses.map(({ kind, count, path, offset, line, column }) => [kind, count, path, offset, line, column]), [
    ['comment', 1, '/a', 13, 1, 14], ['spelling', 1, '/a/c', 26, 1, 27],
  ]);
  assert.match(losses[0].message, /^1 comment dropped \(line 1, column 14, in \/a\)$/);
  assert.deepEqual(xsd.convertWithLosses('[1]', 'json', 'pon').losses, []);
});

test('values of a schema', { skip }, () => {
  const notation = 'Weather DEFINITIONS AUTOMATIC TAGS ::= BEGIN Reading ::= SEQUENCE { sensor INTEGER (0..15), celsius Degrees OPTIONAL } Degrees ::= INTEGER (-40..87) END';
  const schema = asn1.Schema.fromNotation(notation);
  assert.equal(schema.root, 'Reading');
  const message = asn1.encode({ sensor: 3, celsius: 20 }, 'uper', { schema });
  assert.deepEqual([...message], [0x9b, 0xc0]);
  assert.deepEqual(asn1.decode(message, 'uper', { schema }), { sensor: 3, celsius: 20 });
  const changed = asn1.edit(message, 'uper', '/celsius', '21', { schema });
  assert.deepEqual(asn1.decode(changed, 'uper', { schema }), { sensor: 3, celsius: 21 });
  assert.throws(() => asn1.edit(message, 'uper', '/celsius', '99', { schema }), asn1.LengthwiseError);
  // Octets are octets again, wherever they are; JSON has their digits.
  const types = `M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { o OCTET STRING, e OCTET STRING, b BIT STRING,
    l SEQUENCE OF OCTET STRING, u UTF8String, i INTEGER, ch CHOICE { x OCTET STRING, y NULL }, r REAL } END`;
  const octets = { schema: asn1.Schema.fromNotation(types) };
  const value = { o: new Uint8Array([1, 255]), e: new Uint8Array(), b: { value: new Uint8Array([0xa0]), length: 3 },
    l: [new Uint8Array([7])], u: 'grün', i: 2n ** 70n, ch: { x: new Uint8Array(300) }, r: 0.5 };
  for (const format of ['uper', 'aper', 'ber', 'der', 'oer', 'coer']) {
    const message = asn1.encode(value, format, octets);
    assert.deepEqual(asn1.decode(message, format, octets), value);
    assert.equal(JSON.parse(utf8(asn1.convert(message, format, 'json', octets))).o, '01FF');
  }
  assert.deepEqual(asn1.decode(asn1.encode({ ...value, o: '01FF' }, 'uper', octets), 'uper', octets), value);
  assert.throws(() => asn1.Schema.fromNotation({ 'a.asn1': 'A DEFINITIONS ::= BEGIN T ::= U END' }), { source: 'a.asn1', line: 1, column: 31 });
});

test('XML by its schema', { skip }, () => {
  const source = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="celsius" type="xs:byte"/></xs:schema>';
  const schema = xsd.Schema.fromXsd({ 'reading.xsd': source });
  assert.deepEqual([...xsd.convert('<celsius>21</celsius>', 'xml', 'uper', { schema })], [149]);
  assert.equal(utf8(xsd.convert(new Uint8Array([149]), 'uper', 'xml', { schema })), '<celsius>21</celsius>');
  assert.throws(() => xsd.convert('<celsius>200</celsius>', 'xml', 'uper', { schema }), { kind: 'schema' });
  assert.throws(() => asn1.Schema.fromXsd(source), /needs the part 'xsd'/);
});

test('an inspection has rows, bits and paths', async () => {
  const seen = await core.inspect(core.pon.stringify({ a: [1, { b: 'x' }] }), 'pon');
  const rows = seen.rows();
  assert.deepEqual(rows.map((row) => [row.depth, row.kind, row.name, row.value]), [
    [0, 'object', '', undefined], [1, 'array', 'a', undefined], [2, 'integer', '', '1'], [2, 'object', '', undefined], [3, 'string', 'b', 'x'],
  ]);
  assert.deepEqual(rows.map((row) => seen.path(row.row)), ['/', '/a', '/a/0', '/a/1', '/a/1/b']);
  for (const row of rows) assert.equal(seen.rowAt(seen.path(row.row)), row.row);
  assert.equal(rows[0].bits, 8 * seen.bytes(0, 1000).length);
  assert.equal(seen.search('B'), 4);
  assert.equal(seen.at(0), 0);
});

test('paths lead back to their rows, in XML too', () => {
  const seen = text.inspect('<a x="1"><b>1</b><b y="2">2<c/>3</b></a>');
  for (const row of seen.rows().filter((row) => !['attributes', 'document'].includes(row.kind))) {
    assert.equal(seen.rowAt(seen.path(row.row)), row.row, seen.path(row.row));
  }
  assert.equal(seen.rowAt('/a/b[3]'), undefined);
});

test('a path into a long list is found at once', () => {
  const seen = text.inspect(JSON.stringify(Array.from({ length: 200_000 }, (_, i) => i)));
  const start = performance.now();
  assert.equal(seen.rowAt('/199999'), 200_000);
  assert.ok(performance.now() - start < 500);
});

test('bits of PER, and BER without a schema', { skip }, () => {
  const schema = asn1.Schema.fromNotation('M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a INTEGER (0..7), b BOOLEAN OPTIONAL, c SEQUENCE OF INTEGER (0..3) } END');
  const message = asn1.encode({ a: 5, b: true, c: [1, 2] }, 'uper', { schema });
  const seen = asn1.inspect(message, 'uper', { schema });
  assert.deepEqual(seen.rows().map((row) => [row.name, row.value, row.bit, row.bits]), [
    ['T', undefined, 0, 24], ['a', '5', 1, 3], ['b', 'TRUE', 4, 1], ['c', undefined, 5, 12], ['0', '1', 13, 2], ['1', '2', 15, 2],
  ]);
  assert.deepEqual(seen.spans(0, 8).map((span) => span.part), ['presence', 'value', 'value', 'length']);
  const ber = asn1.inspect(new Uint8Array([0x30, 6, 6, 1, 0x55, 2, 1, 5]), 'ber');
  assert.deepEqual(ber.rows().map((row) => row.kind), ['SEQUENCE', 'OBJECT IDENTIFIER', 'INTEGER']);
  assert.equal(asn1.inspect(new Uint8Array([0x30, 6, 6]), 'ber').error.kind, 'incomplete');
});

test('a page of its own holds what a message says as data', async () => {
  const name = '</script><script>alert(1)</script>';
  const seen = text.inspect(JSON.stringify({ [name]: '"><img src=x onerror=alert(1)>' }));
  const page = await seen.page(name, 'a schema');
  assert.equal(page.match(/<\/script>/g).length, 2);
  assert.ok(!page.includes('<img'));
  const data = JSON.parse(/<script type="application\/json" id="data">([^<]*)</.exec(page)[1]);
  assert.deepEqual([data.title, data.schemas[0].text, data.rows.length], [name, 'a schema', 2]);
});

test('parts of a row, and where the bytes go', () => {
  const seen = text.inspect(core.pon.stringify({ a: [1, 2] }), 'pon');
  assert.deepEqual(seen.parts(2).map(({ part, row }) => [part, row]), [['head', 2], ['value', 2]]);
  const sizes = seen.sizes();
  assert.deepEqual(sizes.map(({ parent, name, kind, rows }) => [parent, name, kind, rows]), [[null, '', 'object', 1], [0, 'a', 'array', 1], [1, '', 'integer', 2]]);
  assert.equal(sizes[0].bits, 8 * core.pon.stringify({ a: [1, 2] }).length);
});
