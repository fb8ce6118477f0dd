import type { Format, Inspection, Message, Options, Value, XmlDocument } from './core.js';
export * from './core.js';

export interface TextOptions extends Options {
  /** XML and JSON: indented. */
  pretty?: boolean;
  /** XML: all of XML 1.0, whether or not it is well-formed by Namespaces in XML. */
  plainXml?: boolean;
  /** XML and infosets on both sides: references to external entities are kept. */
  keepEntityReferences?: boolean;
  /** Writing JSON as XML: numbers for the items of arrays. */
  numberItems?: boolean;
  /** Writing XML: `<a/>` or `<a></a>`. */
  emptyTags?: 'single' | 'pair';
  lineEnds?: 'lf' | 'crlf';
  /** Writing JSON values as PON, and as TSF with types of values: base64 becomes binary data: likely strings, or the members with these names.
   * `console.warn` gets the names that no string of the message has. */
  binaryFromBase64?: boolean | string[];
}
export function inspect(message: Message, format?: Format, options?: TextOptions): Inspection;
export const json: { parse(message: Message, options?: TextOptions): Value; stringify(value: unknown, options?: TextOptions): string };
export const xml: {
  parse(message: Message, options?: TextOptions): XmlDocument;
  stringify(document: XmlDocument, options?: TextOptions): string;
};
