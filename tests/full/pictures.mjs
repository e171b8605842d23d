// Writes the first screen of each report as a PNG file of less than 150 kB (with pngquant, if it is installed).
//
//   node pictures.mjs FOLDER REPORT.html …
import { chromium } from 'playwright-core';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const MOST = 150000;
const [folder, ...files] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu'] });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
let failed = 0;
for (const file of files) {
  const page = await context.newPage(), picture = path.join(folder, path.basename(file, '.html') + '.png');
  await page.goto('file://' + path.resolve(file));
  await page.waitForTimeout(400);
  await page.screenshot({ path: picture });
  await page.close();
  spawnSync('pngquant', ['--force', '--strip', '--speed', '1', '--output', picture, picture]);
  const size = fs.statSync(picture).size;
  console.log(`${picture}: ${size} bytes`);
  failed += size > MOST;
}
await browser.close();
process.exit(failed ? 1 : 0);
