// The view of a message: its structure beside its bytes, and where they go. Both the page that `inspect --html` writes and the
// page that reads messages in the browser have it; panes.html has the elements.

const $ = (id) => document.getElementById(id);

/** An element with text. Whatever a message says goes into the page as text, never as markup. */
export function made(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

export function say(id, text) {
  $(id).hidden = !text;
  $(id).textContent = visibleLines(text ?? '');
}

const ESCAPES = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
/** Controls and marks of direction would change how a line looks. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
/** A text on one line. */
export const visible = (text) => text.replace(UNSEEN, (c) => ESCAPES[c] ?? '\ufffd');
/** A text of several lines. */
export const visibleLines = (text) => text.replace(UNSEEN, (c) => (c in ESCAPES ? c : '\ufffd'));

const place = (bit) => (bit % 8 === 0 ? `byte ${bit / 8}` : `byte ${Math.floor(bit / 8)}, bit ${bit % 8}`);
const amount = (bits) => (bits % 8 === 0 ? `${(bits / 8).toLocaleString('en')} byte${bits === 8 ? '' : 's'}` : `${bits.toLocaleString('en')} bit${bits === 1 ? '' : 's'}`);

// A list of which only the lines in view exist.

const LINE = 24;
/** Browsers draw nothing beyond some height. A longer list scrolls in larger steps. */
const HIGHEST = 8_000_000;

class LongList {
  #scroller;
  #room = document.createElement('div');
  #draw;
  #count = 0;
  #turn = 0;
  #planned = false;

  /** `draw(first, count)` gives the lines as elements, perhaps later. */
  constructor(scroller, draw) {
    this.#scroller = scroller;
    this.#draw = draw;
    this.#room.className = 'room';
    this.#room.setAttribute('role', 'presentation');
    scroller.append(this.#room);
    scroller.addEventListener('scroll', () => this.plan());
    new ResizeObserver(() => this.plan()).observe(scroller);
  }

  get #height() {
    return Math.min(this.#count * LINE, HIGHEST);
  }

  get #shown() {
    return Math.ceil(this.#scroller.clientHeight / LINE);
  }

  /** The first line in view. */
  get #first() {
    const { scrollTop, clientHeight } = this.#scroller;
    if (this.#count * LINE <= HIGHEST) return Math.floor(scrollTop / LINE);
    return Math.floor((scrollTop / (this.#height - clientHeight)) * (this.#count - this.#shown + 1));
  }

  resize(count) {
    this.#count = count;
    this.#room.style.height = `${this.#height}px`;
    this.plan();
  }

  /** Scrolls to a line, if it is not in view. */
  show(line) {
    const first = this.#first;
    if (line > first && line < first + this.#shown - 1) return this.plan();
    const target = Math.max(0, line - Math.floor(this.#shown / 3));
    const { clientHeight } = this.#scroller;
    this.#scroller.scrollTop = this.#count * LINE <= HIGHEST
      ? target * LINE
      : (target / (this.#count - this.#shown + 1)) * (this.#height - clientHeight);
    this.plan();
  }

  plan() {
    if (this.#planned) return;
    this.#planned = true;
    requestAnimationFrame(async () => {
      this.#planned = false;
      const turn = ++this.#turn;
      const first = Math.max(0, this.#first);
      const lines = await this.#draw(first, Math.min(this.#shown + 1, this.#count - first));
      // Another drawing may have begun.
      if (turn !== this.#turn || lines === undefined) return;
      const top = this.#count * LINE <= HIGHEST ? first * LINE : this.#scroller.scrollTop;
      lines.forEach((line, i) => (line.style.top = `${Math.min(top + i * LINE, Math.max(this.#height - LINE, 0))}px`));
      this.#scroller.replaceChildren(this.#room, ...lines);
    });
  }
}

/**
 * Shows a message that `source` answers for, perhaps later: `rows(numbers)`, `bytes(from, length)` with their spans, `parts(row)`,
 * `at(bit)`, `path(row)`, `find(query, from)` and `sizes()`.
 */
export class View {
  #source;
  #onSelect;
  #tree;
  #bytes;
  #shown = [];
  #collapsed = new Set();
  #message = { length: 0, ends: new Uint32Array(), error: undefined };
  #cursor = 0;
  #map;
  /** The number of the selected row, and what is known of it. */
  row = undefined;
  selected = undefined;

  /** `onSelect(row)` is called with each selected row, and with nothing if there is none. */
  constructor(source, onSelect = () => {}) {
    this.#source = source;
    this.#onSelect = onSelect;
    this.#tree = new LongList($('tree'), (first, count) => this.#drawTree(first, count));
    this.#bytes = new LongList($('bytes'), (first, count) => this.#drawBytes(first, count));
    this.#map = new TreeMap($('map'), (row) => this.select(Math.min(row, this.#message.ends.length - 1)));
    $('tree').addEventListener('click', ({ target }) => this.#clickedTree(target));
    $('tree').addEventListener('keydown', (event) => this.#keyInTree(event));
    $('bytes').addEventListener('click', ({ target }) => target.dataset.bit !== undefined && this.#selectAt(Number(target.dataset.bit)));
    $('bytes').addEventListener('keydown', (event) => this.#keyInBytes(event));
    for (const radio of document.querySelectorAll('input[name="unit"]')) radio.addEventListener('change', () => this.#arrangeBytes());
    let narrow = this.#isNarrow;
    addEventListener('resize', () => {
      if (narrow !== this.#isNarrow) this.#arrangeBytes();
      narrow = this.#isNarrow;
    });
    $('search').addEventListener('submit', async (event) => {
      event.preventDefault();
      const row = await Promise.resolve(this.#source.find($('query').value, (this.row ?? -1) + 1)).catch(() => undefined);
      if (row === undefined) $('summary').textContent = 'Nothing found.';
      else await this.select(row);
    });
  }

  /** Shows another message: its format, the number of its bytes, the ends of its rows, and the error in it. */
  async open(message) {
    const { format } = this.#message;
    this.#message = message;
    this.row = undefined;
    this.selected = undefined;
    this.#collapsed.clear();
    if (message.format !== format) {
      const unit = /^(infoset-)?[ua]per$/.test(message.format) ? 'bits' : 'bytes';
      document.querySelector(`input[name="unit"][value="${unit}"]`).checked = true;
    }
    this.#arrange();
    $('tree').scrollTop = 0;
    $('bytes').scrollTop = 0;
    this.#bytes.resize(this.#lines);
    if (message.error) this.#bytes.show(Math.floor(message.error.offset / this.#perLine));
    if (message.ends.length > 0) await this.select(0, false);
    else this.#clear();
    const sizes = await this.#source.sizes();
    if (this.#message === message) this.#map.show(sizes, message.length);
  }

  /** Selects a row, and shows its lines unless `show` is false. */
  async select(row, show = true, moveCursor = true) {
    // A row inside of a collapsed one is shown.
    for (const hidden of [...this.#collapsed]) if (row > hidden && row < this.#message.ends[hidden]) this.#toggle(hidden, false);
    // The next key counts from here, even if it comes before the answer.
    this.row = row;
    const [[seen], path, parts] = await Promise.all([this.#source.rows([row]), this.#source.path(row), this.#source.parts(row)]);
    if (seen === undefined || this.row !== row) return;
    this.selected = { ...seen, parts };
    if (moveCursor) this.#cursor = seen.bit;
    if (show) {
      this.#tree.show(this.#lineOf(row));
      this.#bytes.show(Math.floor(seen.bit / 8 / this.#perLine));
    } else {
      this.#tree.plan();
      this.#bytes.plan();
    }
    const fields = { Path: path, Type: seen.kind || '–', Place: seen.bits > 0 ? `${place(seen.bit)}, ${amount(seen.bits)}` : '–' };
    if (parts.length > 1) fields.Parts = parts.map(({ bit, bits, part }) => `${part}: ${place(bit)}, ${amount(bits)}`).join('; ');
    if (seen.value !== undefined) fields.Value = seen.value;
    $('selection').replaceChildren(...Object.entries(fields).flatMap(([name, text]) => [made('dt', '', name), made('dd', '', visible(text))]));
    this.#onSelect(seen);
  }

  #clear() {
    $('selection').replaceChildren();
    this.#onSelect(undefined);
  }

  // The tree

  /** The rows that no collapsed row hides. */
  #arrange() {
    const { ends } = this.#message;
    const shown = [];
    for (let row = 0; row < ends.length;) {
      shown.push(row);
      row = this.#collapsed.has(row) ? ends[row] : row + 1;
    }
    this.#shown = shown;
    this.#tree.resize(shown.length);
  }

  /** The line of a row. */
  #lineOf(row) {
    let low = 0;
    let high = this.#shown.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#shown[middle] < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async #drawTree(first, count) {
    const rows = count > 0 ? await this.#source.rows(this.#shown.slice(first, first + count)) : [];
    const lines = rows.map((row) => {
      const line = made('div', 'line');
      const holds = row.end > row.row + 1;
      line.id = `row-${row.row}`;
      line.dataset.row = row.row;
      line.setAttribute('role', 'treeitem');
      line.setAttribute('aria-level', row.depth + 1);
      line.setAttribute('aria-selected', row.row === this.row);
      if (holds) line.setAttribute('aria-expanded', !this.#collapsed.has(row.row));
      line.style.paddingLeft = `${0.5 + Math.min(row.depth, 30) * 1.1}rem`;
      line.append(made('span', 'mark', holds ? (this.#collapsed.has(row.row) ? '▸' : '▾') : ''));
      if (row.name) line.append(made('span', 'name', visible(row.name)), ' ');
      line.append(made('span', 'kind', visible(row.kind)));
      if (row.value !== undefined) line.append(' ', made('span', 'value', visible(row.value)));
      return line;
    });
    const active = lines.some((line) => line.dataset.row === String(this.row));
    if (active) $('tree').setAttribute('aria-activedescendant', `row-${this.row}`);
    else $('tree').removeAttribute('aria-activedescendant');
    return lines;
  }

  #toggle(row, collapse = !this.#collapsed.has(row)) {
    if (this.#message.ends[row] === row + 1) return;
    if (collapse) this.#collapsed.add(row);
    else this.#collapsed.delete(row);
    this.#arrange();
  }

  #clickedTree(target) {
    const line = target.closest('.line');
    if (line === null) return;
    const row = Number(line.dataset.row);
    if (target.classList.contains('mark')) this.#toggle(row);
    this.select(row);
  }

  /** The row that a row is directly below. */
  #above(row) {
    const { ends } = this.#message;
    for (let above = row - 1; above >= 0; above--) if (ends[above] > row) return above;
    return row;
  }

  #keyInTree(event) {
    const row = this.row ?? 0;
    const line = this.#lineOf(row);
    const page = 16;
    const last = this.#shown.length - 1;
    const to = { ArrowDown: line + 1, ArrowUp: line - 1, PageDown: line + page, PageUp: line - page, Home: 0, End: last }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      if (last >= 0) this.select(this.#shown[Math.max(0, Math.min(to, last))]);
    } else if (event.key === 'ArrowRight' && last >= 0) {
      event.preventDefault();
      if (this.#collapsed.has(row)) this.#toggle(row, false);
      else if (this.#message.ends[row] > row + 1) this.select(row + 1);
    } else if (event.key === 'ArrowLeft' && last >= 0) {
      event.preventDefault();
      if (this.#message.ends[row] > row + 1 && !this.#collapsed.has(row)) this.#toggle(row, true);
      else this.select(this.#above(row));
    } else if (event.key === 'Enter' && !$('edit').hidden) {
      $('value').focus();
    }
  }

  // Bytes and bits

  get #isNarrow() {
    return innerWidth < 480;
  }

  get #inBits() {
    return document.querySelector('input[name="unit"]:checked').value === 'bits';
  }

  get #perLine() {
    return (this.#inBits ? 4 : 16) / (this.#isNarrow ? 2 : 1);
  }

  get #lines() {
    return Math.ceil(this.#message.length / this.#perLine);
  }

  #arrangeBytes() {
    this.#bytes.resize(this.#lines);
    if (this.selected) this.#bytes.show(Math.floor(this.selected.bit / 8 / this.#perLine));
  }

  async #drawBytes(first, count) {
    const width = this.#perLine;
    const inBits = this.#inBits;
    if (count <= 0) return [];
    const from = first * width;
    const { bytes: octets, spans } = await this.#source.bytes(from, count * width);
    const { selected, row: own } = this;
    const { error } = this.#message;
    const size = inBits ? 1 : 8;
    const overlaps = (bit, { bit: start, bits }) => start < bit + size && bit < start + bits;
    // A row without bits of its own is all of those below it.
    const isOwn = selected && selected.parts.length > 0 ? (bit) => spans.some((span) => span.row === own && overlaps(bit, span)) : () => true;
    const classOf = (bit) => {
      if (error && Math.floor(bit / 8) === error.offset) return 'wrong';
      const inside = selected && overlaps(bit, selected);
      if (inside && isOwn(bit)) return 'chosen';
      const span = spans.find((span) => overlaps(bit, span));
      if (inside) return 'inside';
      if (span === undefined) return '';
      return span.part === 'value' ? 'value-part' : ['head', 'header', 'name'].includes(span.part) ? 'head-part' : 'other-part';
    };
    return Array.from({ length: Math.ceil(octets.length / width) }, (_, i) => {
      const line = made('div', 'line');
      const of = octets.subarray(i * width, (i + 1) * width);
      line.append(made('span', 'at', (from + i * width).toString(16).padStart(8, '0')));
      of.forEach((byte, n) => {
        const at = 8 * (from + i * width + n);
        const shown = inBits ? byte.toString(2).padStart(8, '0').split('') : [byte.toString(16).padStart(2, '0')];
        shown.forEach((digits, bit) => {
          const cell = made('b', classOf(at + bit), digits);
          if (inBits ? bit === 7 : n === 7) cell.classList.add('gap');
          cell.dataset.bit = at + bit;
          line.append(cell);
        });
      });
      // The text after a last, shorter line is below that of the others.
      for (let n = of.length; n < width; n++) line.append(...Array.from({ length: inBits ? 8 : 1 }, (_, bit) => made('b', (inBits ? bit === 7 : n === 7) ? 'gap' : '', inBits ? ' ' : '  ')));
      line.append(made('i', '', `  ${Array.from(of, (c) => (c >= 0x20 && c < 0x7f ? String.fromCharCode(c) : '·')).join('')}`));
      return line;
    });
  }

  async #selectAt(bit) {
    const row = await this.#source.at(bit);
    if (row !== undefined) await this.select(row, true, false);
  }

  #keyInBytes(event) {
    const line = 8 * this.#perLine;
    const one = this.#inBits ? 1 : 8;
    const step = { ArrowRight: one, ArrowLeft: -one, ArrowDown: line, ArrowUp: -line }[event.key];
    if (step === undefined || !this.selected) return;
    event.preventDefault();
    this.#cursor = Math.max(0, Math.min(this.#cursor + step, 8 * this.#message.length - 1));
    this.#selectAt(this.#cursor);
  }
}

// Where the bytes go

/** The most areas and lines of the table. */
const AREAS = 400;
const SUMS = 500;
/** The colours of areas, and of those whose parts have colours. */
const COLORS = 7;
const NEUTRAL = 7;
/** The height of the label of an area with others in it, and the least room that has areas inside, in pixels. */
const LABEL = 18;
const LEAST = 34;

/** Rectangles in a rectangle, in proportion to sizes that fall: rows of areas that are as square as they can be. */
function squares(sizes, { x, y, w, h }) {
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const out = [];
  let [from, left] = [0, all];
  while (from < sizes.length && w > 0 && h > 0) {
    const short = Math.min(w, h);
    const scale = (w * h) / left;
    let [count, sum, worst] = [0, 0, Infinity];
    while (from + count < sizes.length) {
      const next = sum + sizes[from + count];
      const side = (next * scale) / short;
      const ratio = Math.max((sizes[from] * scale) / side ** 2, side ** 2 / (sizes[from + count] * scale));
      if (ratio > worst) break;
      [count, sum, worst] = [count + 1, next, ratio];
    }
    const side = (sum * scale) / short;
    let at = 0;
    for (const size of sizes.slice(from, from + count)) {
      const length = (size * scale) / side;
      out.push(w >= h ? { x, y: y + at, w: side, h: length } : { x: x + at, y, w: length, h: side });
      at += length;
    }
    if (w >= h) [x, w] = [x + side, w - side];
    else [y, h] = [y + side, h - side];
    [from, left] = [from + count, left - sum];
  }
  return out;
}

class TreeMap {
  #element;
  #onSelect;
  #root;
  #all = 1;

  constructor(element, onSelect) {
    this.#element = element;
    this.#onSelect = onSelect;
    new ResizeObserver(() => this.#draw()).observe(element);
    element.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Shows sums of rows: an item has the number of the item that it is inside of. */
  show(sums, length) {
    this.#element.closest('section').hidden = sums.every(({ bits }) => bits === 0);
    const root = { name: '', bits: 8 * length, inside: [], own: 0 };
    const nodes = sums.map((sum) => ({ ...sum, inside: [] }));
    nodes.forEach((node) => (node.parent === null ? root : nodes[node.parent]).inside.push(node));
    // What is between the units of a text: punctuation and space.
    root.own = Math.max(0, root.bits - root.inside.reduce((sum, node) => sum + node.bits, 0));
    this.#root = root;
    this.#all = Math.max(root.bits, 1);
    this.#draw();
    this.#fillTable(nodes);
  }

  #percent(bits) {
    return ((100 * bits) / this.#all).toFixed(1);
  }

  #draw() {
    const { clientWidth: w, clientHeight: h } = this.#element;
    const areas = [];
    let colors = 0;
    const label = (node) => visible(node.name || node.kind || 'item') + (node.rows > 1 ? ` × ${node.rows.toLocaleString('en')}` : '');
    const add = (node, room, above, path) => {
      if (room.w < 3 || room.h < 3 || areas.length >= AREAS) return;
      // The parts of what is most of the message have colours, others have that of what they are in.
      const isMost = node.bits > (this.#all - this.#root.own) / 2 && node.inside?.length > 0;
      const color = above ?? (isMost || node.row === undefined ? undefined : colors++ % COLORS);
      areas.push({ node, room, color: color ?? NEUTRAL, path });
      if (node.inside?.length) fill(node, { x: room.x + 2, y: room.y + LABEL, w: room.w - 4, h: room.h - LABEL - 2 }, color, path ? `${path} › ${node.label}` : node.label);
    };
    const fill = (node, room, color, path) => {
      if (room.w < LEAST || room.h < LEAST) return;
      const inside = node.inside.filter(({ bits }) => bits > 0).map((child) => ({ ...child, label: label(child) }));
      if (node.own > 0) inside.push({ label: node.row === undefined ? 'between units' : 'heads, lengths', bits: node.own, row: node.row });
      inside.sort((a, b) => b.bits - a.bits);
      squares(inside.map(({ bits }) => bits), room).forEach((area, i) => add(inside[i], area, color, path));
    };
    if (this.#root && w > 0) fill(this.#root, { x: 0, y: 0, w, h }, undefined, '');
    this.#element.replaceChildren(...areas.map(({ node, room, color, path }, i) => {
      const area = made('button', `m${color}`);
      area.type = 'button';
      area.tabIndex = i === 0 ? 0 : -1;
      const text = `${node.label} · ${this.#percent(node.bits)} %`;
      area.setAttribute('aria-label', `${text}: ${amount(node.bits)}${path && `, in ${path}`}`);
      area.title = `${path && `${path} › `}${text}: ${amount(node.bits)}`;
      if (room.w > 26 && room.h > 14) area.append(made('span', '', room.w > 110 ? text : node.label));
      Object.assign(area.style, { left: `${room.x}px`, top: `${room.y}px`, width: `${room.w}px`, height: `${room.h}px` });
      if (node.row === undefined) area.disabled = true;
      else area.addEventListener('click', () => this.#onSelect(node.row));
      return area;
    }));
  }

  #key(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const areas = [...this.#element.querySelectorAll('button:enabled')];
    const to = areas[areas.indexOf(document.activeElement) + step];
    if (step === undefined || to === undefined) return;
    event.preventDefault();
    areas.forEach((area) => (area.tabIndex = -1));
    to.tabIndex = 0;
    to.focus();
  }

  #fillTable(nodes) {
    const depths = [];
    const ordered = [];
    const put = (list, depth) => list.forEach((node) => {
      ordered.push(node);
      depths.push(depth);
      put(node.inside, depth + 1);
    });
    put(this.#root.inside, 0);
    $('map-table').tBodies[0].replaceChildren(...ordered.slice(0, SUMS).map((node, i) => {
      const line = made('tr');
      const head = made('th', '', visible(node.name) || '–');
      head.scope = 'row';
      head.style.paddingLeft = `${Math.min(depths[i], 20)}em`;
      line.append(head, made('td', 'word', visible(node.kind)), made('td', '', node.rows.toLocaleString('en')), made('td', '', amount(node.bits)), made('td', '', this.#percent(node.bits)));
      return line;
    }));
    say('map-more', nodes.length > SUMS ? `${nodes.length - SUMS} more are left out.` : '');
  }
}
