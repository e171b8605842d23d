// What to deploy, chosen on its picture: in light and dark, 1280 and 390 px wide, with scripts and without.
//
//   node front.mjs REPORT.html RESULT.json [REPORT.html RESULT.json …]
//
// Every point of the front is drawn where the JSON says (both axes are logarithms), is a link (of 24 px at least, or half the way to the next one), and shows its own
// settings and no other's, by pointer and by keys; the address keeps it, and going back goes back.  At first the recommended point is
// shown.  Nothing lies on other text or is cut off.  Each check is first shown a broken twin, which it must refuse.
import { chromium } from 'playwright-core';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'] });
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'front-'));
let failed = 0;

function report(wrong, what) {
  console.log(wrong.length ? `FAILED ${what}: ${wrong.slice(0, 4).join('; ')}` : `ok ${what}`);
  failed += wrong.length ? 1 : 0;
}

async function open(file, o) {
  const context = await browser.newContext({ viewport: { width: o.width, height: 900 }, colorScheme: o.scheme, javaScriptEnabled: o.script });
  const page = await context.newPage();
  await page.goto('file://' + path.resolve(file));
  return { page, close: () => context.close() };
}

const shown = page => page.$$eval('.spot', all => all.filter(x => x.getClientRects().length).map(x => +x.id.slice(6)));

// All values lie on one line over their logarithms.
function onALine(drawn, values) {
  const x = values.map(Math.log10), lo = x.indexOf(Math.min(...x)), hi = x.indexOf(Math.max(...x));
  const slope = (drawn[hi] - drawn[lo]) / (x[hi] - x[lo]);
  return Math.abs(slope) > 1 && drawn.every((d, i) => Math.abs(d - drawn[lo] - slope * (x[i] - x[lo])) < 1) ? Math.sign(slope) : 0;
}

async function drawn(page, front) {
  const wrong = [], marks = await page.$$eval('svg.front a', all => all.map(a => {
    const c = a.querySelector('circle'), b = c.getBoundingClientRect();
    return { href: a.getAttribute('href'), x: +c.getAttribute('cx'), y: +c.getAttribute('cy'), r: +c.getAttribute('r'), size: b.width, name: a.getAttribute('aria-label') };
  }));
  if (marks.length !== front.length) return [`${marks.length} marks for ${front.length} points`];
  marks.forEach((m, i) => { if (m.href !== `#point-${i + 1}` || !m.name) wrong.push(`mark ${i + 1} is no link to its point`); });
  if (onALine(marks.map(m => m.x), front.map(p => p.latency_ns)) !== 1) wrong.push('not drawn by latency');
  if (onALine(marks.map(m => m.y), front.map(p => p.throughput_per_s)) !== -1) wrong.push('not drawn by throughput');
  const near = m => Math.min(...marks.filter(o => o !== m).map(o => Math.hypot(o.x - m.x, o.y - m.y)));
  const small = marks.find(m => m.r < Math.min(16, Math.max(1, near(m) / 2 - 0.1)) || m.size < 24 && near(m) > 2 * m.r + 1);
  if (small) wrong.push(`a mark of ${small.size} px`);
  return wrong;
}

async function says(page, t, number) {
  const seen = await shown(page), point = t.front[number - 1], wrong = [];
  if (seen.join() !== String(number)) return [`point ${number} was chosen, shown is ${seen.join() || 'nothing'}`];
  const spot = page.locator(`#point-${number}`), text = await spot.textContent();
  const figures = await spot.locator('data').evaluateAll(l => l.map(d => +d.value));
  if (figures.join() !== [point.latency_ns, point.throughput_per_s].join()) wrong.push(`point ${number} shows ${figures}`);
  const now = t.options, settings = { target: [point.target, t.target], batch: [point.batch, now.batch], workers: [point.workers, now.workers], devices: [point.devices, now.devices] };
  const wanted = Object.entries(settings).filter(([, [value, before]]) => value !== before).map(([option, [value]]) => `--${option} ${value}`);
  const told = (await spot.locator('p').allTextContents()).join(' ').match(/--\w+ \S+/g) || [];
  if (told.join() !== wanted.join()) wrong.push(`point ${number} says ${told}, not ${wanted}`);
  for (const rule of point.rules) if (!text.includes(rule)) wrong.push(`point ${number} does not say ${rule}`);
  const command = await spot.locator('pre').allTextContents(), plan = t.plans.find(p => p.id === point.plan);
  if (plan && !plan.bundle.refused ? !command.join().includes(plan.id) : command.length) wrong.push(`point ${number}: a command where nothing is to be done, or none`);
  return wrong;
}

