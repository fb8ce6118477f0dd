// The pages that the command writes, from their files in headless Chromium: selection both ways, keyboard, axe, hostile strings.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { command, root } from '../tests/native.mjs';

const skip = command ? false : 'the command is not built';
const pictures = process.env.PICTURES;
const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const samples = `${root}samples`;
const looks = { light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' }, phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } } };

let browser, folder;
const outside = [];
const broken = [];

before(async () => {
  folder = mkdtempSync(`${tmpdir()}/lengthwise-`);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command in the folder, and gives the page that it writes. */
function written(name, args, input) {
  const { stderr } = spawnSync(command, [...args, '--html', name], { cwd: folder, input });
  return { name, stderr: stderr.toString() };
}

async function opened({ name }, options = {}) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 1000 }, ...options })).newPage();
  page.setDefaultTimeout(30_000);
  const address = pathToFileURL(`${folder}/${name}`).href;
  page.on('request', (request) => request.url().split('#')[0] === address || outside.push(request.url()));
  page.on('pageerror', (error) => broken.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && broken.push(message.text()));
  page.on('dialog', (dialog) => { broken.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.goto(address);
  return page;
}

const packed = () => {
  const message = spawnSync(command, ['convert', `${samples}/weather.json`, '-s', `${samples}/weather.asn1`, '-t', 'uper', '-o', 'weather.uper'], { cwd: folder });
  assert.equal(message.status, 0, String(message.stderr));
  return written('weather.html', ['inspect', 'weather.uper', '-s', `${samples}/weather.asn1`]);
};
const field = (page, name) => page.locator('#selection dt', { hasText: name }).locator('xpath=following-sibling::dd[1]').innerText();
const selected = (page, path) => page.waitForFunction((path) => [...document.querySelectorAll('#selection dd')].some((dd) => dd.textContent === path), path);

async function sound(page, name, scheme) {
  // The page's policy refuses scripts beside its own; playwright's evaluate is not one.
  await page.evaluate(axe + ';0');
  const { violations } = await page.evaluate(() => axe.run({ resultTypes: ['violations'] }));
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`), []);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/${name}-${scheme}.png`, fullPage: true });
}

test('a row, a bit and an area select each other', { skip }, async () => {
  const page = await opened(packed());
  assert.equal(await page.isChecked('input[value="bits"]'), true);
  // The extension bit of the message and the presence of its note, then the presence of the network: 3 bits, and 17 of the id.
  await page.locator('#bytes [data-bit="3"]').click();
  await selected(page, '/station/id');
  assert.equal(await field(page, 'Place'), 'byte 0, bit 3, 17 bits');
  assert.equal(await page.locator('#bytes .chosen').count(), 17);
  await page.locator('#tree .line', { hasText: 'latitude' }).click();
  await selected(page, '/station/place/latitude');
  assert.equal(await page.locator('#schemas mark').innerText(), 'latitude');
  const bit = Number(await page.locator('#bytes .chosen').first().getAttribute('data-bit'));
  assert.equal(`byte ${Math.floor(bit / 8)}, bit ${bit % 8}, 26 bits`, await field(page, 'Place'));
  await page.locator('#map button', { hasText: 'note' }).click();
  await selected(page, '/note');
  await page.fill('#query', '/readings/2/hPa');
  await page.press('#query', 'Enter');
  await selected(page, '/readings/2/hPa');
  await page.context().close();
});

