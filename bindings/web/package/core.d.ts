/** What went wrong, in which format, where, and what was expected there. */
export class LengthwiseError extends Error {
  readonly kind: 'syntax' | 'incomplete' | 'limit' | 'schema' | 'unsupported' | 'io';
  readonly format: string;
  /** Bytes from the start of the message. */
  readonly offset: number;
  /** The bit in the byte, for formats of bits. */
  readonly bit?: number;
  /** For text, from 1. */
  readonly line?: number;
  /** For text, in characters, from 1. */
  readonly column?: number;
  /** Where in the message; empty at its root. */
  readonly path: string;
  readonly found: string;
  readonly expected: string;
  /** Bytes that are missing at least. */
  readonly needed?: number;
  /** The name of the schema that the error is in. */
  readonly source?: string;
  /** All of these in a plain object, which other threads get as well: `structuredClone` and `postMessage` keep it. */
  readonly cause: object;
}

export type Message = Uint8Array | ArrayBuffer | ArrayBufferView | string;
export type Format = 'tsf' | 'pon' | 'xml' | 'json' | 'uper' | 'aper' | 'ber' | 'der' | 'cer' | 'oer' | 'coer' | 'asn1';

/**
 * What is read. Integers beyond 2^53 are BigInt, binary data is Uint8Array: of PON and TSF a view into the message. Written is
 * what `JSON.stringify` takes, and BigInt, ArrayBuffer and its views.
 */
export type Value = null | boolean | number | bigint | string | Uint8Array | Value[] | { [name: string]: Value };

export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Part[];
}
export type Part = Element | string | { type: 'cdata' | 'doctype' | 'instruction' | 'comment'; name: string; text: string };
/** A document of XML. It is an array if there is more than the root element. */
export type XmlDocument = Element | Part[];

export interface Limits {
  depth?: number;
  units?: number;
  message_bytes?: number;
  entity_expansion?: number;
  decompressed_bytes?: number;
  expansion_ratio?: number;
  expansion_threshold?: number;
  window?: number;
}

/** Options are those of the command. One that has no effect for the formats at hand is refused, unless it is `false`. */
export interface Options {
  /** TSF: what lengths count. Default `bytes`. */
  lengths?: 'bytes' | 'chars';
  /** TSF: the type set, or, for `convert`, `check`, `inspect` and `edit`, the text of one of your own. Default: that of the message. */
  types?: string;
  /** Converting TSF to TSF: the same of the input. */
  fromLengths?: 'bytes' | 'chars';
  fromTypes?: string;
  /** TSF of XML: attributes in order of their names. */
  sortAttributes?: boolean;
  limits?: Limits;
}

export interface Row {
  /** The number of the row. */
  row: number;
  /** The number of the row after the last one below it. */
  end: number;
  depth: number;
  /** The first bit, and the number of bits. */
  bit: number;
  bits: number;
  kind: string;
  name: string;
  /** The start of the value; binary data as hexadecimal digits. */
  value?: string;
}
export interface Tree extends Row {
  children: Tree[];
}
/** Bits with one purpose: `head`, `name`, `value`, `header`, `length`, `presence`, `index`, `extension`, `padding`. */
export interface Span {
  bit: number;
  bits: number;
  part: string;
  row: number;
}
/** All rows of a name and kind at one place of the structure; `parent` is the index of the item above. */
export interface Sizes {
  parent: number | null;
  name: string;
  kind: string;
  /** The first of the rows, and their number. */
  row: number;
  rows: number;
  /** Their bits, and those that no row below has. */
  bits: number;
  own: number;
}
export interface Inspection {
  readonly length: number;
  /** The error in the message; the rows before it are there. */
  readonly error?: LengthwiseError;
  rows(start?: number, end?: number): Row[];
  pick(numbers: Iterable<number>): Row[];
  ends(): Uint32Array;
  spans(bit: number, bits: number): Span[];
  /** The first 16 spans of a row itself. */
  parts(row: number): Span[];
  /** Where the bits of the message go: at most 2 000 items; further rows count for those above them. */
  sizes(): Sizes[];
  at(bit: number): number | undefined;
  path(row: number): string;
  rowAt(path: string): number | undefined;
  search(text: string, from?: number): number | undefined;
  bytes(from: number, length: number): Uint8Array;
  tree(): Tree[];
  /** A page of HTML that shows the message, in one file. Its script and style are loaded then. */
  page(title: string, schema?: string): Promise<string>;
  free(): void;
}

export const formats: readonly Format[];
/** The format of a message, by how it begins. ASN.1's formats are never detected. */
export function detect(message: Message): Format | undefined;
/** Reads a message. Without a format it is detected. Of members of one name, the last one counts, as in `JSON.parse`. */
export function decode(message: Message, format?: Format, options?: Options): Value | XmlDocument;
export function encode(value: unknown, format: Format, options?: Options): Uint8Array;
export function convert(message: Message, from: Format | undefined, to: Format, options?: Options): Uint8Array;
/** Checks a message; the number of its units, or values. */
export function check(message: Message, format?: Format, options?: Options): number;
/** Loads the part `text`, where the same function answers at once. */
export function inspect(message: Message, format?: Format, options?: Options): Promise<Inspection>;
/** The message with another value at a path. The value keeps its type. */
export function edit(message: Message, format: Format | undefined, path: string, value: string, options?: Options): Uint8Array;
export const pon: { parse(message: Message, options?: Options): Value; stringify(value: unknown, options?: Options): Uint8Array };
export const tsf: {
  parse(message: Message, options?: Options): Value | XmlDocument;
  stringify(value: unknown, options?: Options): Uint8Array;
};
