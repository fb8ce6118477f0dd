// The page: what is open, what is selected, and the parts that show it.
import { bytesOf, unwrapped } from './input.js';
import { fragmentOf, messageOf } from './share.js';
import { View, made, say } from './view.js';

const $ = (id) => document.getElementById(id);

const worker = new Worker('worker.js', { type: 'module' });
const waiting = new Map();
let calls = 0;
worker.onmessage = ({ data: { id, result, error } }) => {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (error) reject(Object.assign(new Error(error.message), error));
  else resolve(result);
};
const ask = (action, args = {}) => new Promise((resolve, reject) => {
  waiting.set(++calls, { resolve, reject });
  worker.postMessage({ id: calls, action, ...args });
});

const state = { bytes: new Uint8Array(), format: '', schema: '', root: '', title: 'message' };

const view = new View({
  rows: (numbers) => ask('rows', { numbers }),
  bytes: (from, length) => ask('bytes', { from, length }),
  parts: (row) => ask('parts', { row }),
  at: (bit) => ask('at', { bit }),
  path: (row) => ask('path', { row }),
  find: (query, from) => ask('find', { query, from }),
  sizes: () => ask('map'),
}, offerEdit);

// Opening

async function open({ bytes: message, format = '', schema = state.schema, root = '', title = state.title }) {
  say('error');
  let seen;
  try {
    seen = await ask('open', { bytes: message, format, schema, root });
  } catch (error) {
    say('error', error.message);
    return false;
  }
  Object.assign(state, { bytes: message, format: seen.format, schema, root, title });
  $('format').value = format;
  $('schema').value = schema;
  say('schema-error', seen.schemaError && seen.schemaError.message);
  $('schema-state').textContent = schema ? (seen.schemaError ? '(has an error)' : '(in use)') : '(none)';
  if (seen.schemaError) markSchema(seen.schemaError);
  fillRoots(seen.types ?? [], root);
  say('error', seen.error && seen.error.message);
  $('summary').textContent = `${title}: ${seen.format}, ${seen.length.toLocaleString('en')} bytes, ${seen.rows.toLocaleString('en')} rows`;
  document.body.dataset.open = seen.format;
  if (seen.error && !schema && !seen.rows && /schema/.test(seen.error.message)) $('schema-pane').open = true;
  await view.open({ format: seen.format, length: message.length, ends: seen.ends, error: seen.error });
  fillSizes();
  return true;
}

/** Marks the place of an error in the text of the schema. */
function markSchema({ line, column, offset }) {
  const text = $('schema').value;
  let at = 0;
  if (line) {
    for (let n = 1; n < line; n++) at = text.indexOf('\n', at) + 1;
    at += column - 1;
  } else {
    at = new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, offset)).length;
  }
  $('schema-pane').open = true;
  $('schema').setSelectionRange(at, at + Math.max(1, (/^\w+/.exec(text.slice(at)) ?? [''])[0].length));
  $('schema').focus();
}

function fillRoots(types, root) {
  $('root').replaceChildren(new Option('find out', ''), ...types.map((type) => new Option(type, type)));
  $('root').value = types.includes(root) ? root : types.find((type) => type.endsWith(`.${root}`)) ?? '';
}

async function fillSizes() {
  const body = $('sizes').tBodies[0];
  const { format, bytes: message } = state;
  const sizes = await ask('sizes').catch(() => []);
  if (state.bytes !== message) return;
  body.replaceChildren(...sizes.map(({ format: name, bytes: size, why }) => {
    const line = made('tr');
    const head = made('th', '', name === format ? `${name} (this one)` : name);
    head.scope = 'row';
    const cells = size === undefined
      ? [Object.assign(made('td', 'why', why), { colSpan: 2 })]
      : [made('td', '', size.toLocaleString('en')), made('td', '', (100 * size / message.length).toFixed(1))];
    line.append(head, ...cells);
    return line;
  }));
  document.body.dataset.sizes = format;
}

// Editing

