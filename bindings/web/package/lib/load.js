/** Starts a module of WebAssembly. What it imports is in its JavaScript. */
export async function load(bindings, url) {
  const module = await WebAssembly.compile(await read(url));
  const imports = Object.fromEntries(WebAssembly.Module.imports(module).map(({ module: from }) => [from, bindings]));
  const { exports } = await WebAssembly.instantiate(module, imports);
  bindings.__wbg_set_wasm(exports);
  exports.__wbindgen_start();
}

/** The bytes of a file of the package: in Node, or over the network. */
export const read = (url) => url.protocol === 'file:' ? fromFile(url) : fromNetwork(url);

async function fromFile(url) {
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises');
  return readFile(url);
}

async function fromNetwork(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  // A server that gives another type of content would make compiling from the stream fail.
  return response.arrayBuffer();
}
