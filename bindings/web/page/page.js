// The page: what is open, what is selected, and the parts that show it.
import { bytesOf, unwrapped } from './input.js';
import { fragmentOf, messageOf } from './share.js';
import { LongList } from './view.js';

const $ = (id) => document.getElementById(id);

/** An element with text. Whatever a message says goes into the page as text, never as markup. */
function made(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

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

const state = { bytes: new Uint8Array(), format: '', schema: '', root: '', title: 'message', ends: new Uint32Array(), shown: [], collapsed: new Set(), row: undefined, selected: undefined, error: undefined };

function say(id, text) {
  $(id).hidden = !text;
  $(id).textContent = text ?? '';
}

const tree = new LongList($('tree'), drawTree);
const bytes = new LongList($('bytes'), drawBytes);
const perLine = () => (unit() === 'bits' ? 4 : innerWidth < 480 ? 8 : 16);
const unit = () => document.querySelector('input[name="unit"]:checked').value;

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
  Object.assign(state, { bytes: message, format: seen.format, schema, root, title, ends: seen.ends, row: undefined, selected: undefined, error: seen.error });
  state.collapsed.clear();
  $('format').value = format;
  $('schema').value = schema;
  say('schema-error', seen.schemaError && seen.schemaError.message);
  $('schema-state').textContent = schema ? (seen.schemaError ? '(has an error)' : '(in use)') : '(none)';
  if (seen.schemaError) markSchema(seen.schemaError);
  fillRoots(seen.types ?? [], root);
  say('error', seen.error && seen.error.message);
  $('summary').textContent = `${title}: ${seen.format}, ${seen.length.toLocaleString('en')} bytes, ${seen.rows.toLocaleString('en')} rows`;
  document.body.dataset.open = seen.format;
  arrange();
  bytes.resize(Math.ceil(message.length / perLine()));
  $('tree').scrollTop = 0;
  $('bytes').scrollTop = 0;
  if (seen.error) {
    bytes.show(Math.floor(seen.error.offset / perLine()));
    if (!schema && !seen.rows && /schema/.test(seen.error.message)) $('schema-pane').open = true;
  }
  if (seen.rows > 0) await select(0, false);
  else clearSelection();
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

// The tree

/** The rows that no collapsed row hides. */
function arrange() {
  const shown = [];
  for (let row = 0; row < state.ends.length;) {
    shown.push(row);
    row = state.collapsed.has(row) ? state.ends[row] : row + 1;
  }
  state.shown = shown;
  tree.resize(shown.length);
}

/** The line of a row. */
function lineOf(row) {
  let low = 0;
  let high = state.shown.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (state.shown[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function drawTree(first, count) {
  const rows = count > 0 ? await ask('rows', { numbers: state.shown.slice(first, first + count) }) : [];
  const lines = rows.map((row) => {
    const line = made('div', 'line');
    const holds = row.end > row.row + 1;
    line.id = `row-${row.row}`;
    line.dataset.row = row.row;
    line.setAttribute('role', 'treeitem');
    line.setAttribute('aria-level', row.depth + 1);
    line.setAttribute('aria-selected', row.row === state.row);
    if (holds) line.setAttribute('aria-expanded', !state.collapsed.has(row.row));
    line.style.paddingLeft = `${0.5 + Math.min(row.depth, 30) * 1.1}rem`;
    line.append(made('span', 'mark', holds ? (state.collapsed.has(row.row) ? '▸' : '▾') : ''));
    if (row.name) line.append(made('span', 'name', row.name), ' ');
    line.append(made('span', 'kind', row.kind));
    if (row.value !== undefined) line.append(' ', made('span', 'value', visible(row.value)));
    return line;
  });
  const active = lines.some((line) => line.dataset.row === String(state.row));
  if (active) $('tree').setAttribute('aria-activedescendant', `row-${state.row}`);
  else $('tree').removeAttribute('aria-activedescendant');
  return lines;
}

/** Controls and marks of direction would change how a line looks. */
const visible = (text) => text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, '\ufffd');

function toggle(row, collapse = !state.collapsed.has(row)) {
  if (state.ends[row] === row + 1) return;
  if (collapse) state.collapsed.add(row);
  else state.collapsed.delete(row);
  arrange();
}

$('tree').addEventListener('click', ({ target }) => {
  const line = target.closest('.line');
  if (line === null) return;
  const row = Number(line.dataset.row);
  if (target.classList.contains('mark')) toggle(row);
  select(row);
});

$('tree').addEventListener('keydown', (event) => {
  const line = lineOf(state.row ?? 0);
  const page = 16;
  const to = { ArrowDown: line + 1, ArrowUp: line - 1, PageDown: line + page, PageUp: line - page, Home: 0, End: state.shown.length - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    if (state.shown.length > 0) select(state.shown[Math.max(0, Math.min(to, state.shown.length - 1))]);
  } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
    event.preventDefault();
    toggle(state.row, event.key === 'ArrowLeft');
  } else if (event.key === 'Enter') {
    $('value').focus();
  }
});

// Bytes and bits

async function drawBytes(first, count) {
  const width = perLine();
  if (count <= 0) return [];
  const from = first * width;
  const { bytes: octets, spans } = await ask('bytes', { from, length: count * width });
  const ofBit = (bit) => spans.find((span) => bit >= span.bit && bit < span.bit + span.bits);
  const classOf = (bit) => {
    if (state.error && Math.floor(bit / 8) === state.error.offset) return 'wrong';
    const { selected } = state;
    if (selected && bit + (unit() === 'bits' ? 0 : 7) >= selected.bit && bit < selected.bit + selected.bits) return 'chosen';
    const span = ofBit(bit);
    if (span === undefined) return '';
    return span.part === 'value' ? 'value-part' : ['head', 'header', 'name'].includes(span.part) ? 'head-part' : 'other-part';
  };
  return Array.from({ length: Math.ceil(octets.length / width) }, (_, i) => {
    const line = made('div', 'line');
    const of = octets.subarray(i * width, (i + 1) * width);
    line.append(made('span', 'at', (from + i * width).toString(16).padStart(8, '0')));
    of.forEach((byte, n) => {
      const at = 8 * (from + i * width + n);
      const shown = unit() === 'bits' ? byte.toString(2).padStart(8, '0').split('') : [byte.toString(16).padStart(2, '0')];
      shown.forEach((digits, bit) => {
        const cell = made('b', classOf(at + bit), digits);
        if (unit() === 'bits' ? bit === 7 : n === 7) cell.classList.add('gap');
        cell.dataset.bit = at + bit;
        line.append(cell);
      });
    });
    line.append(made('i', '', `  ${Array.from(of, (c) => (c >= 0x20 && c < 0x7f ? String.fromCharCode(c) : '·')).join('')}`));
    return line;
  });
}

async function selectAt(bit) {
  const row = await ask('at', { bit });
  if (row !== undefined) await select(row, true, false);
}

$('bytes').addEventListener('click', ({ target }) => {
  if (target.dataset.bit !== undefined) selectAt(Number(target.dataset.bit));
});

$('bytes').addEventListener('keydown', (event) => {
  const line = 8 * perLine();
  const step = { ArrowRight: unit() === 'bits' ? 1 : 8, ArrowLeft: unit() === 'bits' ? -1 : -8, ArrowDown: line, ArrowUp: -line }[event.key];
  if (step === undefined || !state.selected) return;
  event.preventDefault();
  state.cursor = Math.max(0, Math.min((state.cursor ?? state.selected.bit) + step, 8 * state.bytes.length - 1));
  selectAt(state.cursor);
});

for (const radio of document.querySelectorAll('input[name="unit"]')) {
  radio.addEventListener('change', () => {
    bytes.resize(Math.ceil(state.bytes.length / perLine()));
    if (state.selected) bytes.show(Math.floor(state.selected.bit / 8 / perLine()));
  });
}

// The selection

async function select(row, show = true, moveCursor = true) {
  // A row inside of a collapsed one is shown.
  for (const hidden of [...state.collapsed]) if (row > hidden && row < state.ends[hidden]) toggle(hidden, false);
  // The next key counts from here, even if it comes before the answer.
  state.row = row;
  const [[seen], path] = await Promise.all([ask('rows', { numbers: [row] }), ask('path', { row })]);
  if (seen === undefined || state.row !== row) return;
  state.selected = seen;
  if (moveCursor) state.cursor = seen.bit;
  if (show) {
    tree.show(lineOf(row));
    bytes.show(Math.floor(seen.bit / 8 / perLine()));
  } else {
    tree.plan();
    bytes.plan();
  }
  const fields = { Path: path, Type: seen.kind, Place: `${place(seen.bit)}, ${amount(seen.bits)}` };
  if (seen.value !== undefined) fields.Value = visible(seen.value);
  $('selection').replaceChildren(...Object.entries(fields).flatMap(([name, text]) => [made('dt', '', name), made('dd', '', text)]));
  const edits = seen.value !== undefined && !seen.value.endsWith('…') && (state.schema || !['ber', 'der', 'cer'].includes(state.format));
  $('edit').hidden = !edits;
  $('value').value = edits ? seen.value : '';
  say('edit-error');
}

function clearSelection() {
  state.row = undefined;
  state.selected = undefined;
  $('selection').replaceChildren();
  $('edit').hidden = true;
}

const place = (bit) => (bit % 8 === 0 ? `byte ${bit / 8}` : `byte ${Math.floor(bit / 8)}, bit ${bit % 8}`);
const amount = (bits) => (bits % 8 === 0 ? `${bits / 8} byte${bits === 8 ? '' : 's'}` : `${bits} bit${bits === 1 ? '' : 's'}`);

$('edit').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { row } = state;
  try {
    const changed = await ask('edit', { row, value: $('value').value });
    await open({ ...state, bytes: changed });
    if (row < state.ends.length) await select(row);
  } catch (error) {
    say('edit-error', error.message);
  }
});

$('search').addEventListener('submit', async (event) => {
  event.preventDefault();
  const row = await ask('find', { query: $('query').value, from: (state.row ?? -1) + 1 }).catch(() => undefined);
  if (row === undefined) $('summary').textContent = 'Nothing found.';
  else await select(row);
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
attempt('save-page', async () => save(await ask('page', { title: state.title }), 'html', 'text/html'));

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
