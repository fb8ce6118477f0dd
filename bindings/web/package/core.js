import * as bindings from './wasm/core.js';
import { api } from './lib/api.js';
import { load } from './lib/load.js';

await load(bindings, new URL('./wasm/core_bg.wasm', import.meta.url));

export const { LengthwiseError, convert, decode, detect, encode, edit, formats, check, pon, tsf } = api(bindings);

/** What shows a message takes as many bytes as what reads it: it is in the part `text`, which this loads. */
export const inspect = async (...message) => (await import('./text.js')).inspect(...message);