test('all of a page works by keyboard', { skip }, async () => {
  const page = await opened(packed());
  await selected(page, '/');
  for (let presses = 0; presses < 4 && await page.evaluate(() => document.activeElement.id !== 'tree'); presses++) await page.keyboard.press('Tab');
  const keys = [['ArrowRight', '/station'], ['ArrowDown', '/station/id'], ['ArrowLeft', '/station'], ['ArrowLeft', '/station'], ['ArrowDown', '/since'], ['ArrowUp', '/station'], ['ArrowRight', '/station'], ['ArrowRight', '/station/id'], ['End', '/note'], ['Home', '/']];
  for (const [key, path] of keys) {
    await page.keyboard.press(key);
    await selected(page, path).catch(async () => assert.fail(`${key} selects ${await field(page, 'Path')}, not ${path}`));
  }
  const active = await page.getAttribute('#tree', 'aria-activedescendant');
  assert.equal(await page.getAttribute(`#${active}`, 'aria-selected'), 'true');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(outline, 'solid');
  await page.focus('#bytes');
  await page.keyboard.press('ArrowRight');
  await page.locator('#map button[tabindex="0"]').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const area = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  assert.match(area, / · [\d.]+ %: [\d,]+ (bits|bytes?), in Batch/);
  await page.context().close();
});

test('no message puts markup into a page', { skip }, async () => {
  const hostile = '</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>"\'`${alert(3)}\u202e';
  writeFileSync(`${folder}/${'<img src=x onerror=alert(4)>'}.json`, JSON.stringify({ [hostile]: hostile, a: [hostile] }));
  const page = await opened(written('hostile.html', ['inspect', '<img src=x onerror=alert(4)>.json']));
  await page.waitForSelector('#tree .line');
  await page.focus('#tree');
  await page.keyboard.press('End');
  await selected(page, '/a/0');
  assert.equal(await page.locator('body img').count(), 0);
  assert.equal(await page.locator('script').count(), 2);
  assert.equal(await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.inline = true';
    document.body.append(script);
    return window.inline;
  }), undefined, 'the policy refuses other scripts');
  assert.equal(broken.splice(0).filter((text) => !/Content Security Policy/.test(text)).length, 0);
  await page.context().close();
});

test('marks of direction do not change how errors and schemas read', { skip }, async () => {
  writeFileSync(`${folder}/m.asn1`, 'M DEFINITIONS ::= BEGIN\n  -- \u202e\n  A ::= NULL\nEND\n');
  writeFileSync(`${folder}/marks.json`, '{"a": \u202e}');
  const page = await opened(written('marks.html', ['inspect', 'marks.json']));
  assert.match(await page.innerText('#error'), /found .*, expected/);
  await page.context().close();
  writeFileSync(`${folder}/marks.uper`, '');
  const other = await opened(written('schema.html', ['inspect', 'marks.uper', '-s', 'm.asn1']));
  assert.equal(await other.innerText('#schemas pre'), 'M DEFINITIONS ::= BEGIN\n  -- \ufffd\n  A ::= NULL\nEND\n');
  for (const one of [page, other]) if (!one.isClosed()) assert.doesNotMatch(await one.innerText('body'), /\u202e/);
  await other.context().close();
});

test('a path is found among rows that are nested deep', { skip }, async () => {
  const deep = Array.from({ length: 100 }).reduce((inner, _, i) => ({ [`a${i}`]: inner }), Array.from({ length: 30_000 }, (_, i) => i));
  writeFileSync(`${folder}/deep.json`, JSON.stringify(deep));
  const page = await opened(written('deep.html', ['inspect', 'deep.json', '--limit', 'depth=200']));
  const path = `/${Array.from({ length: 100 }, (_, i) => `a${99 - i}`).join('/')}/29999`;
  for (const [asked, found] of [[path, path], [path.replace('/29999', ''), path.replace('/29999', '')], ['/a99', '/a99'], ['/', '/']]) {
    await page.fill('#query', asked);
    await page.press('#query', 'Enter');
    await selected(page, found);
  }
  await page.context().close();
});

