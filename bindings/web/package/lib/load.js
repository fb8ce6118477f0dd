/** Starts a module of WebAssembly: from its file in Node, else over the network. */
export async function load(bindings, url) {
  const source = url.protocol === 'file:' ? await fromFile(url) : await fromNetwork(url);
  await bindings.default({ module_or_path: source });
}

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
