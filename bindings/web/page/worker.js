// Reads messages, away from the page: a large one does not stop it. One message is open at a time.

const parts = {};
const part = (name) => (parts[name] ??= import(`./lengthwise/${name}.js`));

let open;

/** The part that a message needs. */
const partFor = (format, schema) => (/^\s*</.test(schema ?? '') ? 'xsd' : schema || format && !['tsf', 'pon', 'xml', 'json'].includes(format) ? 'asn1' : 'text');

/** The format of a message. Messages of ASN.1 begin like anything: they are tried. */
async function found(lengthwise, bytes, schema) {
  const seen = lengthwise.detect(bytes);
  if (schema === undefined) return (fits(lengthwise, bytes, seen) ? undefined : await ber(bytes)) ?? seen;
  if (seen === 'xml' || seen === 'json') return seen;
  return ['der', 'uper', 'aper', 'oer'].find((format) => fits(lengthwise, bytes, format, { schema })) ?? seen ?? 'uper';
}

function fits(lengthwise, bytes, format, options) {
  try {
    return format !== undefined && lengthwise.check(bytes, format, options) >= 0;
  } catch {
    return false;
  }
}

/** `ber` if the message is one, or begins like one. */
async function ber(bytes) {
  const { inspect } = await part('asn1');
  const seen = inspect(bytes, 'ber');
  const { error, length } = seen;
  seen.free();
  return error === undefined || (bytes[0] === 0x30 && error.kind === 'incomplete' && length > 0) ? 'ber' : undefined;
}

const actions = {
  async open({ bytes, format, schema: text, root }) {
    const needed = partFor(format, text);
    let lengthwise = await part(needed);
    let schema;
    let schemaError;
    if (text) {
      try {
        schema = lengthwise.Schema[needed === 'xsd' ? 'fromXsd' : 'fromNotation'](text, { root: root || undefined });
      } catch (error) {
        schemaError = plain(error);
      }
    }
    let chosen = format || await found(lengthwise, bytes, schema);
    if (partFor(chosen, text) !== needed) lengthwise = await part('asn1');
    if (chosen === undefined) throw new Error('The format cannot be found out. Choose one, or give a schema.');
    open?.seen.free();
    open?.schema?.free();
    const options = { schema };
    const seen = lengthwise.inspect(bytes, chosen, options);
    open = { lengthwise, bytes, format: chosen, options, schema, seen };
    return {
      format: chosen, length: bytes.length, rows: seen.length, ends: seen.ends(), error: seen.error && plain(seen.error), schemaError,
      types: schema?.types, root: schema?.root,
    };
  },
  parts: ({ row }) => open.seen.parts(row),
  map: () => open.seen.sizes(),
  rows: ({ numbers }) => open.seen.pick(numbers),
  bytes: ({ from, length }) => ({ bytes: open.seen.bytes(from, length), spans: open.seen.spans(8 * from, 8 * length) }),
  at: ({ bit }) => open.seen.at(bit),
  path: ({ row }) => open.seen.path(row),
  find({ query, from }) {
    return query.startsWith('/') ? open.seen.rowAt(query) ?? open.seen.search(query, from) : open.seen.search(query, from);
  },
  edit: ({ row, value }) => open.lengthwise.edit(open.bytes, open.format, open.seen.path(row), value, open.options),
  sizes() {
    const { lengthwise, bytes, format, options } = open;
    return lengthwise.formats.map((to) => {
      if (to === format) return { format: to, bytes: bytes.length };
      try {
        return { format: to, bytes: lengthwise.convert(bytes, format, to, options).length };
      } catch (error) {
        return { format: to, why: error.message };
      }
    });
  },
  json() {
    const { lengthwise, bytes, format, options } = open;
    return lengthwise.convert(bytes, format, 'json', { ...options, pretty: true });
  },
  page: ({ title, schema }) => open.seen.page(title, schema),
};

/** An error as a message can carry it. */
const plain = (error) => ({ ...error, message: error.message });

onmessage = async ({ data: { id, action, ...args } }) => {
  try {
    postMessage({ id, result: await actions[action](args) });
  } catch (error) {
    postMessage({ id, error: plain(error) });
  }
};
