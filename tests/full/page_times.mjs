// How long a reader waits: medians of nine loads of each page, and of nine zoom steps.  Prints, judges nothing.
//
//   node page_times.mjs REPORT.html …
//
// Usable: the pictures are drawn and a first key is answered, from the start of the navigation, by the page's own clock.
import { chromium } from 'playwright-core';
import path from 'node:path';
import fs from 'node:fs';

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu'] });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
// In the page itself, so that no way between browser and driver counts: looks at every frame.
function watch() {
  const told = () => [...document.querySelectorAll('.detail')].map(d => d.textContent).join();
  let before = null;
  const look = () => {
    const canvas = document.querySelector('#timeline-canvas') || document.querySelector('#program-canvas'), d = canvas?.drawn?.();
    if (before === null && d && (d.blocks || d.boxes).length) {
      before = told();
      canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
    }
    if (before !== null && told() !== before) window.usable = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
const median = list => list.sort((a, b) => a - b)[list.length >> 1];
for (const file of process.argv.slice(2)) {
  const usable = [], zoom = [];
  for (let i = 0; i < 9; i++) {
    const page = await context.newPage();
    await page.addInitScript(watch);
    await page.goto('file://' + path.resolve(file));
    await page.waitForFunction(() => window.usable);
    usable.push(await page.evaluate(() => window.usable));
    const picture = await page.$('#timeline-canvas') ? '#timeline-canvas' : '#program-canvas';
    // A key, and the frame after the one that it draws in.
    zoom.push(...await page.evaluate(async id => {
      const canvas = document.querySelector(id), times = [], frame = () => new Promise(requestAnimationFrame);
      for (let k = 0; k < 9; k++) {
        await frame();
        const t = performance.now();
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key: k % 2 ? 's' : 'w' }));
        await frame();
        await frame();
        times.push(performance.now() - t);
      }
      return times;
    }, picture));
    await page.close();
  }
  console.log(`${path.basename(file)}: ${fs.statSync(file).size} bytes, usable in ${median(usable).toFixed(0)} ms, a zoom step ${median(zoom).toFixed(0)} ms (two frames)`);
}
await browser.close();