test('a page of 100 000 units is quick', { skip }, async () => {
  writeFileSync(`${folder}/long.json`, JSON.stringify(Array.from({ length: 33_333 }, (_, i) => ({ id: i, name: `item ${i}` }))));
  const start = performance.now();
  const page = await opened(written('long.html', ['inspect', 'long.json']));
  await page.waitForSelector('#tree .line[aria-selected="true"]');
  await page.focus('#tree');
  await page.keyboard.press('End');
  await selected(page, '/33332/name');
  const last = await page.locator('#tree .line').count();
  assert.ok(last < 100, `${last} lines exist`);
  await page.fill('#query', 'item 20000');
  await page.press('#query', 'Enter');
  await selected(page, '/20000/name');
  const took = Math.round(performance.now() - start);
  console.log(`# a page of 100 000 units, written, opened and searched: ${took} ms`);
  assert.ok(took < 20_000, `${took} ms`);
  await page.context().close();
});

test('an error is shown at its byte', { skip }, async () => {
  const page = await opened(written('broken.html', ['inspect', `${samples}/broken.xml`]));
  assert.match(await page.innerText('#error'), /^syntax at byte 84/);
  assert.equal(await page.locator('#bytes .wrong').getAttribute('data-bit'), String(8 * 84));
  await page.context().close();
});

for (const [scheme, options] of Object.entries(looks)) {
  test(`axe finds nothing: ${scheme}`, { skip }, async () => {
    const page = await opened(packed(), options);
    await page.focus('#tree');
    for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowDown');
    await page.waitForSelector('#bytes .chosen', { state: 'attached' });
    await page.click('summary');
    await sound(page, 'inspect', scheme);
    await page.context().close();
  });
}

test('types open, close and lead to each other by keyboard', { skip }, async () => {
  const page = await opened(written('types.html', ['schema', `${samples}/weather.asn1`]));
  const station = page.locator('#t1');
  await page.locator('#t1 > summary').focus();
  await page.keyboard.press('Enter');
  assert.equal(await station.evaluate((details) => details.open), false);
  await page.keyboard.press('Enter');
  assert.equal(await station.evaluate((details) => details.open), true);
  await page.locator('#t0 a', { hasText: 'Reading' }).focus();
  await page.keyboard.press('Enter');
  const target = page.locator('.entry:target');
  assert.match(await target.locator('> summary').innerText(), /^Reading/);
  assert.ok(await target.evaluate((details) => Math.abs(details.getBoundingClientRect().top) < innerHeight));
  await page.context().close();
});

test('a page has its style and no script', { skip }, async () => {
  const page = await opened(written('types.html', ['schema', `${samples}/search.wsdl`]));
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('.types nav a')).display), 'block');
  assert.equal(await page.locator('script').count(), 0);
  await page.context().close();
});

for (const [scheme, options] of Object.entries(looks)) {
  test(`axe finds nothing in types: ${scheme}`, { skip }, async () => {
    for (const [name, schema] of [['types', 'weather.asn1'], ['service', 'search.wsdl']]) {
      const page = await opened(written('types.html', ['schema', `${samples}/${schema}`]), options);
      await sound(page, name, scheme);
      await page.context().close();
    }
  });
}

test('a comparison begins with what is best for each need', { skip }, async () => {
  for (const [scheme, options] of Object.entries(looks)) {
    const page = await opened(written('compared.html', ['compare', `${samples}/sensors.json`, `${samples}/order.xml`, '--time', '0']), options);
    const best = page.locator('section').first();
    assert.equal(await best.locator('h2').innerText(), 'The best format for each need');
    assert.equal(await best.locator('li').count(), 10);
    // A bar is as long as its percentage says.
    const [text, bar, whole] = await best.locator('li').first().evaluate((item) => [item.querySelector('span:last-of-type').textContent, ...[...item.querySelectorAll('rect')].map((rect) => rect.getBoundingClientRect().width).reverse()]);
    assert.ok(Math.abs((100 * bar) / whole - Number(/([\d.]+) %/.exec(text)[1])) < 0.5, `${text}: ${bar} of ${whole}`);
    await sound(page, 'compare', scheme);
    await page.context().close();
  }
});

test('nothing was asked of a network, and nothing went wrong', { skip }, () => {
  assert.deepEqual([outside, broken], [[], []]);
});
