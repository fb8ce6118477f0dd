import { LengthwiseError } from './error.js';
import { read } from './load.js';

/** A page, and the files whose names are comments in it. */
const files = [
  ['saved.html', new URL('../page/saved.html', import.meta.url)],
  ['view.css', new URL('../page/view.css', import.meta.url)],
  ['panes.html', new URL('../page/panes.html', import.meta.url)],
  ['view.js', new URL('../page/view.js', import.meta.url)],
  ['saved.js', new URL('../page/saved.js', import.meta.url)],
];

/** The structure of a message: rows in document order, each with its bits. Rows are made when they are asked for. */
export class Inspection {
  #inner;

  constructor(inner) {
    this.#inner = inner;
    /** The number of rows. */
    this.length = inner.length;
    const error = inner.error;
    /** The error in the message; the rows before it are there. */
    this.error = error === undefined ? undefined : new LengthwiseError(JSON.parse(error));
  }

  /** Rows from `start` up to, not including, `end`. */
  rows(start = 0, end = this.length) {
    const last = Math.min(end, this.length);
    return this.pick(Uint32Array.from({ length: Math.max(0, last - start) }, (_, i) => start + i));
  }

  /** The rows of some numbers. */
  pick(numbers) {
    return JSON.parse(this.#inner.rows(Uint32Array.from(numbers)));
  }

  /** For each row, the number of the row after the last one below it. */
  ends() {
    return this.#inner.ends();
  }

  /** What some bits are for. */
  spans(bit, bits) {
    return JSON.parse(this.#inner.spans(bit, bits));
  }

  /** The first bits of a row itself, without those of the rows below it. */
  parts(row) {
    return JSON.parse(this.#inner.parts(row));
  }

  /** The bits of the message by the names of its rows: items of a list are counted together. */
  sizes() {
    return JSON.parse(this.#inner.sizes());
  }

  /** The row that a bit belongs to. */
  at(bit) {
    return this.#inner.at(bit);
  }

  path(row) {
    return this.#inner.path(row);
  }

  rowAt(path) {
    return this.#inner.row_at(path);
  }

  /** The next row whose name or value contains a text. */
  search(text, from = 0) {
    return this.#inner.search(text, from);
  }

  bytes(from, length) {
    return this.#inner.bytes(from, length);
  }

  /** The rows as a tree: each has `children`. */
  tree() {
    const top = [];
    const open = [];
    for (const row of this.rows()) {
      open.length = row.depth;
      const node = { ...row, children: [] };
      (row.depth === 0 ? top : open[row.depth - 1].children).push(node);
      open.push(node);
    }
    return top;
  }

  /** A page of its own, which `lengthwise inspect --html` writes as well; with the text of a schema beside the message. */
  async page(title, schema) {
    const data = this.#inner.page_data(title, schema);
    const utf8 = new TextDecoder();
    const [page, ...texts] = await Promise.all(files.map(async ([, url]) => utf8.decode(await read(url))));
    return [...texts, data].reduce((page, text, i) => page.replace(`<!-- ${files[i + 1]?.[0] ?? 'data'} -->`, () => text), page);
  }

  /** Gives the memory back. */
  free() {
    this.#inner.free();
  }
}
