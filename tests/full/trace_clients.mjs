// Opens traces in two clients that know nothing of us, and demands that they see what npu-advise reads.
//
//   node trace_clients.mjs TRACE.json READ.json [TRACE.json READ.json …]
//
// READ.json is what `npu-advise trace --format json` says of the trace.  speedscope, served on loopback, must open it
// without a word on the console; the trace engine of Chromium's DevTools must find as many slices, in all and per
// operator, as npu-advise does.  Each check is first shown broken twins of the first trace, which it must refuse.
import { chromium } from 'playwright-core';
import { createRequire } from 'node:module';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const require = createRequire(import.meta.url);
const site = path.join(path.dirname(require.resolve('speedscope/package.json')), 'dist/release');
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--enable-unsafe-swiftshader',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--remote-allow-origins=*'];
// Chromium complains that it draws WebGL in software here.
const harmless = /GL Driver Message|GPU stall|swiftshader/i;
let failed = 0, served = '';

const server = http.createServer((request, response) => {
  const name = new URL(request.url, 'http://x').pathname;
  const file = path.join(site, path.normalize(name));
  if (name === '/trace.json') response.end(served);
  else if (!fs.existsSync(file)) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': types[path.extname(file)] || 'application/octet-stream' }).end(fs.readFileSync(file));
});
const port = await listen(server), debugPort = await freePort();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: [...flags, `--remote-debugging-port=${debugPort}`] });
const devtools = await browser.newPage();
await devtools.goto(`http://127.0.0.1:${debugPort}/devtools/devtools_app.html`);

function listen(s) {
  return new Promise(done => s.listen(0, '127.0.0.1', () => done(s.address().port)));
}

async function freePort() {
  const s = http.createServer(), p = await listen(s);
  await new Promise(done => s.close(done));
  return p;
}

async function speedscope(text) {
  served = text;
  const context = await browser.newContext(), page = await context.newPage(), wrong = [], origin = `http://127.0.0.1:${port}/`;
  page.on('console', m => {
    if (/warning|error/.test(m.type()) && !harmless.test(m.text())) wrong.push(`${m.type()}: ${m.text().slice(0, 200)}`);
  });
  page.on('pageerror', e => wrong.push(String(e)));
  page.on('dialog', d => { wrong.push(`dialog: ${d.message()}`); d.dismiss(); });
  page.on('request', r => { if (!/^(data|blob):/.test(r.url()) && !r.url().startsWith(origin)) wrong.push(`request: ${r.url()}`); });
  await page.goto(`${origin}index.html#profileURL=${encodeURIComponent(`${origin}trace.json`)}`);
  const opened = () => page.title().then(t => /trace\.json.* - speedscope$/.test(t));
  for (let i = 0; i < 100 && !await opened() && !wrong.length; i++) await page.waitForTimeout(100);
  if (!await opened()) wrong.push('does not open');
  await context.close();
  return wrong.slice(0, 3);
}

function eventsOf(text) {
  const all = JSON.parse(text);
  return Array.isArray(all) ? all : all.traceEvents;
}

// What the engine lays out: slices per name, and those that end before they begin or never.
function layOut(events) {
  return devtools.evaluate(async list => {
    const { TraceModel } = await import('/devtools/models/trace/trace.js');
    const model = TraceModel.Model.createWithAllHandlers();
    await model.parse(list, {});
    const { Renderer, Meta } = model.parsedTrace(0).data;
    const names = {}, odd = [];
    for (const [pid, process] of Renderer.processes)
      for (const [tid, thread] of process.threads)
        for (const e of thread.entries) {
          names[e.name] = (names[e.name] || 0) + 1;
          if (!(e.dur >= 0) || e.ts < Meta.traceBounds.min) odd.push(`${e.name} on ${pid}/${tid} at ${e.ts}`);
        }
    return { names, odd };
  }, events);
}

