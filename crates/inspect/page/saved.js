
// A page of its own: the message is data in it. This follows view.js in one script.

const data = JSON.parse($('data').textContent);
const digit = (at) => parseInt(data.hex[at], 16);
const bytes = Uint8Array.from({ length: data.hex.length / 2 }, (_, i) => 16 * digit(2 * i) + digit(2 * i + 1));
const { rows, spans, strings } = data;

const ends = new Uint32Array(rows.length);
const parents = new Int32Array(rows.length).fill(-1);
{
  const open = [];
  rows.forEach(([depth], row) => {
    while (open.length > depth) ends[open.pop()] = row;
    if (open.length > 0) parents[row] = open.at(-1);
    open.push(row);
  });
  for (const row of open) ends[row] = rows.length;
}

const rowOf = (row) => {
  const [depth, bit, bits, kind, name, , value] = rows[row];
  return { row, end: ends[row], depth, bit, bits, kind: strings[kind], name: strings[name], value };
};
const spanOf = (i) => ({ bit: spans[4 * i], bits: spans[4 * i + 1], part: strings[spans[4 * i + 2]], row: spans[4 * i + 3] });

/** The first span that begins at a bit or after it. */
function spanFrom(bit) {
  let low = 0;
  let high = spans.length / 4;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[4 * middle] < bit) low = middle + 1;
    else high = middle;
  }
  return low;
}

const source = {
  rows: (numbers) => Array.from(numbers, rowOf),
  bytes(from, length) {
    const found = [];
    // Spans before these bits may reach into them.
    for (let i = Math.max(0, spanFrom(8 * from) - 64); i < spans.length / 4 && spans[4 * i] < 8 * (from + length); i++) {
      if (spans[4 * i] + spans[4 * i + 1] > 8 * from) found.push(spanOf(i));
    }
    return { bytes: bytes.subarray(from, from + length), spans: found };
  },
  parts(row) {
    const [, bit, bits] = rows[row];
    const found = [];
    for (let i = spanFrom(bit); i < spans.length / 4 && spans[4 * i] < bit + bits && found.length < 16; i++) {
      if (spans[4 * i + 3] === row) found.push(spanOf(i));
    }
    return found;
  },
  at(bit) {
    const next = spanFrom(bit + 1);
    for (let i = next - 1; i >= Math.max(0, next - 64); i--) {
      if (bit < spans[4 * i] + spans[4 * i + 1]) return spans[4 * i + 3];
    }
    return undefined;
  },
  path(row) {
    const steps = [];
    for (let here = row; here >= 0; here = parents[here]) {
      const [, , , , name, step] = rows[here];
      if (step !== 0) steps.push(step === 1 ? strings[name] : step);
    }
    return `/${steps.reverse().join('/')}`;
  },
  /** The first row of a path. */
  rowAt(path) {
    const asked = path === '/' ? '' : path;
    /** Of each row: how much of the path leads to it; -1 where another does. */
    const matched = new Int32Array(rows.length);
    return rows.findIndex(([, , , , name, step], row) => {
      const before = parents[row] < 0 ? 0 : matched[parents[row]];
      const text = step === 0 ? '' : `/${step === 1 ? strings[name] : step}`;
      matched[row] = before >= 0 && asked.startsWith(text, before) ? before + text.length : -1;
      return matched[row] === asked.length;
    });
  },
  find(query, from) {
    const wanted = query.toLowerCase();
    const has = (text) => text?.toLowerCase().includes(wanted);
    const atPath = query.startsWith('/') ? this.rowAt(query) : -1;
    if (atPath >= 0) return atPath;
    for (let i = 0; i < rows.length; i++) {
      const row = (from + i) % rows.length;
      if (has(strings[rows[row][4]]) || has(rows[row][6])) return row;
    }
    return undefined;
  },
  sizes: () => data.sizes,
};

document.title = visible(data.title);
$('title').textContent = visible(data.title);
const count = (number) => number.toLocaleString('en');
const notes = [`${data.format}, ${count(data.length)} bytes, ${count(data.count)} rows`];
if (data.rowsLeftOut) notes.push(`${count(data.rowsLeftOut)} more rows are not on this page`);
if (data.bytesLeftOut) notes.push(`${count(data.bytesLeftOut)} more bytes are not on this page`);
$('summary').textContent = notes.join('; ');
say('error', data.error?.message);
const texts = data.schemas.map(({ text }) => visibleLines(text));
const bodies = data.schemas.map(({ name, leftOut }, i) => {
  const body = made('pre', '', texts[i]);
  body.tabIndex = 0;
  body.setAttribute('role', 'group');
  body.setAttribute('aria-label', `Text of ${visible(name)}`);
  $('schemas').append(made('h3', '', visible(name)), body);
  if (leftOut) $('schemas').append(made('p', 'note', `${count(leftOut)} more bytes are not on this page.`));
  return body;
});
$('schemas').hidden = bodies.length === 0;
document.body.classList.toggle('beside', bodies.length > 0);

/** Marks the name of a row in the schemas, and shows the first. Items of a list have none. */
function markName(seen) {
  const name = seen && /^[A-Za-z][\w-]*$/.test(seen.name) ? new RegExp(`(?<![\\w-])(${seen.name})(?![\\w-])`) : /(?!)/;
  bodies.forEach((body, i) => {
    const pieces = texts[i].split(name);
    body.replaceChildren(...pieces.map((piece, n) => (n % 2 === 1 ? made('mark', '', piece) : piece)));
    const first = body.querySelector('mark');
    if (first) body.scrollTop = first.offsetTop - 48;
  });
}

const view = new View(source, markName);
view.open({ format: data.format, length: bytes.length, ends, error: data.error });
