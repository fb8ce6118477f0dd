/** Lists values of JavaScript as units for the module (wasm/src/units.rs). */

/** Deeper values are taken for circular ones. */
const DEEPEST = 2_000;
const utf8 = new TextEncoder();
const types = { cdata: ']', doctype: '!', instruction: '?', comment: '+' };

/** The bytes of binary data; undefined for other values. */
export function octetsOf(value) {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return undefined;
}

/** A text that UTF-8 can represent. */
export function representable(text) {
  if (!text.isWellFormed()) throw new TypeError('a text has a lone surrogate, which UTF-8 cannot represent');
  return text;
}

/** A growing list of bytes. */
class Units {
  bytes = new Uint8Array(1024);
  length = 0;

  room(more) {
    if (this.length + more <= this.bytes.length) return;
    const bytes = new Uint8Array(Math.max(2 * this.bytes.length, this.length + more));
    bytes.set(this.bytes.subarray(0, this.length));
    this.bytes = bytes;
  }

  byte(byte) {
    this.room(1);
    this.bytes[this.length++] = byte;
  }

  size(at, length) {
    for (let i = 0; i < 4; i++) this.bytes[at + i] = (length >>> (8 * i)) & 0xff;
  }

  text(text) {
    this.room(4 + 3 * text.length);
    const { written } = utf8.encodeInto(representable(text), this.bytes.subarray(this.length + 4));
    this.size(this.length, written);
    this.length += 4 + written;
  }

  octets(octets) {
    this.room(4 + octets.length);
    this.size(this.length, octets.length);
    this.bytes.set(octets, this.length + 4);
    this.length += 4 + octets.length;
  }

  open(kind, name) {
    this.byte(kind.charCodeAt(0));
    this.byte(name === undefined ? 0 : 1);
    if (name !== undefined) this.text(name);
  }

  primitive(kind, name, data) {
    this.open(kind, name);
    if (typeof data === 'string') this.text(data);
    else this.octets(data);
  }

  close() {
    this.byte(0);
  }

  listed() {
    return this.bytes.subarray(0, this.length);
  }
}

/** Lists a value of JSON, with BigInt and binary data. */
export function unitsOf(value) {
  const units = new Units();
  push(units, undefined, value, 0);
  return units.listed();
}

function push(units, name, value, depth) {
  if (depth > DEEPEST) throw new TypeError('the value is circular, or too deep');
  switch (typeof value) {
    case 'string': return units.primitive("'", name, value);
    case 'boolean': return units.primitive('?', name, value ? 't' : 'f');
    case 'bigint': return units.primitive('#', name, String(value));
    case 'number': {
      const isInteger = Number.isSafeInteger(value) && !Object.is(value, -0);
      return units.primitive(isInteger ? '#' : '%', name, Object.is(value, -0) ? '-0.0' : String(value));
    }
    case 'object': break;
    default: throw new TypeError(`a ${typeof value} is no value of JSON`);
  }
  if (value === null) return units.primitive('~', name, '');
  const octets = octetsOf(value);
  if (octets !== undefined) return units.primitive('*', name, octets);
  if (value instanceof String || value instanceof Number || value instanceof Boolean || value instanceof BigInt) {
    return push(units, name, value.valueOf(), depth + 1);
  }
  if (typeof value.toJSON === 'function') return push(units, name, value.toJSON(), depth + 1);
  if (Array.isArray(value)) {
    units.open('[', name);
    for (const item of value) push(units, undefined, item === undefined ? null : item, depth + 1);
  } else {
    units.open('{', name);
    for (const [key, member] of Object.entries(value)) if (member !== undefined) push(units, key, member, depth + 1);
  }
  units.close();
}

/** Lists a document of XML, as `valueOf` makes it. */
export function xmlUnitsOf(document) {
  const units = new Units();
  if (Array.isArray(document)) {
    units.open('=');
    for (const part of document) pushXml(units, part, 0);
    units.close();
  } else {
    pushXml(units, document, 0);
  }
  return units.listed();
}

function pushXml(units, part, depth) {
  if (depth > DEEPEST) throw new TypeError('the document is circular, or too deep');
  if (typeof part === 'string') return units.primitive('[', undefined, part);
  if (part.type !== undefined) {
    if (types[part.type] === undefined) throw new TypeError(`'${part.type}' is no type of XML's units`);
    return units.primitive(types[part.type], part.name || undefined, part.text);
  }
  units.open('<', part.name);
  const attributes = Object.entries(part.attributes ?? {});
  if (attributes.length > 0) {
    units.open('=');
    for (const [name, value] of attributes) units.primitive('[', name, String(value));
    units.close();
  }
  for (const child of part.children ?? []) pushXml(units, child, depth + 1);
  units.close();
}