// Async pairs are no slices; the engine keeps them elsewhere.
function asyncPairs(events) {
  const open = new Map(), names = {};
  for (const e of events.filter(x => x.ph === 'b' || x.ph === 'e')) {
    const key = [e.cat, e.id, e.name].join();
    open.set(key, (open.get(key) || 0) + (e.ph === 'b' ? 1 : -1));
    if (e.ph === 'e') names[e.name] = (names[e.name] || 0) + 1;
  }
  return { names, unbalanced: [...open.values()].filter(n => n).length };
}

const total = names => Object.values(names).reduce((a, b) => a + b, 0);

// Spans per operator: those of the NPU are summed up in the result, those of the host are listed.
function operators(read) {
  const counts = Object.fromEntries(read.npu_operators.map(op => [op.name, op.count]));
  for (const op of read.host_operators) counts[op.name] = (counts[op.name] || 0) + 1;
  return counts;
}

async function engine(text, read) {
  const events = eventsOf(text), wrong = [];
  const { names, odd } = await layOut(events), async = asyncPairs(events);
  const found = total(names) + total(async.names);
  if (!read.spans || found !== read.spans) wrong.push(`${found} slices, npu-advise reads ${read.spans} spans`);
  for (const [name, expected] of Object.entries(operators(read))) {
    const count = (names[name] || 0) + (async.names[name] || 0);
    if (count !== expected) wrong.push(`${count} x ${name}, npu-advise reads ${expected}`);
  }
  const inferences = ['Inference', 'model_run', 'ProfilerStep']
    .reduce((n, name) => n + (names[name] || 0) + (async.names[name] || 0), 0);
  if (inferences !== read.summary.count) wrong.push(`${inferences} inferences, npu-advise reads ${read.summary.count}`);
  if (async.unbalanced) wrong.push(`${async.unbalanced} async pairs are not closed`);
  return wrong.concat(odd.map(o => `no time: ${o}`)).slice(0, 3);
}

// What each check must refuse: the first trace with one thing broken.
const slices = events => events.filter(e => e.ph === 'X' && e.dur > 2);
const twins = [
  [speedscope, 'a cut end', null],
  [speedscope, 'an overlap', e => { const s = slices(e)[0]; e.push({ ...s, ts: s.ts + s.dur / 2, name: 'overlap' }); }],
  [speedscope, 'a beginning without end', e => { e.push({ ...slices(e)[0], ph: 'B', dur: undefined, name: 'open' }); }],
  [speedscope, 'spans that touch in decimals only', e => { for (const s of slices(e)) s.dur = Math.round(s.dur * 1000) / 1000; }],
  [speedscope, 'a negative duration', e => { slices(e)[0].dur = -5; }],
  [engine, 'a lost slice', e => { e.splice(e.indexOf(slices(e)[0]), 1); }],
  [engine, 'a slice too many', e => { e.push({ ...slices(e)[0], ts: 3 }); }],
  [engine, 'another name', e => { slices(e).find(s => s.name.startsWith('LowLevel')).name = 'LowLevelOther'; }],
  [engine, 'a missing duration', e => { delete slices(e)[0].dur; }],
];

async function refuses(text, read) {
  for (const [check, what, change] of twins) {
    const events = eventsOf(text);
    if (change) change(events);
    const wrong = await check(change ? JSON.stringify(events) : text.slice(0, text.length / 2), read);
    report(wrong.length ? [] : ['was not refused'], `twin with ${what}: ${check.name} (${(wrong[0] || '').slice(0, 70)})`);
  }
}

function report(wrong, what) {
  console.log(wrong.length ? `FAILED ${what}: ${wrong.join('; ')}` : `ok ${what}`);
  failed += wrong.length ? 1 : 0;
}

const files = process.argv.slice(2);
for (let i = 0; i < files.length; i += 2) {
  const text = fs.readFileSync(files[i], 'utf8'), read = JSON.parse(fs.readFileSync(files[i + 1], 'utf8'));
  if (i === 0) await refuses(text, read);
  const name = path.basename(files[i], '.json');
  report(await speedscope(text), `${name}: speedscope`);
  report(await engine(text, read), `${name}: DevTools, ${read.spans} spans`);
}
await browser.close();
server.close();
process.exit(failed || !files.length ? 1 : 0);