/** Offers to change the value of the selected row. */
function offerEdit(seen) {
  const edits = seen?.value !== undefined && !seen.value.endsWith('…') && (state.schema || !['ber', 'der', 'cer'].includes(state.format));
  $('edit').hidden = !edits;
  $('value').value = edits ? seen.value : '';
  say('edit-error');
}

$('edit').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { row } = view;
  try {
    const changed = await ask('edit', { row, value: $('value').value });
    await open({ ...state, bytes: changed });
    await view.select(row);
  } catch (error) {
    say('edit-error', error.message);
  }
});

// What comes in

let samples = [];

async function openSample(id) {
  const sample = samples.find((sample) => sample.id === id);
  if (sample === undefined) return;
  const read = async (name) => new Uint8Array(await (await fetch(`samples/${name}`)).arrayBuffer());
  const [message, schema] = await Promise.all([read(id), sample.schema ? read(sample.schema) : undefined]);
  $('sample').value = id;
  await open({ bytes: unwrapped(message), format: sample.format, schema: schema ? new TextDecoder().decode(schema) : '', root: sample.root ?? '', title: sample.title });
}

async function openFile(file) {
  const content = new Uint8Array(await file.arrayBuffer());
  if (/\.(asn1?|xsd|wsdl)$/i.test(file.name)) {
    await open({ ...state, format: '', schema: new TextDecoder().decode(content), root: '' });
    return;
  }
  $('sample').value = '';
  try {
    await open({ bytes: unwrapped(content), title: file.name });
  } catch (error) {
    say('error', error.message);
  }
}

$('sample').addEventListener('change', () => openSample($('sample').value));
$('format').addEventListener('change', () => open({ ...state, format: $('format').value }));
$('root').addEventListener('change', () => open({ ...state, root: $('root').value }));
$('file').addEventListener('change', () => $('file').files[0] && openFile($('file').files[0]));
$('open').addEventListener('click', async () => {
  try {
    $('sample').value = '';
    await open({ bytes: bytesOf($('text').value, $('encoding').value), title: 'pasted message' });
  } catch (error) {
    say('error', error.message);
  }
});
$('use-schema').addEventListener('click', () => open({ ...state, format: $('format').value, schema: $('schema').value, root: '' }));
$('clear-schema').addEventListener('click', () => open({ ...state, format: $('format').value, schema: '', root: '' }));
addEventListener('dragover', (event) => {
  event.preventDefault();
  document.body.classList.add('dropping');
});
addEventListener('dragleave', () => document.body.classList.remove('dropping'));
addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('dropping');
  const [file] = event.dataTransfer.files;
  if (file) openFile(file);
});

// What goes out

function save(content, ending, type) {
  const link = made('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = `message.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const attempt = (id, action) => $(id).addEventListener('click', async () => {
  say('share-state');
  try {
    await action();
  } catch (error) {
    say('share-state', error.message);
  }
});

attempt('share', async () => {
  location.hash = await fragmentOf(state);
  const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  say('share-state', copied ? 'The link is copied. It has the whole message.' : 'The link is in the address bar. It has the whole message.');
});
attempt('save-bytes', () => save(state.bytes, state.format, 'application/octet-stream'));
attempt('save-hex', () => save(Array.from(state.bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''), 'hex', 'text/plain'));
attempt('save-json', async () => save(await ask('json'), 'json', 'application/json'));
attempt('save-page', async () => save(await ask('page', { title: state.title, schema: state.schema || undefined }), 'html', 'text/html'));

// The start

async function start() {
  samples = await (await fetch('samples/samples.json')).json();
  $('sample').append(...samples.map(({ id, title }) => new Option(title, id)));
  const names = ['xml', 'json', 'tsf', 'pon', 'uper', 'aper', 'ber', 'der', 'cer', 'oer', 'coer', 'asn1'];
  $('format').append(...names.map((name) => new Option(name, name)));
  const given = await messageOf(location.hash, bytesOf).catch((error) => say('error', error.message));
  if (given?.bytes) await open({ title: 'message of the link', ...given });
  else await openSample(given?.sample ?? 'sensors');
}

start();