// At first the recommended plan is shown, else any plan, else the first point.
function firstOf(t) {
  const best = t.plans.find(p => p.recommended), at = t.front.findIndex(x => best && x.plan === best.id);
  return at < 0 ? Math.max(0, t.front.findIndex(x => x.plan)) : at;
}

async function choosing(page, t, script) {
  const wrong = await says(page, t, firstOf(t) + 1);
  for (let i = 0; i < t.front.length; i++) {
    const link = page.locator('svg.front a').nth(i);
    await link.focus();
    await page.keyboard.press('Enter');
    wrong.push(...await says(page, t, i + 1));
    if (!page.url().endsWith(`#point-${i + 1}`)) wrong.push('the address does not keep the point');
    if (script && !await page.waitForFunction(k => document.querySelectorAll('svg.front a')[k].getAttribute('aria-current') === 'true', i, { timeout: 1000 }).catch(() => false)) wrong.push(`point ${i + 1} is not marked`);
  }
  await page.goBack();
  wrong.push(...await says(page, t, t.front.length - 1));
  await page.locator('svg.front a circle').first().click({ timeout: 3000 }).catch(() => wrong.push('a mark cannot be clicked'));
  wrong.push(...await says(page, t, 1));
  if (script) {
    await page.keyboard.press('ArrowRight');
    wrong.push(...await says(page, t, 2));
  }
  return wrong;
}

const fits = page => page.evaluate(() => {
  const out = document.documentElement.scrollWidth > window.innerWidth ? [`page is ${document.documentElement.scrollWidth} px wide`] : [];
  for (const svg of document.querySelectorAll('figure svg.front')) {
    const frame = svg.getBoundingClientRect(), placed = [];
    for (const text of svg.querySelectorAll('text')) {
      const b = text.getBoundingClientRect();
      if (b.left < frame.left - 1 || b.right > frame.right + 1 || b.top < frame.top - 1 || b.bottom > frame.bottom + 1) out.push(`"${text.textContent}" is cut off`);
      for (const [other, o] of placed)
        if (b.left < o.right - 1 && o.left < b.right - 1 && b.top < o.bottom - 3 && o.top < b.bottom - 3) out.push(`"${text.textContent}" lies on "${other}"`);
      placed.push([text.textContent, b]);
    }
  }
  return out;
});

async function look(file, t, o) {
  const { page, close } = await open(file, o);
  const wrong = [...await drawn(page, t.front), ...await fits(page), ...await choosing(page, t, o.script)];
  await close();
  return wrong;
}

const twins = [
  ['a link to another point', s => s.replace('href="#point-2"', 'href="#point-1"')],
  ['a mark elsewhere', s => s.replace(/cx="([\d.]+)"/, (m, x) => `cx="${+x + 9}"`)],
  ['all points in one place', s => s.replace(/cy="[\d.]+"/g, 'cy="100"')],
  ['other settings', s => s.replace(/(id="point-2"[^]*?<\/p><p>)/, '$1--batch 77 ')],
  ['another command', s => s.replace(/(id="point-\d"[^]*?--plan )\w+/g, '$177')],
  ['a point without its description', s => s.replace('id="point-2"', 'id="point-x"')],
  ['text on text', s => s.replace(/(<svg class="front" role="group"[^]*?)(<text [^>]*>[^<]{5,}<\/text>)/, '$1$2$2')],
  ['small marks', s => s.replace(/(class="touch"[^>]* r=")[\d.]+/g, '$10.5')],
];

const files = process.argv.slice(2);
for (let i = 0; i < files.length; i += 2) {
  const [file, json] = [files[i], files[i + 1]], t = JSON.parse(fs.readFileSync(json, 'utf8')), name = path.basename(file);
  for (const [what, change] of i ? [] : twins) {
    const good = fs.readFileSync(file, 'utf8'), bad = change(good), twin = path.join(scratch, 'twin.html');
    fs.writeFileSync(twin, bad);
    const wrong = bad === good ? [] : await look(twin, t, { width: 1280, scheme: 'light', script: true });
    report(wrong.length ? [] : ['was not refused'], `twin with ${what} (${(wrong[0] || '').slice(0, 60)})`);
  }
  for (const scheme of ['light', 'dark'])
    for (const width of [1280, 390])
      for (const script of [true, false])
        report(await look(file, t, { width, scheme, script }), `${name} ${scheme} ${width} ${script ? 'with' : 'without'} scripts: ${t.front.length} points`);
}
await browser.close();
fs.rmSync(scratch, { recursive: true });
process.exit(failed ? 1 : 0);
