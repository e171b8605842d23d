// Drives a browser over reports and demands what their readers rely on.
//
//   node html.mjs REPORT.html RESULT.json [REPORT.html RESULT.json …]
//
// For light and dark, 1280 and 390 px wide: no console message, no request but the page, no axe violation, no text below 4.5:1
// (contrast.mjs), nothing wider than the window, no two texts of a picture on top of each other, none outside of it.  Then: every
// figure is one of the JSON, sorting, filtering, copying, deep links, keyboard, the section that the list marks, links to pages of a
// folder; scripts off: the same text; print: a PDF.
// Each check is first shown a broken twin of the first page, which it must refuse.
import { chromium } from 'playwright-core';
import { contrasts } from './contrast.mjs';
import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const require = createRequire(import.meta.url);
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const vnu = path.join(path.dirname(require.resolve('vnu-jar/package.json')), 'build/dist/vnu.jar');
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'report-'));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: flags });
let failed = 0;

async function open(file, options = {}) {
  const context = await browser.newContext({ viewport: { width: options.width || 1280, height: 900 },
    colorScheme: options.scheme || 'light', reducedMotion: 'reduce', javaScriptEnabled: options.script !== false,
    bypassCSP: options.bypass || false, permissions: options.script === false ? [] : ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  const seen = { console: [], requests: [] };
  page.on('console', m => seen.console.push(m.text()));
  page.on('pageerror', e => seen.console.push(String(e)));
  page.on('request', r => seen.requests.push(r.url()));
  await page.goto('file://' + path.resolve(file) + (options.hash || ''));
  return { page, seen, close: () => context.close() };
}

async function quiet(file, options) {
  const { seen, close } = await open(file, options);
  await close();
  const wrong = seen.console.map(t => 'console: ' + t);
  const others = seen.requests.filter(u => !u.startsWith('file://' + path.resolve(file)) && u !== 'data:,');
  return wrong.concat(others.map(u => 'request: ' + u));
}

// No violation of axe, and text at 4.5:1 on all that lies beneath it, what axe is not sure of included; each pair of colours is printed.
async function accessible(file, options) {
  const { page, close } = await open(file, { ...options, bypass: true });
  await page.addScriptTag({ content: axe });
  const { wrong, list, open: unsure } = await page.evaluate(contrasts);
  await close();
  if (!options.twin) console.log(`contrast ${path.basename(file)} ${options.scheme} ${options.width}: axe leaves ${unsure} open; ${list.join('; ')}`);
  return wrong;
}

async function fits(file, options) {
  const { page, close } = await open(file, options);
  const wrong = await page.evaluate(() => {
    const out = [];
    if (document.documentElement.scrollWidth > window.innerWidth)
      out.push(`page is ${document.documentElement.scrollWidth} px wide`);
    for (const svg of document.querySelectorAll('svg[role=img],figure svg.front')) {
      const frame = svg.getBoundingClientRect(), placed = [];
      for (const text of svg.querySelectorAll('text')) {
        const b = text.getBoundingClientRect();
        if (!b.width) continue; // not shown at this width
        if (b.left < frame.left - 1 || b.right > frame.right + 1 || b.top < frame.top - 1 || b.bottom > frame.bottom + 1)
          out.push(`"${text.textContent}" is cut off`);
        for (const [other, o] of placed)
          if (b.left < o.right - 1 && o.left < b.right - 1 && b.top < o.bottom - 2 && o.top < b.bottom - 2)
            out.push(`"${text.textContent}" lies on "${other}"`);
        placed.push([text.textContent, b]);
        const holds = r => { const o = r.getBoundingClientRect(); return b.left >= o.left - 1 && b.right <= o.right + 1 && b.top >= o.top - 2 && b.bottom <= o.bottom + 2; };
        if (text.classList.contains('on') && !Array.from(svg.querySelectorAll('rect')).some(holds))
          out.push(`"${text.textContent}" is wider than its box`);
      }
    }
    return out.slice(0, 5);
  });
  await close();
  return wrong;
}

function numbers(tree, into = new Set()) {
  if (typeof tree === 'number') into.add(tree);
  else if (tree && typeof tree === 'object') Object.values(tree).forEach(v => numbers(v, into));
  return into;
}

// A part of the bar is what one change takes of a kind of work: all of a kind are a figure of the JSON, all of the bar are now.
function partMisses(parts, result, known) {
  if (!parts.length) return [];
  const kinds = new Map(), near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.abs(b);
  for (const [name, ns] of parts) kinds.set(name.replace(/^\d+ /, ''), (kinds.get(name.replace(/^\d+ /, '')) || 0) + ns);
  const wrong = [...kinds].filter(([, ns]) => ![...known].some(k => near(k, ns))).map(([name, ns]) => `${name} ${ns} of the bar is not in the JSON`);
  const sum = parts.reduce((s, [, ns]) => s + ns, 0), now = result.compiled ? result.compiled.sum_ns : result.now.latency_ns;
  return Math.abs(sum - now) <= 0.001 * now ? wrong : wrong.concat(`the parts sum to ${sum}, now is ${now}`);
}

async function figures(file, options) {
  const result = JSON.parse(fs.readFileSync(options.json, 'utf8')), known = numbers(result);
  const { page, close } = await open(file, options);
  const parts = await page.$$eval('.parts li', list => list.map(x => [x.firstElementChild.nextSibling.textContent.trim(), Number(x.querySelector('data').value)]));
  // What many models say together is summed by case fleet-answer.
  const found = await page.$$eval('data', list => list.filter(d => !d.closest('#rules, #host, #sdks')).map(d => [Number(d.value), d.textContent, !!d.closest('.parts')]));
  await close();
  const wrong = found.filter(([value, text, part]) => !part && !known.has(value) ||
    Math.abs(parseFloat(text)) > 0 && !shown(value, text)).map(f => `figure ${f} is not in the JSON`);
  return found.length ? wrong.concat(partMisses(parts, result, known)).slice(0, 5) : ['no figures at all'];
}

// The first digits of what is printed are those of the value.
function shown(value, text) {
  const printed = parseFloat(text), scale = [1, 1e-3, 1e-6, 1e-9, 1e-12, 1 / 1024, 1 / 1048576, 1 / 1073741824];
  const places = (text.match(/\.(\d+)/) || ['', ''])[1].length;
  return scale.some(s => Math.abs(value * s - printed) <= 0.5001 * 10 ** -places);
}

async function works(file) {
  const { page, close } = await open(file);
  const wrong = [];
  await page.$$eval('details', list => list.forEach(d => { d.open = true; }));
  const column = () => page.$$eval('table.sortable tbody tr > :first-child', c => c.map(x => x.textContent).join());
  const button = page.locator('table.sortable thead button').first();
  if (await button.count()) {
    const state = () => page.locator('table.sortable thead th').first().getAttribute('aria-sort');
    const press = async () => { await button.focus(); await page.keyboard.press('Enter'); return [await state(), await column()]; };
    const [down, falling] = await press(), [up, rising] = await press();
    const rows = await page.locator('table.sortable').first().locator('tbody tr').count();
    if (down !== 'descending' || up !== 'ascending' || rows > 1 && falling === rising) wrong.push('sorting by keyboard does nothing');
    const filter = page.locator('.filter input').first(); // short tables have none
    if (await filter.count()) {
      await filter.fill('no such row anywhere');
      if (await filter.locator('xpath=following::table[1]').locator('tbody tr:visible').count()) wrong.push('filter hides nothing');
      await filter.fill('');
    }
  } else wrong.push('no sortable table');
  const fix = page.locator('pre.fix:not(.prose)').first();
  if (file.includes('diff') || !await fix.count()) { await close(); return wrong.concat(await deepLink(file), await marksSection(file)); } // nothing to copy
  await fix.locator('xpath=following-sibling::button[1]').click({ timeout: 2000 }).catch(() => wrong.push('no copy button'));
  const copied = await page.evaluate(() => navigator.clipboard.readText()).catch(() => null);
  if (copied !== await fix.locator('code').textContent()) wrong.push('copied something else');
  await page.keyboard.press('Home');
  await close();
  return wrong.concat(await deepLink(file), await skipLink(file), await marksSection(file));
}

async function deepLink(file) {
  const first = await open(file);
  const id = await first.page.locator('details.advice[id]').last().getAttribute('id', { timeout: 2000 }).catch(() => null);
  const pages = await first.page.$$eval('tbody th a[href$=".html"]', l => l.map(a => a.getAttribute('href')));
  await first.close();
  const gone = pages.filter(h => !fs.existsSync(path.join(path.dirname(file), h)));
  if (gone.length || file.includes('folder') && !pages.length) return [`of ${pages.length} links to pages ${gone.length} lead nowhere`];
  if (!id) return [];
  const { page, close } = await open(file, { hash: '#' + id });
  const box = await page.locator('#' + id).boundingBox();
  const ok = await page.evaluate(i => document.querySelector(':target') === document.getElementById(i), id);
  await close();
  return ok && box && box.y < 900 ? [] : ['the deep link leads nowhere'];
}

// Each entry of the list of sections marks itself, on a page that cannot be scrolled so far, too.
async function marksSection(file) {
  const { page, close } = await open(file, { bypass: true }), wrong = [];
  for (const link of await page.$$('.top nav a')) {
    await link.click();
    const now = () => page.$$eval('.top nav [aria-current]', l => l.map(a => a.getAttribute('href')).join()), want = await link.getAttribute('href');
    for (let i = 0; i < 20 && await now() !== want; i++) await page.waitForTimeout(50);
    if (await now() !== want) wrong.push(`at ${want} the list marks ${await now()}`);
  }
  await close();
  return wrong;
}

async function skipLink(file) {
  const { page, close } = await open(file);
  await page.keyboard.press('Tab');
  const href = await page.evaluate(() => document.activeElement.getAttribute('href'));
  await close();
  return href === '#recommendations' ? [] : ['the first stop of the keyboard is no skip link'];
}

async function scriptless(file) {
  const text = async script => {
    const { page, close } = await open(file, { script });
    const all = await page.locator('main').evaluate(m => m.textContent).catch(() => '');
    await close();
    return all;
  };
  const without = await text(false), rows = (without.match(/(NPU|TRT|PRG)[1-9]\d\d(?![\d.])/g) || []).length;
  const withScript = await text(true);
  const missing = (withScript.match(/(NPU|TRT|PRG)[1-9]\d\d(?![\d.])/g) || []).length - rows;
  return without.length > 500 && missing === 0 ? [] : ['content is missing with scripts off'];
}

async function prints(file) {
  const { page, close } = await open(file);
  const pdf = path.join(scratch, 'page.pdf');
  await page.pdf({ path: pdf, format: 'A4' });
  await page.emulateMedia({ media: 'print' });
  const shownControls = await page.locator(':not(th) > button:visible, .filter:visible, nav:visible').count();
  // The heads of tables and the lanes of the timeline, as far as paper has them.
  const names = await page.$$eval('thead th, .strip text, .timeline text', list => list.filter(x => x.getClientRects().length && !x.closest('details:not([open])')).map(x => x.textContent.trim().split(/\s/)[0]));
  await close();
  const text = execFileSync('pdftotext', [pdf, '-'], { encoding: 'utf8' });
  const lost = [...new Set(names)].filter(n => n && !text.includes(n));
  const wrong = text.toLowerCase().includes('npu-advise') && text.length > 500 ? [] : ['the PDF holds no text'];
  if (lost.length) wrong.push(`${lost.slice(0, 4)} is not on paper`);
  return shownControls ? wrong.concat('controls are printed') : wrong;
}

async function valid(file) {
  try {
    execFileSync('java', ['-jar', vnu, '--Werror', '--format', 'json', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    return [];
  } catch (e) {
    // A name in whatever Unicode form is the model's; it is shown as it is.
    const all = JSON.parse(String(e.stderr)).messages.filter(m => !/Normalization Form C|composing character/.test(m.message));
    return all.slice(0, 5).map(m => `Nu ${m.type}: ${m.message} (${m.lastLine})`);
  }
}

// What each check must refuse: a twin of a good page with one thing broken.
const twins = [
  [quiet, 'a request', s => s.replace('<main>', '<main><img src="http://127.0.0.1:9/x.png" alt="">')],
  [quiet, 'a changed script', s => s.replace('"use strict"', '"use  strict"')],
  [accessible, 'an unnamed picture', s => s.replaceAll('role="img"', 'role="img" aria-label=""').replaceAll(/(<svg[^>]*>)<title>[^<]*<\/title>/g, '$1')],
  [accessible, 'pale labels', s => s.replace('svg .tick{fill:var(--mut)}', 'svg .tick{fill:#999}')],
  [fits, 'a long line', s => s.replace('<main>', '<main><div class="wide"><svg width="2000" height="9"></svg></div>')],
  [fits, 'text on text', s => s.replace(/(<text [^>]*>[^<]{5,}<\/text>)/, '$1$1')],
  [figures, 'another figure', s => s.replace(/<data value="(\d+)">/, (m, v) => `<data value="${v}.125">`)],
  [figures, 'another part of the bar', s => s.replace(/(class="parts">[^]*?<data value=")(\d+)/, (m, a, v) => a + (+v + 99999))],
  [figures, 'another text', s => s.replace(/(<data value="\d{5,}">)\d/, (m, v) => v + '7777')],
  [works, 'no script', s => s.replace(/<script>[^]*<\/script>/, '<script></script>')],
  [marksSection, 'short sections and no mark of the one asked for', s => s.replace('here = asked', 'here = false').replace('</style>', 'main>section>:not(h2){display:none}</style>')],
  [scriptless, 'content made by script', s => s.replace(/<section id="evidence"[^]*?<\/section>/, '')
    .replace('"use strict";', '"use strict";document.querySelector("main").append("NPU101 NPU102");')],
  [prints, 'no heads of tables', s => s.replace('@media print{', '@media print{th button{visibility:hidden}')],
  [prints, 'an empty page', s => s.replace('<main>', '<main hidden>').replace('@media print{', '@media print{body *{display:none}')],
  [valid, 'a wrong tag', s => s.replace('<main>', '<main><div/><li>x')],
];

async function rehash(file) {
  const crypto = await import('node:crypto');
  let s = fs.readFileSync(file, 'utf8');
  for (const kind of ['style']) {
    const body = s.match(new RegExp(`<${kind}>([^]*?)</${kind}>`))[1];
    const hash = crypto.createHash('sha256').update(body).digest('base64');
    s = s.replace(new RegExp(`${kind}-src 'sha256-[^']*'`), `${kind}-src 'sha256-${hash}'`);
  }
  fs.writeFileSync(file, s);
}

async function refuses(file, json) {
  for (const [check, what, change] of twins) {
    const twin = path.join(scratch, 'twin.html'), good = fs.readFileSync(file, 'utf8'), bad = change(good);
    fs.writeFileSync(twin, bad);
    if (check === prints) await rehash(twin);
    if (check === scriptless) {
      const crypto = await import('node:crypto');
      const body = bad.match(/<script>([^]*?)<\/script>/)[1];
      fs.writeFileSync(twin, bad.replace(/script-src 'sha256-[^']*'/,
        `script-src 'sha256-${crypto.createHash('sha256').update(body).digest('base64')}'`));
    }
    const wrong = bad === good ? [] : await check(twin, { json, twin: true });
    report(wrong.length ? [] : ['was not refused'], `twin with ${what}: ${check.name} (${(wrong[0] || '').slice(0, 60)})`);
  }
}

function report(wrong, what) {
  console.log(wrong.length ? `FAILED ${what}: ${wrong.join('; ')}` : `ok ${what}`);
  failed += wrong.length ? 1 : 0;
}

const files = process.argv.slice(2);
for (let i = 0; i < files.length; i += 2) {
  const [file, json] = [files[i], files[i + 1]], name = path.basename(file);
  if (i === 0) await refuses(file, json);
  for (const scheme of ['light', 'dark'])
    for (const width of [1280, 390]) {
      const options = { scheme, width, json };
      const wrong = [...await quiet(file, options), ...await accessible(file, options), ...await fits(file, options)];
      report(wrong, `${name} ${scheme} ${width}: quiet, accessible, fits`);
    }
  report(await figures(file, { json }), `${name}: every figure is the JSON's`);
  report(await works(file), `${name}: sort, filter, copy, deep link, keyboard`);
  report(await scriptless(file), `${name}: scripts off`);
  report(await prints(file), `${name}: print`);
  report(await valid(file), `${name}: Nu checker`);
}
await browser.close();
fs.rmSync(scratch, { recursive: true });
process.exit(failed ? 1 : 0);
