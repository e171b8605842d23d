// Somebody works with a report: the pictures are true, every view follows one choice, by keys and by pointer.
//
//   node workbench.mjs chromium|firefox REPORT.html RESULT.json …
//
// Lengths: blocks of the timeline, boxes of the map and bars of the first screen are as long as the figures of the result
// say (within a pixel).  Rows: each equals its step or operator in the JSON.  Steps, first with keys, then with the
// pointer: zoom to one operator, open the advice that removes it, find it in map and table, brush slow ones, download the
// CSV and find the same figures, go back by the history; a link to an element survives reload.  Each check is first shown
// a broken twin of the first page, which it must refuse.
import puppeteer from 'puppeteer-core';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';

const [kind, ...files] = process.argv.slice(2);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'workbench-')), loads = path.join(scratch, 'loads');
fs.mkdirSync(loads);
const browser = await puppeteer.launch(kind === 'firefox'
  ? { browser: 'firefox', headless: true, executablePath: process.env.FIREFOX || '/usr/bin/firefox-esr', extraPrefsFirefox: {
    'browser.download.folderList': 2, 'browser.download.dir': loads, 'browser.download.useDownloadDir': true,
    'browser.helperApps.neverAsk.saveToDisk': 'text/csv,application/json', 'browser.shell.checkDefaultBrowser': false, 'ui.prefersReducedMotion': 1 } }
  : { browser: 'chrome', headless: true, executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--force-prefers-reduced-motion'],
    downloadBehavior: { policy: 'allow', downloadPath: loads } });
let failed = 0;

const pause = ms => new Promise(done => setTimeout(done, ms));
async function open(file, hash = '') {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto('file://' + path.resolve(file) + hash);
  return { page, close: () => page.close() };
}
// The result, which the page draws from: gzip, as base64.
const unpacked = text => JSON.parse(zlib.gunzipSync(Buffer.from(text, 'base64')).toString());
const packed = value => zlib.gzipSync(JSON.stringify(value)).toString('base64');
const resultOf = async page => unpacked(await page.$eval('#result', n => n.textContent));
// What a picture says that it has drawn, once it has been seen.
async function drawn(page, id) {
  const canvas = await page.$(id);
  if (!canvas) return null;
  await canvas.evaluate(c => c.scrollIntoView({ block: 'center' }));
  await pause(250);
  return page.$eval(id, c => c.drawn());
}

// Steps and operators in program order, as the page counts them.
function elements(result) {
  return result.steps.flatMap(s => {
    const inner = result.operators.filter(o => o.step_id === s.id);
    return inner.length ? inner : [s];
  });
}

async function lengths(file, result) {
  const { page, close } = await open(file), wrong = [];
  const line = await drawn(page, '#timeline-canvas'), map = await drawn(page, '#program-canvas');
  // Bars of the first screen and their whiskers, in pixels, against what stands beside them.
  const bars = await page.$$eval('.bars .row', rows => rows.filter(r => r.querySelector('rect')).map(r => [r.querySelector('.number').textContent,
    [...r.querySelector('svg').children].filter(x => x.tagName === 'rect').reduce((sum, x) => sum + x.getBoundingClientRect().width, 0)]));
  await close();
  if (!line || !map) return ['nothing is drawn'];
  const size = t => parseFloat(t) * ({ s: 1e9, ms: 1e6, 'µs': 1e3, ns: 1, '/s': 1 })[t.trim().split(/\s/)[1]];
  if (bars.length === 2) {
    const [[a, now], [b, after]] = bars, off = after - now * size(b) / size(a), rounding = Math.max(now, after) * 0.006;
    if (Math.abs(off) > 1 + rounding) wrong.push(`the bar of ${b} is ${off.toFixed(1)} px off that of ${a}`);
  }
  const run = result.pictures.runs[0], unit = result.pictures.unit_ns, starts = [];
  let t = 0;
  for (let i = 0; i < run.spans.length; i += 6) { t += run.spans[i + 2]; starts.push([t, run.spans[i + 3], run.spans[i + 5]]); }
  for (const b of line.blocks.filter(b => b.element >= 0 && !b.after && b.shown)) {
    if (!starts.some(([s, l, e]) => s === b.start && l === b.length && e === b.element)) wrong.push(`a block of ${b.length} is not in the result`);
    if (b.width > 3 && Math.abs(b.width - b.length * line.scale) > 1.5) wrong.push(`a block of ${b.length * unit} ns is ${b.width} px wide`);
  }
  const all = elements(result), ns = e => e.measured_ns ? e.measured_ns.median : e.predicted_ns ? e.predicted_ns.mid : 0;
  for (const b of map.boxes) {
    if (Math.abs(b.time * 1000 - ns(all[b.element])) > 6) wrong.push(`element ${b.element} is drawn as ${b.time} us`);
    const w = 6 + 62 * Math.sqrt(b.time / map.longest) + (b.time > 200 ? 4 : 0);
    if (Math.abs(b.width - w) > 1) wrong.push(`element ${b.element} is ${b.width} wide`);
  }
  return line.blocks.length && map.boxes.length ? wrong.slice(0, 5) : ['no block is drawn'];
}

