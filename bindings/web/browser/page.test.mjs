// The page in headless Chromium: every sample, format and error; keyboard, axe, hostile strings, large messages.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const site = fileURLToPath(new URL('../site', import.meta.url));
const pictures = process.env.PICTURES;
const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };
const chrome = process.env.CHROMIUM ?? '/usr/bin/chromium';

let server, browser, address;
const outside = [];
const broken = [];

before(async () => {
  server = createServer(({ url }, response) => {
    const path = site + (url === '/' ? '/index.html' : url.split('?')[0]);
    if (path.includes('..') || !existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(readFileSync(path));
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath: chrome, args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  server?.close();
});

async function opened(fragment = '', options = {}) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 1000 }, ...options })).newPage();
  page.setDefaultTimeout(30_000);
  page.on('request', (request) => request.url().startsWith(address) || request.url().startsWith('blob:') || outside.push(request.url()));
  page.on('pageerror', (error) => broken.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && broken.push(message.text()));
  page.on('dialog', (dialog) => { broken.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.goto(address + fragment);
  await page.waitForSelector('body[data-sizes]');
  return page;
}

const sample = async (page, id) => {
  await page.evaluate(() => delete document.body.dataset.sizes);
  await page.selectOption('#sample', id);
  await page.waitForSelector('body[data-sizes]');
};
const field = (page, name) => page.locator('#selection dt', { hasText: name }).locator('xpath=following-sibling::dd[1]').innerText();

async function sound(page) {
  await page.evaluate(axe + ';0');
  const { violations } = await page.evaluate(() => axe.run({ resultTypes: ['violations'] }));
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`), []);
}

test('every sample opens; its first and last rows and bytes select each other', async () => {
  const page = await opened();
  const samples = await page.$$eval('#sample option', (options) => options.map((option) => option.value).filter(Boolean));
  assert.equal(samples.length, 10);
  for (const id of samples) {
    await sample(page, id);
    assert.equal(await page.isVisible('#error'), id === 'broken', id);
    if (id === 'broken') continue;
    await page.focus('#tree');
    await page.keyboard.press('End');
    await page.waitForSelector('#tree .line[aria-selected="true"]');
    const path = await field(page, 'Path');
    await page.waitForSelector('#bytes .chosen', { state: 'attached' }).catch(() => assert.fail(`${id}: no bytes of ${path}`));
    // The bytes of a row may be drawn after its line: until then those of the row before are chosen.
    const clicked = async (tries) => {
      await page.check('input[value="bytes"]');
      const bit = await page.locator('#bytes .chosen').first().getAttribute('data-bit');
      await page.check('input[value="bits"]');
      await page.locator(`#bytes [data-bit="${bit}"]`).click({ timeout: 2_000 }).catch((error) => (tries > 0 ? clicked(tries - 1) : Promise.reject(error)));
    };
    await clicked(3);
    await page.check('input[value="bytes"]');
    assert.ok((await field(page, 'Path')).length > 0);
    assert.ok((await page.locator('#sizes tbody tr').count()) >= 4, id);
  }
  await page.context().close();
});

test('a value is edited, and the bytes change', async () => {
  const page = await opened('#sample=cam');
  await page.fill('#query', '/vehicle/speed');
  await page.press('#query', 'Enter');
  await page.waitForFunction(() => document.querySelector('#value').value === '1389');
  // Counted by hand: 1 + 8 + 3 + 32 bits of the header, 16, 1 + 31 + 32 + 20 of the position, 1 + 12 before the speed.
  assert.equal(await field(page, 'Place'), 'byte 19, bit 5, 14 bits');
  const digits = () => page.locator('#bytes').innerText();
  const before = await digits();
  await page.fill('#value', '1500');
  await page.click('#edit button');
  await page.waitForFunction(() => [...document.querySelectorAll('#selection dd')].some((dd) => dd.textContent === '1500'));
  assert.notEqual(await digits(), before);
  await page.fill('#value', '99999');
  await page.click('#edit button');
  await page.waitForSelector('#edit-error:not([hidden])');
  await page.context().close();
});

test('pasted text, hexadecimal digits and base64 are understood', async () => {
  const page = await opened();
  for (const [text, format] of [['{"a": 1}', 'json'], ['<a>1</a>', 'xml'], ['3006020105040100', 'ber'], ['30 06 02 01 05\n04 01 00', 'ber'], ['MAYCAQUEAQA=', 'ber'], ['2i49', 'pon'], ['1a<2[hi', 'tsf']]) {
    await page.evaluate(() => { document.querySelector('#paste').open = true; delete document.body.dataset.sizes; });
    await page.fill('#text', text);
    await page.click('#clear-schema', { force: true }).catch(() => {});
    await page.click('#open');
    await page.waitForSelector(`body[data-sizes="${format}"]`).catch(() => assert.fail(`${text} is not ${format}`));
  }
  await page.context().close();
});

