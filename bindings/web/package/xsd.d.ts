import type { Format, Message } from './core.js';
import type { SchemaLedOptions } from './asn1.js';
export * from './asn1.js';

/** What a conversion drops or changes, of one kind. */
export interface Loss {
  /** `comment`, `spelling`, `value` and so on. */
  kind: string;
  count: number;
  /** The place of the first in the message: its path, bytes from the start, and for text line and column from 1. */
  path: string;
  offset?: number;
  line?: number;
  column?: number;
  /** All of this in words. */
  message: string;
}
export function convertWithLosses(
  message: Message, from: Format | undefined, to: Format, options?: SchemaLedOptions): { message: Uint8Array; losses: Loss[] };
