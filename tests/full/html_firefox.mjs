// The second engine: drives Firefox (WebDriver BiDi) over reports.
//
//   node html_firefox.mjs REPORT.html [REPORT.html …]
//
// Light and dark, 1280 and 390 px wide: no console message, no request but the page, no axe violation, no text below
// 4.5:1, nothing wider than the window.  Then, by mouse and keyboard: sort, filter, copy, deep link, the switch of the timeline; scripts off:
// the same text, and the switch still works.  Each check is first shown a broken twin of the first page.
import puppeteer from 'puppeteer-core';
import { contrasts } from './contrast.mjs';
import { createRequire } from 'node:module';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const require = createRequire(import.meta.url);
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'firefox-'));
const start = prefs => puppeteer.launch({ browser: 'firefox', headless: true, executablePath: process.env.FIREFOX || '/usr/bin/firefox-esr',
  extraPrefsFirefox: { 'dom.events.testing.asyncClipboard': true, 'browser.shell.checkDefaultBrowser': false, ...prefs } });
const engines = { light: await start({ 'layout.css.prefers-color-scheme.content-override': 1 }),
  dark: await start({ 'layout.css.prefers-color-scheme.content-override': 0 }) };
let failed = 0;

// Firefox cannot switch scripts off over BiDi yet: a policy that allows none does the same to the page.
function withoutScript(file) {
  const off = path.join(scratch, 'off-' + path.basename(file));
  fs.writeFileSync(off, fs.readFileSync(file, 'utf8').replace(/script-src[^;]*/, "script-src 'none'"));
  return off;
}

async function open(file, { scheme = 'light', width = 1280, hash = '', script = true } = {}) {
  const page = await engines[scheme].newPage();
  const seen = { console: [], requests: [] };
  page.on('console', m => seen.console.push(m.text()));
  page.on('pageerror', e => seen.console.push(String(e)));
  page.on('request', r => seen.requests.push(r.url()));
  await page.setViewport({ width, height: 900 });
  await page.goto('file://' + path.resolve(script ? file : withoutScript(file)) + hash);
  return { page, seen, close: () => page.close() };
}

async function quiet(file, options) {
  const { page, seen, close } = await open(file, options);
  const scheme = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  await close();
  const others = seen.requests.filter(u => !u.startsWith('file://' + path.resolve(file)) && !u.startsWith('data:'));
  const wrong = seen.console.map(t => 'console: ' + t).concat(others.map(u => 'request: ' + u));
  return scheme === options.scheme ? wrong : wrong.concat(`shown ${scheme}`);
}

async function accessible(file, options) {
  const { page, close } = await open(file, options);
  await page.evaluate(axe);
  const { wrong } = await page.evaluate(contrasts);
  await close();
  return wrong;
}

async function fits(file, options) {
  const { page, close } = await open(file, options);
  const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await close();
  return width > 0 ? [`the page is ${width} px wider than the window`] : [];
}

async function sorts(file) {
  const { page, close } = await open(file);
  await page.$$eval('details', list => list.forEach(d => { d.open = true; }));
  const column = () => page.$$eval('table.sortable', t => Array.from(t[0].tBodies[0].rows).map(r => r.cells[0].textContent).join());
  const button = await page.$('table.sortable thead button');
  if (!button) { await close(); return ['no sortable table']; }
  const state = () => page.$eval('table.sortable thead th', h => h.getAttribute('aria-sort'));
  const press = async () => { await button.focus(); await page.keyboard.press('Enter'); return [await state(), await column()]; };
  const [down, falling] = await press(), [up, rising] = await press();
  const wrong = down === 'descending' && up === 'ascending' && falling !== rising ? [] : ['sorting by keyboard does nothing'];
  if (await page.$('.filter input')) { // short tables have none
    await page.type('.filter input', 'no such row anywhere');
    if (await page.$eval('.filter', f => [...f.nextElementSibling.querySelectorAll('tbody tr')].some(r => !r.hidden))) wrong.push('filter hides nothing');
  }
  await close();
  return wrong;
}

