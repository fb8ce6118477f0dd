// Puts the page together in site/: its own files, the view of messages, the package, and the samples, which are encoded here.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as lengthwise from './package/xsd.js';

const here = (path) => new URL(path, import.meta.url);
rmSync(here('site'), { recursive: true, force: true });
mkdirSync(here('site/samples'), { recursive: true });
for (const file of ['style.css', 'page.js', 'worker.js', 'input.js', 'share.js']) cpSync(here(`page/${file}`), here(`site/${file}`));
// The view is that of the page that `inspect --html` writes.
const view = (file) => here(`../../crates/inspect/page/${file}`);
for (const file of ['view.css', 'view.js']) cpSync(view(file), here(`site/${file}`));
writeFileSync(here('site/index.html'), readFileSync(here('page/index.html'), 'utf8').replace('<!-- panes.html -->', () => readFileSync(view('panes.html'), 'utf8')));
for (const file of ['core.js', 'text.js', 'asn1.js', 'xsd.js', 'lib', 'page', 'wasm']) {
  cpSync(here(`package/${file}`), here(`site/lengthwise/${file}`), { recursive: true, filter: (name) => !name.endsWith('.d.ts') });
}

const listed = JSON.parse(readFileSync(here('page/samples/samples.json'), 'utf8')).map(({ id, title, source, from, format, schema, root }) => {
  const read = (path) => readFileSync(new URL(path, here('page/samples/')));
  const options = {};
  if (schema) {
    const use = schema.endsWith('.asn1') ? 'fromNotation' : 'fromXsd';
    options.schema = lengthwise.Schema[use](read(schema).toString(), { root });
    writeFileSync(here(`site/samples/${basename(schema)}`), read(schema));
  }
  if (!from && source.endsWith('.json')) options.pretty = true;
  writeFileSync(here(`site/samples/${id}`), from ? lengthwise.convert(read(source), from, format, options) : read(source));
  return { id, title, format, root, schema: schema && basename(schema) };
});
writeFileSync(here('site/samples/samples.json'), JSON.stringify(listed));
