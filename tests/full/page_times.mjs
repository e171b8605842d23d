// How long a reader waits: medians of nine loads of each page, and of nine zoom steps.  Prints, judges nothing.
//
//   node page_times.mjs REPORT.html …
//
// Usable: every picture in view is drawn and a first key is answered, from the start of the navigation.
import { chromium } from 'playwright-core';
import path from 'node:path';
import fs from 'node:fs';

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu'] });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
const median = list => list.sort((a, b) => a - b)[list.length >> 1];
for (const file of process.argv.slice(2)) {
  const usable = [], zoom = [];
  for (let i = 0; i < 9; i++) {
    const page = await context.newPage(), start = performance.now();
    await page.goto('file://' + path.resolve(file));
    const picture = await page.$('#timeline-canvas') ? '#timeline-canvas' : '#program-canvas';
    await page.waitForFunction(id => { const d = document.querySelector(id).drawn?.(); return d && (d.blocks || d.boxes).length; }, picture, { polling: 'raf' });
    const before = await page.$$eval('.detail', l => l.map(d => d.textContent).join());
    await page.focus(picture);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(was => [...document.querySelectorAll('.detail')].map(d => d.textContent).join() !== was, before, { polling: 'raf' });
    usable.push(performance.now() - start);
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