async function rows(file, result) {
  const { page, close } = await open(file);
  const text = await page.$eval('#operators noscript', n => n.textContent);
  await close();
  const all = elements(result), wrong = [], parts = text.split('<tr class=').slice(1);
  if (all.length > 10000) return []; // the page sums up what is short
  if (parts.length !== all.length) return [`${parts.length} rows for ${all.length} elements`];
  const ns = all.map(e => e.measured_ns?.median ?? e.predicted_ns?.mid ?? 0), order = [...all.keys()].sort((a, b) => ns[b] - ns[a] || a - b);
  parts.forEach((row, k) => {
    const cell = row.split('<td>').slice(1), e = all[order[k]];
    // Two figures behind the point, and a half may be rounded either way.
    const same = (text, ns) => ns === undefined || ns === null ? text === '' : /^\d+\.\d\d$/.test(text) && Math.abs(+text - ns / 1000) < 0.0051;
    const want = [e.measured_ns?.median, e.predicted_ns?.mid];
    if (!same(cell[3], want[0]) || !same(cell[4], want[1])) wrong.push(`row ${k}: ${cell[3]} ${cell[4]}, not ${want} ns`);
  });
  return wrong.slice(0, 5);
}

const hash = page => new URL(page.url()).hash;
const scale = page => page.$eval('#timeline-canvas', c => c.drawn().scale);
const count = page => page.$eval('#operators-count', n => n.textContent);
const toggleTo = (page, selector, on) => page.$eval(selector, (d, o) => { d.open = o; }, on);
async function press(page, key, times = 1) {
  for (let i = 0; i < times; i++) await page.keyboard.press(key);
  await pause(150);
}

// The elements that each recommendation and observation marks; of a program that is not summed up.
function marked(result) {
  const all = elements(result), inner = new Set(result.operators), operators = all.flatMap((e, i) => inner.has(e) ? [i] : []);
  const parts = id => all.flatMap((e, i) => e === result.steps[id] || e.step_id === id ? [i] : []);
  return result.pictures.marks.map(m => [...m.steps.flatMap(parts), ...m.operators.map(o => operators[o])].sort((a, b) => a - b));
}

// The element that the advice at hand touches and that has a block in the timeline.
async function touched(page) {
  const blocks = new Set(await page.$eval('#timeline-canvas', c => c.drawn().blocks.filter(b => !b.after && b.shown && b.width > 2).map(b => b.element)));
  return marked(await resultOf(page)).flat().find(e => blocks.has(e)) ?? -1;
}

