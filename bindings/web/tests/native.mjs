// The command, whose answers the package must give too.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
const places = [process.env.LENGTHWISE, `${root}target/debug/lengthwise`, `${root}target/release/lengthwise`];
export const command = places.find((place) => place && existsSync(place));

/** What the command answers: the output in hexadecimal digits, or the error without the name of the input. */
export function native(args, input) {
  const { status, stdout, stderr } = spawnSync(command, [...args, '--quiet'], { input, maxBuffer: 1 << 28 });
  if (status === 0) return stdout.toString('hex');
  return stderr.toString().split('\n')[0].replace(/^error: [^:]*: /, '');
}

/** The same of the package. */
export function ours(call) {
  try {
    return Buffer.from(call()).toString('hex');
  } catch (error) {
    if (error.name !== 'LengthwiseError') throw error;
    return error.message;
  }
}

/** The byte strings of a file in Rust. */
export function byteStrings(source) {
  const escapes = { n: '\n', r: '\r', t: '\t', 0: '\0', '\\': '\\', '"': '"', "'": "'" };
  return [...source.matchAll(/\bb"((?:[^"\\]|\\[^])*)"/g)].map(([, text]) =>
    Buffer.from(
      text
        .replace(/\\\n\s*/g, '')
        .replace(/\\x([0-9a-fA-F]{2})|\\([^])/g, (_, digits, c) =>
          digits ? String.fromCharCode(parseInt(digits, 16)) : escapes[c]),
      'latin1'));
}

/** A part of the package; nothing if it was not built. */
export async function part(name) {
  return existsSync(new URL(`../package/wasm/${name}_bg.wasm`, import.meta.url)) ? import(`lengthwise/${name}`) : undefined;
}
