#!/usr/bin/env bash
# The size of each part as a browser loads it: module and JavaScript, compressed by brotli. It fails if a part is larger
# than it may be. After build.sh release.
set -euo pipefail
cd "$(dirname "$0")/package"
node --input-type=module - <<'JS'
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const most = { core: 40, text: 75, asn1: 250, xsd: 560 };
const compressed = (path) => brotliCompressSync(readFileSync(path), { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;
/** A file, and all that it imports from the start. */
const loaded = (path, seen = new Set()) => {
  seen.add(path);
  for (const [, name] of readFileSync(path, 'utf8').matchAll(/ from '(.*)'/g)) {
    if (!seen.has(join(path, '..', name))) loaded(join(path, '..', name), seen);
  }
  return [...seen];
};
for (const [part, limit] of Object.entries(most)) {
  const module = compressed(`wasm/${part}_bg.wasm`);
  const bytes = loaded(`${part}.js`).reduce((sum, path) => sum + compressed(path), module);
  const kilobytes = (size) => (size / 1000).toFixed(1).padStart(6);
  console.log(`${part.padEnd(5)} ${kilobytes(bytes)} kB, of ${limit} kB at most (module ${kilobytes(module)})`);
  if (bytes > 1000 * limit) process.exitCode = 1;
}
JS
