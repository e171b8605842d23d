// What axe finds, and what it leaves open about the contrast of text, computed in the page: the ratio of each text to what lies beneath it.
//
// In HTML that is the background of the element and its ancestors, in a drawing each shape below five points of the text (a hatch
// counts by its ground and by its lines, whichever is worse), on a canvas the pairs of colours that its script writes with.  Serves
// html.mjs and html_firefox.mjs, which have loaded axe.  Returns {wrong, list, open}: of the list a line for each pair of colours, with its
// ratio, how often it was found, why axe was not sure, and one place; wrong are axe's violations and ratios below 4.5.
export async function contrasts() {
  const NEEDED = 4.5, PAIRS = [['fg', 'bg'], ['mut', 'bg'], ['fg', 'soft'], ['mut', 'soft'], ['acc', 'soft']];
  const parse = text => { const v = (text.match(/[\d.]+/g) || []).map(Number), unit = text.startsWith('color(') ? 255 : 1; return [v[0] * unit, v[1] * unit, v[2] * unit, v[3] ?? 1]; };
  const over = (a, b, alpha = 1) => [0, 1, 2].map(i => a[i] * a[3] * alpha + b[i] * (1 - a[3] * alpha)).concat(1);
  const light = c => [0, 1, 2].map(i => c[i] / 255).map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4).reduce((s, x, i) => s + x * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const style = getComputedStyle, hex = c => '#' + c.slice(0, 3).map(x => Math.round(x).toString(16).padStart(2, '0')).join('');
  const named = name => { const e = document.body.appendChild(document.createElement('i')); e.style.color = `var(--${name})`; const c = parse(style(e).color); e.remove(); return c; };
  // The colour beneath an element of HTML; null where a picture or gradient is.
  const ground = e => {
    const layers = [];
    for (; e; e = e.parentElement) {
      if (style(e).backgroundImage !== 'none') return null;
      layers.push(parse(style(e).backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    return layers.reduceRight((below, c) => over(c, below), [255, 255, 255, 1]);
  };
  // The colours that a shape may put over `below`.
  const painted = (shape, below) => {
    const s = style(shape), alpha = s.opacity * s.fillOpacity, id = (s.fill.match(/url\("?#([^")]+)/) || [])[1];
    if (s.fill === 'none') return [below];
    if (!id) return [over(parse(s.fill), below, alpha)];
    return [...document.getElementById(id).children].flatMap((x, i, all) => {
      const base = over(parse(style(all[0]).fill), below, alpha);
      return [i ? over(parse(style(x).stroke), base, alpha) : base];
    });
  };
  const beneath = text => {
    const b = text.getBoundingClientRect(), root = [text.ownerSVGElement].map(function top(s) { return s.ownerSVGElement ? top(s.ownerSVGElement) : s; })[0];
    const shapes = [...root.querySelectorAll('rect,circle,path,polygon')].filter(s => s.compareDocumentPosition(text) & 4 && !s.closest('defs,pattern'));
    return [0.02, 0.25, 0.5, 0.75, 0.98].flatMap(f => {
      const [x, y] = [b.left + f * b.width, b.top + b.height / 2];
      const under = shapes.filter(s => { const r = s.getBoundingClientRect(); return x >= r.left && x <= r.right && y >= r.top && y <= r.bottom && (!s.isPointInFill || s.tagName === 'rect' || s.isPointInFill(new DOMPoint(x, y).matrixTransform(s.getScreenCTM().inverse()))); });
      return under.reduce((all, s) => all.flatMap(c => painted(s, c)), [ground(root.parentElement)]);
    });
  };
  const found = new Map(), wrong = [], add = (fg, bg, why, where) => {
    const r = bg ? ratio(over(fg, bg), bg) : 0, key = bg ? `${r.toFixed(2)}:1 ${hex(over(fg, bg))} on ${hex(bg)}` : '0:1 on an image';
    const known = found.get(key) || found.set(key, { n: 0, why, where, r }).get(key);
    known.n++;
  };
  const said = await axe.run(document, { resultTypes: ['violations', 'incomplete'] }), opened = said.incomplete.filter(v => v.id === 'color-contrast').flatMap(v => v.nodes);
  said.violations.forEach(v => wrong.push(`axe ${v.id}: ${v.nodes.length} at ${v.nodes[0].target}`));
  const open = new Map(opened.map(n => [document.querySelector(n.target[0]), n.any[0]?.data?.messageKey || 'axe']));
  document.querySelectorAll('svg text').forEach(t => { if (t.getClientRects().length && !open.has(t)) open.set(t, 'drawn'); });
  for (const [e, why] of open) {
    const drawn = !!e.closest('svg'), where = drawn ? `${e.tagName}.${e.classList[0] || ''} "${e.textContent.slice(0, 24)}"` : `${e.tagName.toLowerCase()}.${e.className || e.id}`;
    const fg = parse(drawn ? style(e).fill : style(e).color), all = drawn ? beneath(e) : [ground(e)];
    const worst = all.sort((a, b) => (a ? ratio(over(fg, a), a) : 0) - (b ? ratio(over(fg, b), b) : 0))[0];
    add(fg, worst, why, where);
  }
  if (document.querySelector('canvas')) PAIRS.forEach(([a, b]) => add(named(a), named(b), 'canvas', `--${a} on --${b}`));
  const list = [...found].sort((a, b) => a[1].r - b[1].r).map(([key, x]) => `${key}, ${x.n}x (${x.why}: ${x.where})`);
  [...found].filter(([, x]) => x.r < NEEDED).forEach(([key, x]) => wrong.push(`contrast ${key} at ${x.where}`));
  return { wrong, list, open: opened.length };
}