// What every view shows of the choice.
async function chosenEverywhere(page, check) {
  check(/^#e\d+$/.test(hash(page)), `the choice is not in the address: ${hash(page)}`);
  check(await page.$$eval('#operators-table tr.chosen', l => l.length) === 1, 'the table does not show the choice');
  check((await page.$eval('#program-detail', n => n.textContent)).length > 30, 'the map does not say what is chosen');
}

// The advice named in the detail is opened, marked everywhere, and its places are in the table.
async function adviceShown(page, check, open) {
  const link = await page.$('#timeline-detail a[href^="#"]:not([href="#timeline"]):not([href="#program"]):not([href="#operators"])');
  if (!link) return false;
  const id = decodeURIComponent((await link.evaluate(a => a.getAttribute('href'))).slice(1));
  await open(link);
  await pause(200);
  check(await page.evaluate(i => !!document.getElementById(i) && document.getElementById(i).getBoundingClientRect().top < innerHeight, id), 'the advice is not in view');
  check(+await page.$eval('#timeline-advice', s => s.value) > 0 && await page.$eval('#timeline-advice', s => s.value) === await page.$eval('#operators-advice', s => s.value), 'the advice is not marked everywhere');
  check(parseInt(await count(page)) > 0, 'no operator is touched');
  return true;
}

async function downloaded(page, check, click) {
  for (const f of fs.readdirSync(loads)) fs.rmSync(path.join(loads, f));
  await page.$eval('#operators-clear', b => b.click());
  await click();
  const file = path.join(loads, 'operators.csv');
  for (let i = 0; i < 60 && !(fs.existsSync(file) && fs.statSync(file).size); i++) await pause(100);
  await pause(200);
  const csv = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\r\n') : [];
  const first = await page.$$eval('#operators-table tbody tr:first-child td', l => l.map(c => c.textContent));
  check(csv.some(l => l.includes(',' + Number(first[4]) + ',') || l.includes(',' + Number(first[4]))), `${first[4]} of the table is not in the CSV of ${csv.length} lines`);
}

async function byKeys(file) {
  const { page, close } = await open(file), wrong = [], check = (ok, what) => { if (!ok) wrong.push('keys: ' + what); };
  await drawn(page, '#timeline-canvas');
  const wanted = await touched(page), before = await scale(page);
  await page.focus('#timeline-canvas');
  for (let i = 0; i < 400; i++) {
    await page.keyboard.press('ArrowRight');
    if (i % 10 === 9) await pause(30);
    if (wanted < 0 || hash(page) === '#e' + wanted || (await page.evaluate(() => location.hash)) === '#e' + wanted) break;
  }
  await press(page, 'f');
  check(await scale(page) > before, 'F does not zoom to the block');
  await chosenEverywhere(page, check);
  if (wanted >= 0)
    check(await adviceShown(page, check, async a => { await a.focus(); await page.keyboard.press('Enter'); }), 'the detail names no advice');
  await page.focus('#operators-clear');
  await press(page, 'Enter');
  // the slow ones: the highest point by the arrows, and all that lie higher than the chosen
  const plot = await drawn(page, '#scatter'), id = plot && plot.length > 2 ? '#scatter' : '#roofline';
  if ((await drawn(page, id)).length > 2) {
    const all = await count(page);
    await page.focus(id);
    await press(page, 'ArrowRight', 2);
    await page.keyboard.down('Shift');
    await press(page, 'ArrowUp');
    await page.keyboard.up('Shift');
    check(await count(page) !== all, 'brushing with Shift and an arrow filters nothing');
    await press(page, 'Escape');
    check(await count(page) === all, 'Escape leaves the brush');
  }
  await downloaded(page, check, async () => {
    await page.focus('.downloads summary');
    await press(page, 'Enter');
    await page.focus('#download-operators');
    await press(page, 'Enter');
  });
  await close();
  return wrong;
}

async function byPointer(file) {
  const { page, close } = await open(file), wrong = [], check = (ok, what) => { if (!ok) wrong.push('pointer: ' + what); };
  await drawn(page, '#timeline-canvas');
  const before = await scale(page), wanted = await touched(page);
  const spot = await page.evaluate(w => document.querySelector('#timeline-canvas').drawn().blocks.filter(b => (w < 0 ? b.element >= 0 : b.element === w) && b.shown && !b.after)
    .map(b => [b, b.width]).sort((a, b) => b[1] - a[1])[0]?.[0], wanted);
  if (!spot) { await close(); return ['no block to choose']; }
  const box = await (await page.$('#timeline-canvas')).boundingBox(), x = box.x + spot.x + spot.width / 2;
  let y = -1;
  for (let dy = 20; dy < box.height && y < 0; dy += 4) {
    await page.mouse.move(x, box.y + dy);
    if (await page.$eval('#timeline-canvas', c => c.style.cursor) === 'pointer') y = box.y + dy + 3;
  }
  await page.mouse.click(x, y);
  await pause(200);
  const chosen = await page.evaluate(() => location.hash);
  await chosenEverywhere(page, check);
  await page.mouse.wheel({ deltaY: -400 }); // the picture has been clicked: the wheel is its own
  await pause(200);
  check(await scale(page) > before, 'the wheel does not zoom');
  if (wanted >= 0 && chosen === '#e' + wanted)
    check(await adviceShown(page, check, a => a.click()), 'the detail names no advice');
  await page.$eval('#operators-clear', b => b.scrollIntoView({ block: 'center' }));
  await page.click('#operators-clear');
  const plot = await drawn(page, '#scatter'), id = plot && plot.length > 2 ? '#scatter' : '#roofline';
  if ((await drawn(page, id)).length > 2) {
    const all = await count(page), b = await (await page.$(id)).boundingBox();
    await page.mouse.move(b.x + 60, b.y + 14);
    await page.mouse.down();
    await page.mouse.move(b.x + b.width * 0.75, b.y + b.height * 0.6, { steps: 4 });
    await page.mouse.up();
    await pause(150);
    check(await count(page) !== all, 'brushing filters nothing');
    await page.click('#operators-clear');
  }
  await downloaded(page, check, async () => {
    await page.click('.downloads summary');
    await page.click('#download-operators');
  });
  // back, and a link that survives reload
  const here = await page.evaluate(() => location.hash);
  await page.evaluate(() => history.back());
  await pause(300);
  check(await page.evaluate(() => location.hash) !== here, 'back does nothing');
  await close();
  const again = await open(file, chosen);
  await again.page.reload();
  await pause(300);
  check(await again.page.$$eval('#operators-table tr.chosen', l => l.length) === 1, 'a link to an element does not survive reload');
  await again.close();
  return wrong;
}

const steps = async file => [...await byKeys(file), ...await byPointer(file)];

function report(wrong, what) {
  console.log(wrong.length ? `FAILED ${kind}: ${what}: ${wrong.join('; ')}` : `ok ${kind}: ${what}`);
  failed += wrong.length ? 1 : 0;
}

const twins = [
  [lengths, 'another length', s => s.replace(/(<div id="result" hidden="">)([^<]*)/, (m, tag, text) => { const r = unpacked(text); r.pictures.runs[0].spans[3] += 5000; return tag + packed(r); })],
  [lengths, 'a box of another width', s => s.replace('Math.sqrt(time(E[q])', 'Math.cbrt(time(E[q])')],
  [lengths, 'a bar of another length', s => { const at = s.lastIndexOf('class="bars"'), i = s.indexOf('width="', s.indexOf('<rect', at)); return s.slice(0, i) + 'width="20%" data-was="' + s.slice(i + 7); }],
  [rows, 'another figure', s => s.replace(/(<tr class="[hpn]"><td>[^<]*<td>[^<]*<td>[^<]*<td>)\d/, (m, a) => a + '9')],
  [byKeys, 'a choice that nobody follows', s => s.replace('views.forEach(v => { if (v !== from', '[].forEach(v => { if (v !== from').replace('"pushState"', '"replaceState"').replace('location.hash !== hash', 'false')],
  [byPointer, 'a choice that nobody follows', s => s.replace('views.forEach(v => { if (v !== from', '[].forEach(v => { if (v !== from').replace('"pushState"', '"replaceState"').replace('location.hash !== hash', 'false')],
];
// A changed script needs the policy of the page to be off: its hash is no longer the one that is allowed.
const unlocked = s => s.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');
for (let i = 0; i < files.length; i += 2) {
  const [file, json] = [files[i], JSON.parse(fs.readFileSync(files[i + 1], 'utf8'))], name = path.basename(file);
  if (i === 0) {
    for (const [check, what, change] of twins) {
      const good = unlocked(fs.readFileSync(file, 'utf8')), bad = change(good), twin = path.join(scratch, 'twin.html');
      fs.writeFileSync(twin, bad);
      const wrong = bad === good ? [] : await check(twin, json).catch(e => [String(e).split('\n')[0]]);
      report(wrong.length ? [] : ['was not refused'], `twin with ${what}: ${check.name} (${(wrong[0] || '').slice(0, 70)})`);
    }
  }
  report(await lengths(file, json), `${name}: drawn lengths are the figures`);
  report(await rows(file, json), `${name}: rows are the JSON's`);
  report(await steps(file).catch(e => [String(e).split('\n')[0]]), `${name}: keys, pointer, brush, download, back, link`);
}
await browser.close();
fs.rmSync(scratch, { recursive: true });
process.exit(failed ? 1 : 0);
