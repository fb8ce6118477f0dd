import * as bindings from './wasm/xsd.js';
import { api } from './lib/api.js';
import { Inspection } from './lib/inspection.js';
import { load } from './lib/load.js';

await load(bindings, new URL('./wasm/xsd_bg.wasm', import.meta.url));

export const { LengthwiseError, convert, convertWithLosses, decode, detect, encode, edit, formats, inspect, check, pon, tsf, json, xml, Schema } = api(bindings, Inspection);