test('errors are shown at their place: in messages and in schemas', async () => {
  const page = await opened('#hex=3006020105&format=der');
  assert.match(await page.innerText('#error'), /^incomplete at byte/);
  await page.evaluate(() => (document.querySelector('#schema-pane').open = true));
  await page.fill('#schema', 'M DEFINITIONS ::= BEGIN\nT ::= Missing\nEND');
  await page.click('#use-schema');
  await page.waitForSelector('#schema-error:not([hidden])');
  assert.equal(await page.$eval('#schema', (area) => area.value.slice(area.selectionStart, area.selectionEnd)), 'Missing');
  await page.context().close();
});

test('no message puts markup into the page, and nothing leaves the browser', async () => {
  const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script>"\'`${alert(3)}</textarea></select>\u202e';
  const text = JSON.stringify({ [hostile]: hostile, __proto__: [hostile] });
  const page = await opened(`#${new URLSearchParams({ text, schema: '' })}`.replace('&schema=', ''));
  await page.waitForSelector('#tree .line');
  assert.equal(await page.locator('main img, main script').count(), 0);
  await page.focus('#tree');
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.querySelectorAll('#selection dd').length === 4);
  assert.equal(await page.locator('main img, main script').count(), 0);
  assert.equal(await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.inline = true';
    document.body.append(script);
    return window.inline;
  }), undefined, 'the policy refuses scripts in the page');
  // That refusal is the one error of this page.
  assert.equal(broken.splice(0).filter((text) => !/Content Security Policy/.test(text)).length, 0);
  await page.context().close();
});

test('a link opens the same message', async () => {
  const page = await opened('#sample=invoice');
  await page.click('#share');
  await page.waitForFunction(() => location.hash.startsWith('#format=uper'));
  const fragment = await page.evaluate(() => location.hash);
  const other = await opened(fragment);
  assert.match(await other.innerText('#summary'), /uper, 136 bytes/);
  await page.context().close();
  await other.context().close();
});

test('JSON, digits and a page are saved', async () => {
  const page = await opened('#sample=weather');
  for (const [button, expected] of [['save-json', '"name": "Kap Arkona"'], ['save-hex', '276b'], ['save-page', '"title":"Weather station (OER)"']]) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#${button}`)]);
    assert.ok(readFileSync(await download.path(), 'utf8').includes(expected), button);
    if (button !== 'save-page') continue;
    await download.saveAs(`${site}/saved.html`);
    await page.goto(`${address}saved.html`);
    await page.waitForSelector('#tree .line[aria-selected="true"]');
    assert.match(await page.innerText('#schemas'), /Weather DEFINITIONS/);
  }
  await page.context().close();
});

test('a message of 10 MB stays responsive', async () => {
  const page = await opened();
  const item = JSON.stringify({ room: 'attic', t: [21.5, 22, 23.25], note: 'a line of text that is longer than most' });
  const text = `[${Array(Math.ceil(10_000_000 / item.length)).fill(item).join(',')}]`;
  await page.evaluate(() => delete document.body.dataset.sizes);
  await page.setInputFiles('#file', { name: 'large.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  const longest = await page.evaluate(async () => {
    let longest = 0;
    let last = performance.now();
    const stop = performance.now() + 4_000;
    while (performance.now() < stop || document.querySelector('#summary').textContent.indexOf('large.json') < 0) {
      await new Promise((next) => setTimeout(next));
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
    return longest;
  });
  console.log(`# the longest pause of the page: ${Math.round(longest)} ms`);
  assert.ok(longest < 1_000, `${longest} ms`);
  await page.focus('#tree');
  await page.keyboard.press('End');
  await page.waitForSelector('#tree .line[aria-selected="true"]');
  await page.context().close();
});

for (const [name, options] of [['light', { colorScheme: 'light' }], ['dark', { colorScheme: 'dark' }], ['phone', { viewport: { width: 390, height: 844 }, colorScheme: 'light' }]]) {
  test(`axe finds nothing: ${name}`, async () => {
    const page = await opened('#sample=cam', options);
    await page.focus('#tree');
    for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowDown');
    await page.waitForSelector('#bytes .chosen', { state: 'attached' });
    await sound(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
    if (pictures) {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${pictures}/page-${name}.png` });
    }
    await page.context().close();
  });
}

test('nothing was asked of another host, and nothing went wrong', () => {
  assert.deepEqual([outside, broken], [[], []]);
});
