// What a page shows in ten seconds: at 1280 x 900, without scrolling.
//
//   node first_page.mjs HEADINGS REPORT.html RESULT.json [REPORT.html RESULT.json …]
//
// HEADINGS has a line "NAME<tab>PATTERN" for each page whose heading is known.  In view must be: the heading; now, and with a plan
// after and factor, with the figures of the JSON; the largest part of the bar; what is not tested; each change of the plan with its
// number, title and saving; the command that writes the plan; a gate that did not pass.  No cell is empty and no figure is NaN.
// Each check is first shown a broken twin, which it must refuse.
import { chromium } from 'playwright-core';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [headingFile, ...files] = process.argv.slice(2);
const headings = new Map(fs.readFileSync(headingFile, 'utf8').split('\n').filter(Boolean).map(l => l.split('\t')));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu'] });
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'first-'));
let failed = 0;

// What lies in view, by selector: the text of each element, whole boxes only.
const inView = page => page.evaluate(() => {
  const texts = selector => [...document.querySelectorAll(selector)].filter(e => {
    const b = e.getBoundingClientRect();
    return b.width && b.height && b.top >= 0 && b.bottom <= innerHeight && b.left >= 0 && b.right <= innerWidth && getComputedStyle(e).visibility === 'visible';
  }).map(e => e.textContent.trim().replace(/\s+/g, ' '));
  return { h1: texts('h1'), facts: texts('.facts dt'), large: texts('.facts dd.large'), tags: texts('.trust .tag'), parts: texts('.parts li, .parts b'),
    rows: texts('#recommendations > .advice > summary, #recommendations > .again'), command: texts('.cmd pre'), main: document.querySelector('main').innerText,
    gate: texts('.gate, #gate, .bad'), cells: texts('main td, main dd') };
});

const figure = text => parseFloat(text.replace(/ /g, '')) * ({ s: 1e9, ms: 1e6, 'µs': 1e3, ns: 1 }[(text.match(/(ns|µs|ms|s)$/) || [])[1]] || 1);
const near = (text, ns) => Math.abs(figure(text) - ns) <= 0.006 * ns;

function planMisses(seen, plan, changes) {
  const wrong = [];
  if (seen.large.length < 2) wrong.push(`${seen.large.length} figures of now and after`);
  const title = id => changes.find(c => c.id === id).title;
  const missing = plan.changes.filter(c => !seen.rows.some(r => r.startsWith(String(c.id)) && r.includes(title(c.id))));
  if (missing.length) wrong.push(`changes ${missing.map(c => c.id)} of ${plan.changes.length} are not in view`);
  if (plan.needs.includes('accuracy') && !plan.accuracy && !seen.tags.some(t => t === 'not tested')) wrong.push('what is not tested is not in view');
  if (!plan.bundle.refused && !seen.command.some(c => c.includes(plan.id))) wrong.push('the command is not in view');
  return wrong;
}

async function look(file, result, heading) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto('file://' + path.resolve(file));
  const seen = await inView(page), wrong = [];
  await context.close();
  if (seen.h1.length !== 1) wrong.push(`${seen.h1.length} headings in view`);
  if (heading && !new RegExp(heading).test(seen.h1[0] || '')) wrong.push(`the heading is "${seen.h1[0]}"`);
  if (/\bNaN\b|\bundefined\b|\bnull\b|\b0 changes\b/.test(seen.main)) wrong.push('a figure is none');
  const plan = (result.plans || []).find(p => p.recommended);
  if (result.now && !seen.large.some(t => result.objective === 'throughput' || near(t, result.now.latency_ns))) wrong.push('now is not in view');
  if (result.breakdown?.length && result.now && !seen.parts.length) wrong.push('the largest cost is not in view');
  if (plan) wrong.push(...planMisses(seen, plan, result.changes));
  if (['failed', 'inconclusive'].includes(result.gate?.status) && !seen.main.slice(0, 300).match(/failed|inconclusive/i)) wrong.push('the gate is not first');
  return wrong;
}

function report(wrong, what) {
  console.log(wrong.length ? `FAILED ${what}: ${wrong.join('; ')}` : `ok ${what}`);
  failed += wrong.length ? 1 : 0;
}

const twins = [
  ['a heading below the fold', s => s.replace(/<h1/, '<br>'.repeat(60) + '<h1')],
  ['another heading', s => s.replace(/(<h1[^>]*>)[^<]*/, '$1Nothing')],
  ['another now', s => s.replace(/(<dd class="large">)[\d.]+/, '$11.25')],
  ['no command', s => s.replace(/<div class="cmd">/, '<div class="cmd"><pre hidden=""></pre></div><div>')],
  ['no tag', s => s.replace(/<span class="tag undecided">[^<]*/g, '<span class="tag">')],
  ['a change less', s => s.replace(/<span class="rank">1</, '<span class="rank"><')],
  ['no bar', s => s.replace(/class="parts"/g, 'class="scraps"')],
];

for (let i = 0; i < files.length; i += 2) {
  const [file, json] = [files[i], JSON.parse(fs.readFileSync(files[i + 1], 'utf8'))], name = path.basename(file, '.html');
  for (const [what, change] of i ? [] : twins) {
    const good = fs.readFileSync(file, 'utf8'), bad = change(good), twin = path.join(scratch, 'twin.html');
    fs.writeFileSync(twin, bad);
    const wrong = bad === good ? [] : await look(twin, json, headings.get(name));
    report(wrong.length ? [] : ['was not refused'], `twin with ${what} (${(wrong[0] || '').slice(0, 60)})`);
  }
  report(await look(file, json, headings.get(name)), `${name}: in view at 1280 x 900`);
}
await browser.close();
fs.rmSync(scratch, { recursive: true });
process.exit(failed ? 1 : 0);
