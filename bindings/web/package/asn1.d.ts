import type { Format, Inspection, Limits, Message, Value, XmlDocument } from './core.js';
import type { TextOptions } from './text.js';
export * from './text.js';

export interface SchemaOptions {
  /** The type of messages: `Type` or `Module.Type`. Default: the only type that no other refers to. */
  root?: string;
  limits?: Limits;
}
/** What messages may say. */
export class Schema {
  private constructor();
  /** From modules of ASN.1: a text, or texts by their names. */
  static fromNotation(sources: string | Record<string, string>, options?: SchemaOptions): Schema;
  /** From XML Schema or WSDL, the main document first: needs the part `xsd`. */
  static fromXsd(sources: string | Record<string, string>, options?: SchemaOptions): Schema;
  readonly types: string[];
  readonly root: string | undefined;
  /** The modules of ASN.1; of a schema of XML, those of X.694. */
  readonly notation: string;
  free(): void;
}
export interface SchemaLedOptions extends TextOptions {
  schema?: Schema;
  /** Writing PER, BER and OER: the only encoding of a value. */
  canonical?: boolean;
}
export function decode(message: Message, format?: Format, options?: SchemaLedOptions): Value | XmlDocument;
export function encode(value: unknown, format: Format, options?: SchemaLedOptions): Uint8Array;
export function convert(message: Message, from: Format | undefined, to: Format, options?: SchemaLedOptions): Uint8Array;
export function check(message: Message, format?: Format, options?: SchemaLedOptions): number;
export function inspect(message: Message, format?: Format, options?: SchemaLedOptions): Inspection;
export function edit(
  message: Message, format: Format | undefined, path: string, value: string, options?: SchemaLedOptions): Uint8Array;
