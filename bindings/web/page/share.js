// A message and its schema in the fragment of a link, which browsers do not send.

/** Longer links are cut by some programs; more is refused when a link is opened. */
const LONGEST_LINK = 30_000;
const MOST_BYTES = 16 << 20;

async function through(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const pieces = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MOST_BYTES) throw new Error('The message in this link is too long.');
    pieces.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

async function packed(bytes) {
  const deflated = await through(bytes, new CompressionStream('deflate-raw'));
  let text = '';
  for (const byte of deflated) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

async function unpacked(text) {
  const deflated = Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
  return through(deflated, new DecompressionStream('deflate-raw'));
}

export async function fragmentOf({ bytes, format, schema, root }) {
  const fields = new URLSearchParams({ format, data: await packed(bytes) });
  if (schema) fields.set('schema', await packed(new TextEncoder().encode(schema)));
  if (root) fields.set('root', root);
  const fragment = fields.toString();
  if (fragment.length > LONGEST_LINK) throw new Error('The message is too long for a link. Save it as a page instead.');
  return fragment;
}

/** The message of a fragment: `data` packed, or `hex` or `base64` by hand; or the name of a sample. */
export async function messageOf(fragment, bytesOf) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const format = fields.get('format') ?? '';
  const root = fields.get('root') ?? '';
  const schema = fields.has('schema') ? new TextDecoder().decode(await unpacked(fields.get('schema'))) : '';
  if (fields.has('sample')) return { sample: fields.get('sample') };
  for (const kind of ['hex', 'base64', 'text']) if (fields.has(kind)) return { bytes: bytesOf(fields.get(kind), kind), format, root, schema };
  return fields.has('data') ? { bytes: await unpacked(fields.get('data')), format, root, schema } : undefined;
}