async function copies(file) {
  const { page, close } = await open(file);
  await page.$$eval('details', list => list.forEach(d => { d.open = true; }));
  const button = await page.$('pre.fix:not(.prose) + button');
  if (!button) { await close(); return ['no copy button']; }
  await button.click();
  await new Promise(done => setTimeout(done, 200));
  const [copied, wanted, said] = await page.evaluate(async () => [await navigator.clipboard.readText(),
    document.querySelector('pre.fix:not(.prose) code').textContent, document.querySelector('pre.fix:not(.prose) + button').textContent]);
  await close();
  return copied === wanted && said !== 'Copy' ? [] : ['copied something else'];
}

async function links(file) {
  const first = await open(file);
  const id = await first.page.$$eval('details.advice[id]', list => list.length ? list[list.length - 1].id : '');
  await first.close();
  if (!id) return ['nothing to link to'];
  const { page, close } = await open(file, { hash: '#' + id });
  const ok = await page.evaluate(i => {
    const e = document.getElementById(i), box = e.getBoundingClientRect();
    return document.querySelector(':target') === e && box.top < innerHeight && box.bottom > 0;
  }, id);
  await page.keyboard.press('Tab');
  await close();
  return ok ? [] : ['the deep link leads nowhere'];
}

async function scriptless(file) {
  const text = async script => {
    const { page, close } = await open(file, { script });
    const all = await page.$eval('main', m => m.textContent), buttons = await page.$$eval('main button', list => list.filter(b => b.getClientRects().length).length);
    await close();
    return { all, buttons };
  };
  const off = await text(false), on = await text(true), count = t => (t.all.match(/(NPU|TRT|PRG)[1-9]\d\d(?![\d.])/g) || []).length;
  if (off.buttons) return ['scripts were not off'];
  const wrong = off.all.length > 500 && count(on) === count(off) ? [] : ['content is missing with scripts off'];
  return wrong;
}

const twins = [
  [quiet, 'a request', s => s.replace('<main>', '<main><img src="http://127.0.0.1:9/x.png" alt="">')],
  [quiet, 'a changed script', s => s.replace('"use strict"', '"use  strict"')],
  [accessible, 'an unnamed picture', s => s.replaceAll('role="img"', 'role="img" aria-label=""').replaceAll(/(<svg[^>]*>)<title>[^<]*<\/title>/g, '$1')],
  [fits, 'a long line', s => s.replace('<main>', '<main><div class="wide"><svg width="2000" height="9"></svg></div>')],
  [sorts, 'no script', s => s.replace(/<script>[^]*<\/script>/, '<script></script>')],
  [copies, 'no script', s => s.replace(/<script>[^]*<\/script>/, '<script></script>')],
  [links, 'other ids', s => s.replaceAll(/<details class="advice[^"]*" id="[^"]*"/g, '<details class="advice" hidden id="x"')],
  [scriptless, 'hardly a word', s => s.replace(/<section[^]*<\/section>/, '')],
];

function report(wrong, what) {
  console.log(wrong.length ? `FAILED ${what}: ${wrong.slice(0, 5).join('; ')}` : `ok ${what}`);
  failed += wrong.length ? 1 : 0;
}

const files = process.argv.slice(2);
const good = fs.readFileSync(files[0], 'utf8'), twin = path.join(scratch, 'twin.html');
for (const [check, what, change] of twins) {
  const bad = change(good);
  fs.writeFileSync(twin, bad);
  const wrong = bad === good ? [] : await check(twin, { scheme: 'light', width: 1280 }).catch(e => [String(e)]);
  report(wrong.length ? [] : ['was not refused'], `firefox: twin with ${what}: ${check.name} (${(wrong[0] || '').slice(0, 60)})`);
}
for (const file of files) {
  const name = 'firefox: ' + path.basename(file);
  for (const scheme of ['light', 'dark'])
    for (const width of [1280, 390]) {
      const options = { scheme, width };
      const wrong = [...await quiet(file, options), ...await accessible(file, options), ...await fits(file, options)];
      report(wrong, `${name} ${scheme} ${width}: quiet, accessible, fits`);
    }
  const has = text => fs.readFileSync(file, 'utf8').includes(text);
  report([...await sorts(file), ...has('<pre class="fix"') ? await copies(file) : [], ...has('<details class="advice') ? await links(file) : []],
    `${name}: sort, filter, copy, deep link, keyboard`);
  if (has('<main>')) report(await scriptless(file), `${name}: scripts off`);
}
for (const engine of Object.values(engines)) await engine.close();
fs.rmSync(scratch, { recursive: true });
process.exit(failed ? 1 : 0);
