// Somebody works with a report: the pictures are true, every view follows one choice, by keys and by pointer.
//
//   node workbench.mjs chromium|firefox REPORT.html RESULT.json …
//
// Lengths: blocks of the timeline, boxes of the map and bars of the first screen are as long as the figures of the result
// say (within a pixel).  Rows: each equals its step or operator in the JSON.  Steps, first with keys, then with the
// pointer: zoom to one operator, open the advice that removes it, find it in map and table, brush slow ones, download the
// CSV and find the same figures, go back by the history; a link to an element, a range or a brush survives reload, and Escape clears
// what is chosen and the address.  Each check is first shown
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

// The elements that each change and each work by hand marks: those of its row in the recommended plan, else in the first that has it.
function marked(result) {
  const all = elements(result), plans = [...result.plans].sort((a, b) => b.recommended - a.recommended), rows = plans.flatMap(p => p.changes);
  const marks = [...result.changes.map(c => rows.find(x => x.id === c.id)), ...result.by_hand].filter(Boolean);
  const parts = id => all.flatMap((e, i) => e === result.steps[id] || e.step_id === result.steps[id].id ? [i] : []);
  return marks.map(m => [...m.steps.flatMap(parts), ...m.operators.map(o => all.indexOf(result.operators[o]))].sort((a, b) => a - b));
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

// One line of a CSV, with quoted cells.
const cells = line => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(m => m[1] === undefined ? m[2] : m[1].replace(/""/g, '"'));

async function downloaded(page, check, click) {
  for (const f of fs.readdirSync(loads)) fs.rmSync(path.join(loads, f));
  await page.$eval('#operators-clear', b => b.click());
  await click();
  const file = path.join(loads, 'operators.csv');
  for (let i = 0; i < 60 && !(fs.existsSync(file) && fs.statSync(file).size); i++) await pause(100);
  await pause(200);
  const csv = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\r\n') : [];
  const first = await page.$$eval('#operators-table tbody tr:first-child td', l => l.map(c => c.textContent)), table = csv.map(cells);
  check(table.some(r => (r[1] || first[0]) === first[0] && Math.abs(r[5] - first[4]) < 0.0051), `${first[4]} of the table is not in the CSV of ${csv.length} lines`);
  // Every figure is a number, and the columns sum to what the result says.
  const all = elements(await resultOf(page)), sum = list => list.reduce((s, x) => s + x, 0);
  check(table.slice(1).every(r => r.slice(4, 10).every(x => x === '' || Number.isFinite(+x))), 'a figure of the CSV is no number');
  for (const [column, of] of [[4, e => e.measured_ns?.median ?? 0], [5, e => e.predicted_ns?.mid ?? 0]]) {
    const [a, b] = [sum(table.slice(1).map(r => +r[column])) * 1000, sum(all.map(of))];
    check(Math.abs(a - b) <= 1e-6 * b + 1, `column ${column} of the CSV sums to ${a} ns, the result to ${b}`);
  }
  const result = await resultOf(page), ruleOf = id => [...result.changes, ...result.by_hand].find(x => x.id === +id).rule_id;
  check(/^step,node,.*_us,.*,changes,rules$/.test(csv[0]), `the CSV begins ${csv[0]}`);
  check(table.slice(1).every(r => r[0] !== '' && r[12] === [...new Set(r[11].split(' ').filter(Boolean).map(ruleOf))].join(' ')), 'a row of the CSV has no step, or other rules than its changes');
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
  for (let dy = 20; dy < box.height && !hash(page); dy += 4) { // its row; waits above or below it choose nothing
    await page.mouse.move(x, box.y + dy);
    if (await page.$eval('#timeline-canvas', c => c.style.cursor) !== 'pointer') continue;
    await page.mouse.click(x, box.y + dy + 3);
    await pause(200);
  }
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
  await again.page.waitForSelector('#operators-table tr.chosen', { timeout: 5000 }).catch(() => null);
  check(await again.page.$$eval('#operators-table tr.chosen', l => l.length) === 1, 'a link to an element does not survive reload');
  await again.close();
  return wrong;
}

// The longest block of the timeline that is seen whole, and where it is.
async function longest(page) {
  await drawn(page, '#timeline-canvas');
  const box = await (await page.$('#timeline-canvas')).boundingBox();
  const at = await page.$eval('#timeline-canvas', c => { const d = c.drawn(); return { ...d, blocks: d.blocks.filter(b => !b.after) }; });
  return { box, ...at };
}

// Shift and a drag over the timeline: each lane's sum is that of its blocks between both places.
async function sums(file, result) {
  const { page, close } = await open(file), wrong = [], unit = result.pictures.unit_ns;
  const { box, scale, from, left } = await longest(page), a = left + (box.width - left) * 0.2, b = left + (box.width - left) * 0.7;
  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + a, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + b, box.y + 60, { steps: 5 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await pause(200);
  const text = (await page.$eval('#timeline-detail', n => n.innerText)).split('\n'), begin = from + (a - left) / scale, end = from + (b - left) / scale;
  const ns = t => { const [, x, unit] = t.match(/([\d.]+)\s(s|ms|µs)/); return x * { s: 1e9, ms: 1e6, 'µs': 1e3 }[unit]; };
  const near = (shown, want) => Math.abs(shown - want) <= 0.006 * want + 2 * unit / scale;
  if (!near(ns(text[0]), (end - begin) * unit)) wrong.push(`the range is ${text[0]}, not ${(end - begin) * unit} ns`);
  const run = result.pictures.runs[0], lanes = result.pictures.lanes.map(() => [0, 0]);
  for (let i = 0, t = 0; i < run.spans.length; i += 6) {
    t += run.spans[i + 2];
    lanes[run.spans[i]][Math.min(1, run.spans[i + 1])] += Math.max(0, Math.min(end, t + run.spans[i + 3]) - Math.max(begin, t));
  }
  const shown = [...text[1].matchAll(/([\d.]+\s(?:s|ms|µs))/g)].map(m => ns(m[1])), wanted = lanes.flat().filter(t => t * scale > 1).map(t => t * unit);
  for (const w of wanted) if (!shown.some(s => near(s, w))) wrong.push(`no lane of the sum is ${Math.round(w)} ns: ${text[1]}`);
  await page.keyboard.press('Escape');
  await close();
  return wanted.length ? wrong.slice(0, 3) : ['nothing is between both places'];
}

// Found nodes come by time, the table's rows too; each choice is a place to go back to.
async function searching(file, result) {
  const { page, close } = await open(file), wrong = [], all = elements(result);
  const ns = e => e.measured_ns?.median ?? e.predicted_ns?.mid ?? 0, rows = await page.$$eval('#operators-table tbody tr', l => l.map(r => [+r.dataset.i, r.cells[1].textContent]));
  const kinds = rows.map(r => r[1]), word = kinds.sort((a, b) => kinds.filter(x => x === b).length - kinds.filter(x => x === a).length)[0];
  await page.type('#operators-filter', word);
  await pause(200);
  const times = (await page.$$eval('#operators-table tbody tr', l => l.map(r => +r.dataset.i))).map(i => ns(all[i]));
  if (!times.length || times.some((t, i) => i && t > times[i - 1])) wrong.push(`the rows with ${word} do not come by time`);
  const where = [];
  for (const n of [1, 2, 3]) {
    await page.$eval(`#operators-table tbody tr:nth-child(${Math.min(n, times.length)})`, r => r.cells[0].click());
    await pause(80);
    where.push(hash(page));
  }
  for (const want of where.slice(0, -1).reverse()) {
    await page.evaluate(() => history.back());
    await pause(150);
    if (await page.evaluate(() => location.hash) !== want && times.length > 2) wrong.push(`back does not come to ${want}`);
  }
  await page.type('.find input', word);
  const found = [];
  for (let i = 0; i < Math.min(6, times.length); i++) {
    await page.keyboard.press('Enter');
    await pause(100);
    found.push(ns(all[+(await page.evaluate(() => location.hash)).slice(2)]));
  }
  if (found.some((t, i) => i && t > found[i - 1]) || !(found[0] >= Math.max(...times) * 0.999)) wrong.push(`the nodes found take ${found}`);
  await close();
  return wrong;
}

// What is chosen is in the address: going back and a reload show it again, Escape clears both.
async function addresses(file, result) {
  const { page, close } = await open(file), wrong = [], check = (ok, what) => { if (!ok) wrong.push(what); };
  const all = await count(page), back = async () => { await page.evaluate(() => history.back()); await pause(300); }, here = () => page.evaluate(() => location.hash);
  const chosen = () => page.$$eval('#operators-table tr.chosen', l => l.length), mark = () => page.$eval('#timeline-advice', s => +s.value);
  const k = await page.$$eval('#timeline-advice option', l => l.find(o => +o.value && !o.disabled)?.value);
  if (k) {
    await page.select('#timeline-advice', k);
    check(await here() === '#' + [...result.changes, ...result.by_hand].find(x => x.id === +k).fingerprint, `change ${k} is not in the address: ${await here()}`);
    await back();
    check(await mark() === 0 && await here() === '', 'going back leaves the change marked');
  }
  await page.$eval('#operators-table tbody tr:nth-child(2)', r => r.cells[0].click());
  const element = await here();
  await press(page, 'Escape');
  check(await here() === '' && await chosen() === 0, `Escape leaves ${await here()} and ${await chosen()} rows`);
  await back();
  check(await here() === element && await chosen() === 1, 'going back does not choose the row again');
  await press(page, 'Escape');
  const last = await page.evaluate(() => { // rows are made as one scrolls: the last row of a long table is not there at first
    const box = document.querySelector('#operators-table').closest('.scroll'), rows = () => document.querySelectorAll('#operators-table tbody tr');
    for (let n = 0; n < rows().length; box.scrollTop = box.scrollHeight, box.dispatchEvent(new Event('scroll'))) n = rows().length;
    return [...rows()].pop().dataset.i;
  });
  const linked = await open(file, '#e' + last);
  check(await linked.page.$$eval('#operators-table tr.chosen', l => l[0]?.dataset.i) === last, `a link to #e${last}, the last row, does not choose it`);
  await linked.close();
  const plot = await drawn(page, '#scatter'), id = plot && plot.length > 2 ? '#scatter' : '#roofline', points = await drawn(page, id);
  if (points.length > 2) {
    const b = await (await page.$(id)).boundingBox(), high = points.map(q => q.y).sort((p, q) => p - q)[Math.floor(points.length / 2)] - 1;
    await page.mouse.move(b.x + 57, b.y + 1);
    await page.mouse.down();
    await page.mouse.move(b.x + b.width - 1, b.y + high, { steps: 4 });
    await page.mouse.up();
    await pause(200);
    const brushed = await count(page), again = await open(file, await here());
    await pause(300);
    check((await here()).startsWith(id + '=') && brushed !== all, `a brush of ${brushed} is not in the address: ${await here()}`);
    check(await count(again.page) === brushed, `a brush of ${brushed} is ${await count(again.page)} after a reload`);
    await again.close();
    await press(page, 'Escape');
    check(await count(page) === all && await here() === '', 'Escape leaves the brush');
  }
  const { box, left } = await longest(page);
  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + left + 100, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + left + 300, box.y + 60, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await pause(200);
  const told = p => p.$eval('#timeline-detail', n => n.textContent), sum = await told(page), again = await open(file, await here());
  await pause(300);
  check(/^#t=\d+,\d+$/.test(await here()) && await told(again.page) === sum, `a range is not in the address: ${await here()}`);
  await again.close();
  await press(page, 'Escape');
  check(await here() === '' && await told(page) !== sum, 'Escape leaves the range');
  await close();
  return wrong;
}

// One finger moves and chooses, two zoom.
async function touching(file) {
  const { page, close } = await open(file), wrong = [];
  const { box, blocks, scale: before } = await longest(page), b = blocks.filter(x => x.element >= 0 && x.shown).sort((p, q) => q.width - p.width)[0];
  const chosen = async () => /^#e\d+$/.test(await page.evaluate(() => location.hash));
  for (let dy = 24; dy < box.height && !await chosen(); dy += 8) { // its row
    await page.touchscreen.tap(box.x + b.x + b.width / 2, box.y + dy);
    await pause(60);
  }
  if (!await chosen()) wrong.push('a tap chooses nothing');
  const middle = box.x + box.width / 2, at = box.y + 80;
  const one = await page.touchscreen.touchStart(middle - 40, at), two = await page.touchscreen.touchStart(middle + 40, at);
  for (let d = 50; d <= 120; d += 10) { await one.move(middle - d, at); await two.move(middle + d, at); }
  await one.end();
  await two.end();
  await pause(200);
  const zoomed = await page.$eval('#timeline-canvas', c => c.drawn());
  if (!(zoomed.scale > 1.5 * before)) wrong.push('two fingers do not zoom');
  const finger = await page.touchscreen.touchStart(middle, at);
  for (let d = 10; d <= 100; d += 10) await finger.move(middle - d, at);
  await finger.end();
  await pause(200);
  if ((await page.$eval('#timeline-canvas', c => c.drawn())).from === zoomed.from) wrong.push('one finger does not move');
  await close();
  return wrong;
}

const steps = async file => [...await byKeys(file), ...await byPointer(file)];

function report(wrong, what) {
  console.log(wrong.length ? `FAILED ${kind}: ${what}: ${wrong.join('; ')}` : `ok ${kind}: ${what}`);
  failed += wrong.length ? 1 : 0;
}

const twins = [
  [lengths, 'another length', s => s.replace(/(<div id="result"[^>]*>)([^<]*)/, (m, tag, text) => { const r = unpacked(text); r.pictures.runs[0].spans[3] += 5000; return tag + packed(r); })],
  [lengths, 'a box of another width', s => s.replace('Math.sqrt(time(E[q])', 'Math.cbrt(time(E[q])')],
  [lengths, 'a bar of another length', s => { const at = s.lastIndexOf('class="bars"'), i = s.indexOf('width="', s.indexOf('<rect', at)); return s.slice(0, i) + 'width="20%" data-was="' + s.slice(i + 7); }],
  [rows, 'another figure', s => s.replace(/(<tr class="[hpn]"><td>[^<]*<td>[^<]*<td>[^<]*<td>)\d/, (m, a) => a + '9')],
  [byKeys, 'a choice that nobody follows', s => s.replace('views.forEach(v => { if (v !== from', '[].forEach(v => { if (v !== from').replace('"pushState"', '"replaceState"').replace('location.hash !== hash', 'false')],
  [sums, 'blocks that are not cut', s => s.replace('Math.min(b, x.start + x.length)', '(x.start + x.length)')],
  [searching, 'nodes by program order', s => s.replace('.sort((a, b) => time(b) - time(a)) : []', ': []')],
  [searching, 'no history', s => s.replace('"pushState"', '"replaceState"')],
  [addresses, 'no Escape', s => s.replace('if (e.key !== "Escape"', 'if (e.key !== "Esc"')],
  [addresses, 'a choice that is not in the table', s => s.replace('if (i >= made) { more(i + 40); }', 'if (i >= made) { return; }')],
  [addresses, 'no brush in the address', s => s.replace('address(list.length ?', 'address(false ?')],
  [touching, 'no pinch', s => s.replace('if (pinch) { on.zoom', 'if (false) { on.zoom')],
  [byPointer, 'a choice that nobody follows', s => s.replace('views.forEach(v => { if (v !== from', '[].forEach(v => { if (v !== from').replace('"pushState"', '"replaceState"').replace('location.hash !== hash', 'false')],
];
// A changed script needs the policy of the page to be off: its hash is no longer the one that is allowed.
const unlocked = s => s.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');
// The page with the text of its script, to be changed, and the same packed as the product does it.
const [from, to] = ['/* begin */', '/* end */'];
const readable = s => s.replace(/(<div id="workbench"[^>]*>)([^<]*)/, (m, tag, text) => tag + from + zlib.gunzipSync(Buffer.from(text, 'base64')) + to);
const repacked = s => { const [a, b] = [s.indexOf(from), s.indexOf(to)]; return s.slice(0, a) + zlib.gzipSync(s.slice(a + from.length, b)).toString('base64') + s.slice(b + to.length); };
for (let i = 0; i < files.length; i += 2) {
  const [file, json] = [files[i], JSON.parse(fs.readFileSync(files[i + 1], 'utf8'))], name = path.basename(file);
  if (i === 0) {
    for (const [check, what, change] of twins) {
      const good = readable(unlocked(fs.readFileSync(file, 'utf8'))), bad = change(good), twin = path.join(scratch, 'twin.html');
      fs.writeFileSync(twin, repacked(bad));
      const wrong = bad === good ? [] : await check(twin, json).catch(e => e instanceof TypeError ? [] : [String(e).split('\n')[0]]);
      report(wrong.length ? [] : ['was not refused'], `twin with ${what}: ${check.name} (${(wrong[0] || '').slice(0, 70)})`);
    }
  }
  report(await lengths(file, json), `${name}: drawn lengths are the figures`);
  report(await rows(file, json), `${name}: rows are the JSON's`);
  report(await sums(file, json).catch(e => [String(e).split('\n')[0]]), `${name}: a drag over time sums`);
  report(await searching(file, json).catch(e => [String(e).split('\n')[0]]), `${name}: search by time, back undoes each choice`);
  report(await addresses(file, json).catch(e => [String(e).split('\n')[0]]), `${name}: address, reload, Escape`);
  report(await touching(file).catch(e => [String(e).split('\n')[0]]), `${name}: touch`);
  report(await steps(file).catch(e => [String(e).split('\n')[0]]), `${name}: keys, pointer, brush, download, back, link`);
}
await browser.close();
fs.rmSync(scratch, { recursive: true });
process.exit(failed ? 1 : 0);
