#!/usr/bin/python3
"""How a fleet's merge grows: 2,500 and 10,000 models' rows, in sixteen parts.

  fleet_scale.py [--build DIR] [--models N]

Rows are those of real results under other names.  Bars: at most 300 MB of memory, four times the rows in at most five times the processor
time, a page under 3 MB that opens in a second (Chromium, by the page's own clock, median of five) and hides no row, every form written.  Prints what
100,000 models would take by the same lines.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import packages

HERE = pathlib.Path(__file__).resolve().parent
PARTS, MEMORY_KB, PAGE_BYTES, OPEN_MS, GROWTH = 16, 300_000, 3_000_000, 1000, 5
FORMS = ["html", "csv", "ndjson", "junit", "markdown", "json"]


def real_results(build, folder):
    """Whole results of the generated networks, as a run over them writes them."""
    part = folder / "real.part"
    models = sorted(str(path) for path in (build / "networks").glob("*.onnx"))
    subprocess.run([build / "npu-advise", *models, "--shard", "1/1", "--ndjson", part], check=True, capture_output=True)
    lines = [json.loads(line) for line in part.read_text().splitlines()]
    return [json.dumps(line["result"], separators=(",", ":")) for line in lines if line.get("result")]


def names_of(count):
    return [f"team{i % 40}/model{i:06d}.onnx" for i in range(count)]


def write_parts(folder, results, count):
    names = names_of(count)
    folder.mkdir()
    size = 0
    for shard in range(PARTS):
        head = {"kind": "plan", "schema_version": 1, "version": "0.1.0", "settings": "", "shard": shard + 1, "of": PARTS, "dims": [], "models": names}
        with open(folder / f"{shard}.part", "w", encoding="utf-8") as out:
            out.write(json.dumps(head, separators=(",", ":")) + "\n")
            for i in range(shard, count, PARTS):
                out.write(f'{{"kind":"outcome","index":{i},"model":"{names[i]}","status":0,"error":null,"result":{results[i % len(results)]}}}\n')
            size += out.tell()
    return size


def merge(build, folder, chosen):
    """Processor time and peak memory of the merge with every form."""
    forms = [word for form in chosen for word in (f"--{form}", folder / f"fleet.{form}")]
    command = [build / "npu-advise", "merge", *sorted(folder.glob("*.part")), *forms]
    script = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True); r = resource.getrusage(resource.RUSAGE_CHILDREN); print(r.ru_utime + r.ru_stime, r.ru_maxrss)"
    said = subprocess.run([sys.executable, "-c", script, *command], check=True, capture_output=True, text=True).stdout
    seconds, kilobytes = said.split()
    return float(seconds), int(kilobytes)


def look(page):
    """How long the page takes to open, and whether each of its rows is found: None without a browser."""
    folder = packages.folder_with("playwright-core")
    if not folder or not pathlib.Path("/usr/bin/chromium").exists():
        return None
    script = """
const { chromium } = require(process.argv[1] + '/playwright-core');
const rows = page => page.locator('#recommendations tbody tr');
const wait = async (page, wanted) => {
  for (let i = 0; i < 100 && !(await wanted()); i++) await page.waitForTimeout(50);
  return wanted();
};
async function finds(browser, name, last, all, ends) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(name);
  const wrong = [], drawn = await rows(page).count(), filter = page.locator('#recommendations .filter input');
  if (drawn >= all) wrong.push('all rows are drawn at once');
  await filter.fill(last);
  if (await rows(page).count() !== 1 || !(await rows(page).first().textContent()).includes(last)) wrong.push('the filter does not find the last');
  await filter.fill('');
  for (const end of ends) {
    await page.locator('#recommendations thead button').first().click();
    if (!(await rows(page).first().textContent()).includes(end)) wrong.push('sorting leaves out what is not drawn');
  }
  await rows(page).last().scrollIntoViewIfNeeded();
  if (!await wait(page, async () => await rows(page).count() > drawn)) wrong.push('no more rows come when one scrolls');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  if (await rows(page).count() !== all) wrong.push('not all rows are printed');
  await page.close();
  const plain = await browser.newContext({ javaScriptEnabled: false }), still = await plain.newPage();
  await still.goto(name);
  if (await rows(still).count() !== drawn || !await still.locator('#recommendations noscript p').isVisible()) wrong.push('without scripts');
  await plain.close();
  return wrong;
}
(async () => {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu'] });
  const times = [];
  for (let i = 0; i < 5; i++) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto('file://' + process.argv[2], { waitUntil: 'load' });
    times.push(await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))));
    await page.close();
  }
  console.log(JSON.stringify([times.sort((a, b) => a - b)[2], await finds(browser, 'file://' + process.argv[2], process.argv[3], +process.argv[4], process.argv.slice(5))]));
  await browser.close();
})();"""
    count = int(page.parent.name)
    names = names_of(count)
    found = subprocess.run(["node", "-e", script, str(folder), str(page), names[-1], str(count), max(names), min(names)], capture_output=True, text=True, check=False)
    return json.loads(found.stdout) if found.returncode == 0 else [math.inf, [found.stderr]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--models", default=10_000, type=int)
    parser.add_argument("--forms", default=",".join(FORMS), help="which of the forms (default: all)")
    given = parser.parse_args()
    build, good, took = given.build.resolve(), True, {}
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        scratch = pathlib.Path(name)
        results = real_results(build, scratch)
        for count in (given.models // 4, given.models):
            folder = scratch / str(count)
            size = write_parts(folder, results, count)
            seconds, kilobytes = merge(build, folder, given.forms.split(","))
            took[count] = seconds
            page = folder / "fleet.html"
            print(f"{count} models: {size / 1e6:.0f} MB of rows, {seconds:.1f} s of the processor, {kilobytes / 1e3:.0f} MB of memory, page {page.stat().st_size / 1e6:.2f} MB", flush=True)
            good = good and kilobytes <= MEMORY_KB and page.stat().st_size < PAGE_BYTES
            for form in FORMS[1:]:
                (folder / f"fleet.{form}").unlink(missing_ok=True)
        seen = look(page)
        print("no browser: the page was not looked at" if seen is None else f"the page opens in {seen[0]:.0f} ms; its rows are found by filter, order, scrolling and in print: {seen[1] or 'yes'}")
        growth = took[given.models] / took[given.models // 4]
        print(f"four times the rows: {growth:.2f} times the time; 100,000 models: {took[given.models] * 100_000 / given.models / 60:.1f} min, {size * 1e5 / given.models / 1e9:.1f} GB of rows")
        good = good and growth <= GROWTH and (seen is None or (seen[0] <= OPEN_MS and not seen[1]))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
