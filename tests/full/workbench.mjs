// Somebody works with a report: the pictures are true, every view follows one choice, by keys and by pointer.
//
//   node workbench.mjs REPORT.html RESULT.json …
//
// Lengths: blocks of the timeline and boxes of the map are as long as the figures of the result say (within a pixel).
// Rows: each equals its step or operator in the JSON.  Steps: zoom to an operator, open the advice that removes it, find
// it in map and table, brush slow ones, download the CSV and find the same figures, go back; a link to an element
// survives reload.  Each check is first shown a broken twin of the first page, which it must refuse.
import { chromium } from 'playwright-core';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu'] });
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'workbench-'));
let failed = 0;

async function open(file, hash = '') {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, bypassCSP: true });
  const page = await context.newPage();
  await page.goto('file://' + path.resolve(file) + hash);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  return { page, close: () => context.close() };
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
  await page.locator('#timeline-canvas').scrollIntoViewIfNeeded().catch(() => 0);
  await page.waitForTimeout(200);
  const drawn = await page.evaluate(() => document.querySelector('#timeline-canvas')?.drawn());
  const map = await page.evaluate(() => document.querySelector('#program-canvas')?.drawn());
  await close();
  if (!drawn || !map) return ['nothing is drawn'];
  const run = result.pictures.runs[0], unit = result.pictures.unit_ns, starts = [];
  let t = 0;
  for (let i = 0; i < run.spans.length; i += 6) { t += run.spans[i + 2]; starts.push([t, run.spans[i + 3], run.spans[i + 5]]); }
  for (const b of drawn.blocks.filter(b => b.element >= 0 && !b.after && b.shown)) {
    if (!starts.some(([s, l, e]) => s === b.start && l === b.length && e === b.element)) wrong.push(`a block of ${b.length} is not in the result`);
    if (b.width > 3 && Math.abs(b.width - b.length * drawn.scale) > 1.5) wrong.push(`a block of ${b.length * unit} ns is ${b.width} px wide`);
  }
  const all = elements(result), ns = e => e.measured_ns ? e.measured_ns.median : e.predicted_ns ? e.predicted_ns.mid : 0;
  for (const b of map.boxes) {
    if (Math.abs(b.time * 1000 - ns(all[b.element])) > 6) wrong.push(`element ${b.element} is drawn as ${b.time} us`);
    const w = 6 + 62 * Math.sqrt(b.time / map.longest) + (b.time > 200 ? 4 : 0);
    if (Math.abs(b.width - w) > 1) wrong.push(`element ${b.element} is ${b.width} wide`);
  }
  return drawn.blocks.length && map.boxes.length ? wrong.slice(0, 5) : ['no block is drawn'];
}

async function rows(file, result) {
  const { page, close } = await open(file);
  const text = await page.locator('#rows').evaluate(n => n.textContent);
  const order = await page.evaluate(() => JSON.parse(document.querySelector('#data').textContent).row);
  await close();
  const all = elements(result), wrong = [], parts = text.split('<tr class=').slice(1);
  if (parts.length !== all.length) return [`${parts.length} rows for ${all.length} elements`];
  parts.forEach((row, k) => {
    const cell = row.split('<td>').slice(1), e = all[order[k]];
    const want = [e.measured_ns?.median, e.predicted_ns?.mid].map(v => v === undefined || v === null ? '' : (v / 1000).toFixed(2));
    if (cell[3] !== want[0] || cell[4] !== want[1]) wrong.push(`row ${k}: ${cell[3]} ${cell[4]}, not ${want}`);
  });
  return wrong.slice(0, 5);
}

