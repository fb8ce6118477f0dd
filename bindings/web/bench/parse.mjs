// `pon.parse` against `JSON.parse`: node bench/parse.mjs, after build.sh release. Medians of rounds in turn, in one process.
import { pon } from 'lengthwise';

/** Pseudo-random numbers that are the same in every run. */
let seed = 1;
const random = () => (seed = (seed * 48271) % 0x7fffffff) / 0x7fffffff;

const image = Uint8Array.from({ length: 500_000 }, () => Math.floor(random() * 256));
const services = Array.from({ length: 200 }, (_, i) => ({
  id: `service-${i}`, name: `Lamp in room ${i}`, host: `10.0.${i % 16}.${i}`, port: 8000 + i, version: 1, online: i % 3 > 0,
  commands: [{ id: 'on', direction: 'in' }, { id: 'level', direction: 'in', type: 'integer' }, { id: 'state', direction: 'out', type: 'boolean' }],
}));
const works = [
  ['image of 500 kB', { name: 'image.png', image }, { name: 'image.png', image: Buffer.from(image).toString('base64') }, (value) => Buffer.from(value.image, 'base64')],
  ['list of 200 services', services, services, () => undefined],
];

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
for (const [name, value, plain, use] of works) {
  const message = pon.stringify(value);
  const text = JSON.stringify(plain);
  const [ours, theirs] = [[], []];
  for (let round = 0; round < 300; round++) {
    const start = performance.now();
    pon.parse(message);
    const middle = performance.now();
    use(JSON.parse(text));
    ours.push(middle - start);
    theirs.push(performance.now() - middle);
  }
  const [pons, jsons] = [median(ours), median(theirs)];
  console.log(`${name}: pon ${message.length} B in ${(1000 * pons).toFixed(1)} µs, JSON ${text.length} B in ${(1000 * jsons).toFixed(1)} µs: ${(jsons / pons).toFixed(2)}`);
}
