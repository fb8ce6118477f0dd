/** Makes values of JavaScript from the rows of the module (wasm/src/rows.rs). */

const XML = 256;
const NONE = 0xffffffff;
const kinds = { object: 0x7b, array: 0x5b, string: 0x27, integer: 0x23, float: 0x25, true: 0x74, false: 0x66, null: 0x7e };
const binary = 0x2a, character = 0x5e, byte = 0x60;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const ascii = new TextDecoder('latin1');

/** Shorter texts are made from their bytes: starting a decoder takes longer. */
const SHORT = 24;

export function valueOf(rows, message) {
  const numbers = rows.numbers();
  const copied = rows.copied();
  const text = texts(message, copied, rows.is_ascii());
  rows.free();
  if (numbers.length > 0 && numbers[0] >= XML) return documentOf(numbers, text);
  const octets = (at, length) => at < message.length || length === 0
    ? message.subarray(at, at + length)
    : copied.subarray(at - message.length, at - message.length + length);
  return jsonOf(numbers, text, octets, message);
}

/** Reads text by its position in the message, or in what follows it. */
function texts(message, copied, isAscii) {
  const whole = isAscii ? ascii.decode(message) : undefined;
  const text = (at, length) => {
    if (at >= message.length) return decoded(copied, at - message.length, length);
    return whole === undefined ? decoded(message, at, length) : whole.substring(at, at + length);
  };
  // Records repeat their names: a string that is a key already need not be made and looked up again.
  const known = [];
  text.ofName = (at, length) => {
    if (whole === undefined || at >= message.length || length === 0) return text(at, length);
    const place = (length << 4 ^ message[at] ^ message[at + length - 1] << 2) & 0xff;
    const candidate = known[place];
    if (candidate !== undefined && candidate.length === length && whole.startsWith(candidate, at)) return candidate;
    return (known[place] = text(at, length));
  };
  return text;
}

function decoded(bytes, at, length) {
  if (length <= SHORT) {
    let text = '';
    let i = at;
    for (; i < at + length; i++) {
      if (bytes[i] > 0x7f) break;
      text += String.fromCharCode(bytes[i]);
    }
    if (i === at + length) return text;
  }
  return utf8.decode(bytes.subarray(at, at + length));
}

function numberOf(text) {
  const number = Number(text);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : BigInt(text);
}

/** Few digits are added up; their text is not made. */
function integerOf(at, length, text, message) {
  if (length > 9 || at + length > message.length) return numberOf(text(at, length));
  let number = 0;
  for (let i = at; i < at + length; i++) {
    if (message[i] < 0x30 || message[i] > 0x39) return numberOf(text(at, length));
    number = 10 * number + message[i] - 0x30;
  }
  return number;
}

function jsonOf(numbers, text, octets, message) {
  const open = [];
  let container;
  let isArray = false;
  let result;
  for (let at = 0; at < numbers.length; at += 5) {
    const kind = numbers[at];
    if (kind === 0) {
      open.pop();
      container = open[open.length - 1];
      isArray = Array.isArray(container);
      continue;
    }
    let value;
    switch (kind) {
      case kinds.object: value = {}; break;
      case kinds.array: value = []; break;
      case kinds.string: case character: value = text(numbers[at + 3], numbers[at + 4]); break;
      case kinds.integer: value = integerOf(numbers[at + 3], numbers[at + 4], text, message); break;
      case kinds.float: value = Number(text(numbers[at + 3], numbers[at + 4])); break;
      case kinds.true: value = true; break;
      case kinds.false: value = false; break;
      case kinds.null: value = null; break;
      case byte: value = octets(numbers[at + 3], 1)[0]; break;
      case binary: value = octets(numbers[at + 3], numbers[at + 4]); break;
      default: throw new TypeError(`a unit of type ${String.fromCharCode(kind)} is no value`);
    }
    if (container === undefined) result = value;
    else if (isArray) container.push(value);
    else put(container, numbers[at + 1] === NONE ? '' : text.ofName(numbers[at + 1], numbers[at + 2]), value);
    if (kind === kinds.object || kind === kinds.array) {
      open.push(value);
      container = value;
      isArray = kind === kinds.array;
    }
  }
  return result;
}

/** Assigning to `__proto__` would change the object instead. */
function put(object, name, value) {
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}

const words = { '<': 'element', '[': 'text', ']': 'cdata', '!': 'doctype', '?': 'instruction', '+': 'comment' };

/**
 * A document of XML: elements with `name`, `attributes` and `children`, text as strings, the rest as `{ type, name, text }`.
 * A document that is more than its root element is an array.
 */
function documentOf(numbers, text) {
  const top = [];
  // Open units: an element, the attributes of one, or the list around the document.
  const open = [];
  const ofDocument = { children: top };
  for (let at = 0; at < numbers.length; at += 5) {
    if (numbers[at] === 0) {
      open.pop();
      continue;
    }
    const kind = String.fromCharCode(numbers[at] - XML);
    const name = numbers[at + 1] === NONE ? '' : text(numbers[at + 1], numbers[at + 2]);
    const above = open[open.length - 1] ?? ofDocument;
    if (kind === '=') {
      open.push(above === ofDocument ? ofDocument : { attributes: above.attributes });
    } else if (kind === '<') {
      const element = { name, attributes: {}, children: [] };
      above.children.push(element);
      open.push(element);
    } else {
      const data = text(numbers[at + 3], numbers[at + 4]);
      if (above.children === undefined) put(above.attributes, name, data);
      else above.children.push(kind === '[' ? data : { type: words[kind] ?? kind, name, text: data });
    }
  }
  return top.length === 1 ? top[0] : top;
}
