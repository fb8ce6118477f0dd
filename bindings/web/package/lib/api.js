import { LengthwiseError, checked } from './error.js';
import { octetsOf, representable, unitsOf, xmlUnitsOf } from './units.js';
import { valueOf } from './values.js';

const utf8 = new TextEncoder();
const text = new TextDecoder('utf-8', { fatal: true });

/** The functions of a part, over its module. The part `core` has no `Inspection`. */
export function api(bindings, Inspection) {
  const formats = Object.freeze(bindings.formats().split(' '));
  const plain = new bindings.Codec();

  /** A message as bytes. Text is written as UTF-8. */
  const bytesOf = (message) => {
    const bytes = typeof message === 'string' ? utf8.encode(representable(message)) : octetsOf(message);
    if (bytes === undefined) throw new TypeError('a message is a Uint8Array, an ArrayBuffer or a string');
    return bytes;
  };

  /** `plainXml` is the option `plain-xml` of the command. */
  const nameOf = (option) => option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

  /** Names are joined by commas; none may read as two, or as a truth value. */
  const textOf = (option, value) => {
    if (!Array.isArray(value)) return String(value);
    if (value.length === 0 || value.some((name) => typeof name !== 'string' || name.includes(',') || name === 'true' || name === 'false')) {
      throw new TypeError(`the option '${option}' takes names without commas, but not 'true' and 'false'`);
    }
    return value.join(',');
  };

  /** The codec of the options' schema, with the other options set. */
  const prepared = ({ schema, limits = {}, ...options } = {}) => {
    const codec = schema === undefined ? plain : codecs.get(schema);
    if (codec === undefined) throw new TypeError('the schema is not one of this part');
    codec.reset();
    for (const [name, value] of Object.entries(options)) if (value !== undefined) checked(() => codec.set(nameOf(name), textOf(name, value)));
    for (const [name, value] of Object.entries(limits)) checked(() => codec.set(`limit.${name}`, String(value)));
    return codec;
  };
  const codecs = new WeakMap();

  /** The message that a call writes. What options name and it does not have is a warning on the console. */
  const written = (codec, write) => {
    const message = checked(() => write(codec));
    const warning = codec.warning();
    if (warning !== undefined) console.warn(warning);
    return message;
  };

  /** The format that is given, or found. */
  const formatOf = (bytes, format) => {
    const found = format ?? bindings.detect(bytes);
    if (found === undefined) throw new TypeError('the format cannot be detected: name it');
    return found;
  };

  const detect = (message) => bindings.detect(bytesOf(message));

  const decode = (message, format, options) => {
    const bytes = bytesOf(message);
    return valueOf(checked(() => prepared(options).read(bytes, formatOf(bytes, format))), bytes);
  };

  const isDocument = (value) => Array.isArray(value)
    ? value.some((part) => typeof part?.name === 'string' && Array.isArray(part.children))
    : typeof value?.name === 'string' && Array.isArray(value.children) && typeof value.attributes === 'object';

  const encode = (value, format, options) => {
    const isXml = format === 'xml' || options?.types === 'xml' && isDocument(value);
    const units = isXml ? xmlUnitsOf(value) : unitsOf(value);
    return written(prepared(options), (codec) => codec.write(units, isXml ? 'xml' : 'value', format));
  };

  const convert = (message, from, to, options) => {
    const bytes = bytesOf(message);
    return written(prepared(options), (codec) => codec.convert(bytes, formatOf(bytes, from), to));
  };

  /** The message in another format, and what that drops or changes. */
  const convertWithLosses = (message, from, to, options) => {
    const [bytes, codec] = [bytesOf(message), prepared(options)];
    const format = formatOf(bytes, from);
    const converted = written(codec, () => codec.convert(bytes, format, to));
    return { message: converted, losses: JSON.parse(checked(() => codec.losses(bytes, format, converted, to))) };
  };

  const check = (message, format, options) => {
    const bytes = bytesOf(message);
    return checked(() => prepared(options).check(bytes, formatOf(bytes, format)));
  };

  const inspect = (message, format, options) => {
    const bytes = bytesOf(message);
    return new Inspection(checked(() => prepared(options).inspect(bytes, formatOf(bytes, format))));
  };

  const edit = (message, format, path, value, options) => {
    const bytes = bytesOf(message);
    return checked(() => prepared(options).edit(bytes, formatOf(bytes, format), path, String(value)));
  };

  /** `parse` and `stringify` of a format. */
  const both = (format, stringify = (value, options) => encode(value, format, options)) =>
    Object.freeze({ parse: (message, options) => decode(message, format, options), stringify });
  const asText = (format) => both(format, (value, options) => text.decode(encode(value, format, options)));

  /** What messages may say. */
  class Schema {
    #codec = new bindings.Codec();

    constructor(use, sources, { root, limits = {} } = {}) {
      const entries = typeof sources === 'string' ? [['schema', sources]] : Object.entries(sources);
      for (const [name, value] of Object.entries(limits)) checked(() => this.#codec.set(`limit.${name}`, String(value)));
      const [names, texts] = [0, 1].map((part) => entries.map((entry) => entry[part]));
      checked(() => this.#codec[use](names, texts, root));
      codecs.set(this, this.#codec);
    }

    /** From modules of ASN.1: a text, or texts by their names. */
    static fromNotation(sources, options) {
      return new Schema('use_notation', sources, options);
    }

    /** From documents of XML Schema or a description of a service: a text, or texts by their names, the main one first. */
    static fromXsd(sources, options) {
      if (bindings.Codec.prototype.use_xsd === undefined) throw new TypeError("XML Schema needs the part 'xsd'");
      return new Schema('use_xsd', sources, options);
    }

    get types() {
      return this.#codec.types();
    }

    get root() {
      return this.#codec.root();
    }

    /** The modules of ASN.1; of a schema of XML, those of X.694. */
    get notation() {
      return this.#codec.notation();
    }

    /** Gives the memory back. */
    free() {
      codecs.delete(this);
      this.#codec.free();
    }
  }

  return {
    LengthwiseError, Schema, check, convert, convertWithLosses, decode, detect, edit, encode, formats, inspect,
    json: asText('json'), pon: both('pon'), tsf: both('tsf'), xml: asText('xml'),
  };
}