async function steps(file) {
  const { page, close } = await open(file), wrong = [];
  const check = (ok, what) => { if (!ok) wrong.push(what); };
  const scale = () => page.evaluate(() => document.querySelector('#timeline-canvas').drawn().scale);
  const canvas = page.locator('#timeline-canvas');
  await canvas.scrollIntoViewIfNeeded();
  // keys: to the first block, zoom to it
  const before = await scale();
  await canvas.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('f');
  await page.waitForTimeout(150);
  check(await scale() > before, 'F does not zoom to the block');
  await page.keyboard.press('0');
  await page.waitForTimeout(150);
  // pointer: the widest block with an element
  const spot = await page.evaluate(() => document.querySelector('#timeline-canvas').drawn().blocks.filter(b => b.element >= 0 && b.shown && !b.after).map(b => [b, b.width]).sort((a, b) => b[1] - a[1])[0]?.[0]);
  if (!spot) { await close(); return ['no block to choose']; }
  const y = await page.evaluate(e => { const c = document.querySelector('#timeline-canvas'); for (let y = 20; y < c.clientHeight; y += 4) { c.dispatchEvent(new PointerEvent('pointermove', { clientX: c.getBoundingClientRect().left + e.x + e.width / 2, clientY: c.getBoundingClientRect().top + y, pointerId: 9 })); if (c.style.cursor === 'pointer') return y + 4; } return -1; }, spot);
  await canvas.click({ position: { x: spot.x + spot.width / 2, y } });
  await page.waitForTimeout(150);
  const chosen = new URL(page.url()).hash;
  check(/^#e\d+$/.test(chosen), `a click on a block is not in the address: ${chosen}`);
  check(await page.locator('#operators-table tr.chosen').count() === 1, 'the table does not show the chosen block');
  check((await page.locator('#program-detail').textContent()).length > 30, 'the map does not say what is chosen');
  // the advice that removes something: its button marks it in every list
  const show = page.locator('[data-show]').first();
  if (await show.count()) {
    const k = await show.getAttribute('data-show');
    await page.evaluate(b => b.closest('details').open = true, await show.elementHandle());
    await show.evaluate(b => { for (let d = b.parentElement; d; d = d.parentElement) if (d.tagName === 'DETAILS') d.open = true; });
    await show.click();
    await page.waitForTimeout(150);
    check(await page.locator('#timeline-advice').inputValue() === k && await page.locator('#operators-advice').inputValue() === k, 'the advice is not marked everywhere');
    const counted = await page.locator('#operators-count').textContent();
    check(parseInt(counted) > 0, `no operator is touched: ${counted}`);
    await page.locator('#operators-clear').click();
  }
  // brush
  const plot = page.locator('#scatter');
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  if (await page.evaluate(() => document.querySelector('#scatter').drawn().length) > 2) {
    const all = await page.locator('#operators-count').textContent();
    await page.mouse.move(box.x + 60, box.y + 14);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.6, { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(150);
    check(await page.locator('#operators-count').textContent() !== all, 'brushing filters nothing');
    await page.locator('#operators-clear').click();
  }
  // CSV
  await page.evaluate(() => { document.querySelector('.downloads').open = true; });
  const [file2] = await Promise.all([page.waitForEvent('download'), page.locator('#download-operators').click()]);
  const csv = fs.readFileSync(await file2.path(), 'utf8').trim().split('\r\n');
  const first = await page.locator('#operators-table tbody tr').first().locator('td').allTextContents();
  check(csv.some(l => l.includes(',' + Number(first[4]))), `${first[4]} of the table is not in the CSV`);
  // back, and a link that survives reload
  await page.goBack();
  await page.waitForTimeout(150);
  check(new URL(page.url()).hash !== chosen, 'back does nothing');
  await close();
  const again = await open(file, chosen);
  await again.page.reload();
  await again.page.waitForTimeout(200);
  check(await again.page.locator('#operators-table tr.chosen').count() === 1, 'a link to an element does not survive reload');
  await again.close();
  return wrong;
}

function report(wrong, what) {
  console.log(wrong.length ? `FAILED ${what}: ${wrong.join('; ')}` : `ok ${what}`);
  failed += wrong.length ? 1 : 0;
}

const twins = [
  [lengths, 'another length', s => s.replace(/"s":\[0,0,0,(\d+)/, (m, v) => `"s":[0,0,0,${+v + 5000}`)],
  [lengths, 'a box of another width', s => s.replace('Math.sqrt(time(E[q])', 'Math.cbrt(time(E[q])')],
  [rows, 'another figure', s => s.replace(/(<tr class="[hpn]"><td>[^<]*<td>[^<]*<td>[^<]*<td>)\d/, (m, a) => a + '9')],
  [steps, 'a choice that nobody follows', s => s.replace('views.forEach(v => { if (v !== from', '[].forEach(v => { if (v !== from').replace('"pushState"', '"replaceState"').replace('location.hash !== hash', 'false')],
];
const files = process.argv.slice(2);
for (let i = 0; i < files.length; i += 2) {
  const [file, json] = [files[i], JSON.parse(fs.readFileSync(files[i + 1], 'utf8'))], name = path.basename(file);
  if (i === 0) {
    for (const [check, what, change] of twins) {
      const good = fs.readFileSync(file, 'utf8'), bad = change(good), twin = path.join(scratch, 'twin.html');
      fs.writeFileSync(twin, bad);
      const wrong = bad === good ? [] : await check(twin, json).catch(e => [String(e).split('\n')[0]]);
      report(wrong.length ? [] : ['was not refused'], `twin with ${what}: ${check.name} (${(wrong[0] || '').slice(0, 70)})`);
    }
  }
  report(await lengths(file, json), `${name}: drawn lengths are the figures`);
  report(await rows(file, json), `${name}: rows are the JSON's`);
  report(await steps(file), `${name}: keys, pointer, brush, download, back, link`);
}
await browser.close();
fs.rmSync(scratch, { recursive: true });
process.exit(failed ? 1 : 0);
