import * as bindings from './wasm/asn1.js';
import { api } from './lib/api.js';
import { Inspection } from './lib/inspection.js';
import { load } from './lib/load.js';

await load(bindings, new URL('./wasm/asn1_bg.wasm', import.meta.url));

export const { LengthwiseError, convert, decode, detect, encode, edit, formats, inspect, check, pon, tsf, json, xml, Schema } = api(bindings, Inspection);
