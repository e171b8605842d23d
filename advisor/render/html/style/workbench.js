"use strict";
(async () => {
  const $ = s => document.querySelector(s), $$ = s => [...document.querySelectorAll(s)];
  // The words and the layout of the page, and the result.
  const [P, R] = await Promise.all(["#data", "#result"].map(id => unpack(id).json())), W = P.words;
  const say = (text, ...more) => text.replace(/\{(\d)\}/g, (m, i) => more[i]);
  const esc = s => s.replace(/[&<>"]/g, c => "&" + { "&": "amp", "<": "lt", ">": "gt", "\"": "quot" }[c] + ";");

  // ---- what is drawn, from the result ----
  function drawn() {
    // A name as it is shown: what cannot be seen is spelled, and of a long one the middle is left out.
    const spelled = c => { const n = c.codePointAt(); return n < 256 ? "\\x" + n.toString(16).padStart(2, "0") : "\\u" + n.toString(16).padStart(4, "0"); };
    const hidden = /[\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
    const clean = s => s.replace(hidden, spelled), shown = s => { const c = [...clean(s)]; return (c.length > 72 ? [...c.slice(0, 36), "…", ...c.slice(-35)] : c).join(""); };
    const titles = new Map(Object.entries(P.titles)), title = n => titles.get(n) ?? n;
    const us3 = v => v == null ? NaN : v / 1e3, sum = (a, b) => isNaN(a) ? b : isNaN(b) ? a : a + b;
    const shapeOf = s => s ? " → " + s.map(d => d ?? "?").join("×") : "";
    function element(step, op) {
      const x = op || step, kind = op || step.kind === "npu" ? "n" : step.kind === "host" ? "h" : "p", p = x.predicted_ns;
      return { step: step.id, name: shown(x.onnx_nodes[0] ?? ""), op: clean(op ? title(op.kind) : kind === "h" ? step.op : title(step.kind)), kind, where: W[{ h: "host", p: "io", n: "npu" }[kind]],
        m: us3(x.measured_ns?.median), p: us3(p?.mid), lo: us3(p?.lo), hi: us3(p?.hi),
        s: [step, op], mac: op?.macs ? op.macs / 1e6 : NaN, bytes: op?.bytes ? op.bytes / 1e3 : NaN, limit: W.limits[x.limited_by], advice: [], shape: shapeOf(op ? op.output_shape : R.values.find(v => v.id === step.outputs[0])?.shape) };
    }
    // Steps and operators in the order of the program, and the element of each: a large program's short ones are summed up.
    const all = [], first = [], opAt = [];
    for (const step of R.steps) {
      first.push(all.length);
      while (R.operators[opAt.length]?.step_id === step.id) { const op = R.operators[opAt.length]; opAt.push(all.length); all.push(element(step, op)); }
      if (all.length === first.at(-1)) { all.push(element(step, null)); }
    }
    first.push(all.length);
    const of = [], E = (P.counts || all.map(() => 1)).map((n, i) => {
      const e = all[of.length];
      if (n > 1) {
        for (const o of all.slice(of.length + 1, of.length + n)) { for (const f of ["m", "p", "lo", "hi"]) { e[f] = sum(e[f], o[f]); } }
        e.name += " " + P.more[i];
        e.mac = e.bytes = NaN;
        e.shape = "";
      }
      for (; n > 0; n--) { of.push(i); }
      return Object.assign(e, { i });
    });
    const edges = [], edge = (to, from) => { if (to !== from) { edges.push(to, from); } };
    R.steps.forEach((s, i) => s.deps.filter(d => d < i).forEach(d => edge(of[first[i]], of[first[d + 1] - 1])));
    R.operators.slice(0, opAt.length).forEach((o, i) => o.deps.filter(d => d < i).forEach(d => edge(of[opAt[i]], of[opAt[d]])));
    const pictures = R.pictures || { names: [], lanes: [], runs: [], after: null };
    // What a change marks: its row in the recommended plan, else in the first that holds it.
    const rows = [...R.plans].sort((a, b) => b.recommended - a.recommended).flatMap(p => p.changes), nothing = { steps: [], operators: [] };
    const marks = R.changes.map(c => [c, rows.find(x => x.id === c.id) ?? nothing]).concat(R.by_hand.map(w => [w, w]));
    const advice = marks.map(([f, mark]) => {
      const touched = new Set(mark.operators.map(o => of[opAt[o]]));
      mark.steps.forEach(s => of.slice(first[s], first[s + 1]).forEach(i => touched.add(i)));
      const e = [...touched].filter(i => E[i]).sort((a, b) => a - b);
      e.forEach(i => E[i].advice.push(f.id));
      return { n: f.id, t: shown(f.title), id: f.fingerprint, rule: f.rule_id, e };
    });
    const run = r => r && { label: W.runs[r.label], i: r.inference ?? -1, total: r.total, omitted: r.omitted, s: r.spans.map((v, i) => i % 6 === 5 && v >= 0 ? of[v] ?? -1 : v) };
    const lane = l => {
      const pe = l.lane === "pe", range = pe && l.count > 1 ? "–" + (l.index + l.count - 1) : "";
      return [{ host: "h", pcie: "p", pe: "n" }[l.lane], W.lanes[l.lane] + (pe || l.index ? " " + l.index + range : "")];
    };
    return { E, names: pictures.names.map(n => shown(title(n))), lanes: pictures.lanes.map(lane), runs: pictures.runs.map(run), after: run(pictures.after),
      latencies: pictures.latencies || [], warm: pictures.warm_up || 0, blocks: P.blocks.map(([n, a, b]) => [shown(title(n)), a, b]), groups: P.groups, edges, advice,
      peak: R.machine?.peak_macs_per_s || 0, dram: R.machine?.dram_bytes_per_s || 0 };
  }
  const D = drawn(), E = D.E;
  const time = e => isNaN(e.m) ? e.p || 0 : e.m;
  const total = D.runs.length ? D.runs[0].total : 0;
  function us(v) {
    const [x, u] = Math.abs(v) >= 1e6 ? [v / 1e6, "s"] : Math.abs(v) >= 1000 ? [v / 1000, "ms"] : [v, "µs"], a = Math.abs(x);
    return (a >= 100 ? x.toFixed(0) : a >= 10 ? x.toFixed(1) : x.toFixed(2)) + "\u202f" + u;
  }
  // A figure of the result as text; the last word of its name tells the unit.
  function figure(name, v) {
    const scaled = (n, units) => {
      let i = 0;
      for (; Math.abs(n) >= 1000 && i + 1 < units.length; i++) { n /= 1000; }
      return (n % 1 === 0 && Math.abs(n) < 1000 ? n : Math.abs(n) >= 100 ? n.toFixed(0) : Math.abs(n) >= 10 ? n.toFixed(1) : n.toFixed(2)) + "\u202f" + units[i];
    };
    const unit = [[/bytes_per_s$/, ["B/s", "kB/s", "MB/s", "GB/s", "TB/s"]], [/macs_per_s$/, ["MAC/s", "k MAC/s", "M MAC/s", "G MAC/s", "T MAC/s"]], [/per_s$|fps$/, ["/s"]], [/bytes$/, ["B", "kB", "MB", "GB"]],
      [/macs$/, ["MAC", "k MAC", "M MAC", "G MAC"]], [/_hz$/, ["Hz", "kHz", "MHz", "GHz"]], [/mhz$/, ["MHz"]], [/kb$/, ["kB"]], [/kib$/, ["KiB"]]].find(([pattern]) => pattern.test(name));
    if (/share$|busy$|utilisation$|cv$/.test(name)) { return (100 * v).toPrecision(3) + "\u202f%"; }
    if (/sensitivity$/.test(name)) { return v.toPrecision(3) + "\u202f%"; }
    return /ns$/.test(name) ? us(v / 1e3) : /_us$/.test(name) ? us(v) : unit ? scaled(v, unit[1]) : Number.isInteger(v) ? String(v) : v.toPrecision(4);
  }
  const touched = new Map(D.advice.map(a => [a.n, new Set(a.e)]));
  const adviceLink = k => { const a = D.advice.find(x => x.n === k); return `<a href="#${esc(a.id)}">${k} ${esc(a.t)}</a>`; };

  // ---- one state, which every view listens to; the address says it ----
  const S = { element: -1, span: null, advice: 0, set: null };
  const views = [], brushes = {};
  let due = false, sumUp = null;
  const paint = v => { if (v.canvas && !v.seen) { v.stale = true; } else { v.stale = false; v.draw(); } };
  function redraw() {
    if (due) { return; }
    due = true;
    requestAnimationFrame(() => { due = false; views.forEach(paint); });
  }
  const onScreen = new IntersectionObserver(list => list.forEach(x => {
    const v = views.find(o => o.canvas === x.target);
    v.seen = x.isIntersecting;
    if (v.seen && v.stale) { paint(v); }
  }), { rootMargin: "200px" });

  // What a step or an operator takes besides time: work, data, memory, and what a shorter one would be worth.
  function workOf(step, op) {
    const m = (op || step).measured_ns, spread = m && m.lo !== m.hi ? `${W.measured} [${us(m.lo / 1e3)} – ${us(m.hi / 1e3)}]` : "";
    const size = ids => ids.map(i => R.values[i] ?? {}).filter(v => v.bytes != null).map(v => figure("bytes", v.bytes)).join(" + ") || "–";
    const moved = () => step.inputs.length + step.outputs.length ? size(step.inputs) + " → " + size(step.outputs) : "";
    const work = op ? [figure("macs", op.macs), figure("bytes", op.bytes), "SRAM " + figure("bytes", op.sram_bytes)]
      : [step.reason === "none" ? "" : step.reason, moved(), step.sensitivity != null ? say(W.sensitivity, figure("sensitivity", step.sensitivity)) : ""];
    return [spread, ...work].filter(Boolean).map(esc).join(" · ");
  }

  function describe(element, span) {
    const e = E[element], lines = [];
    if (span && span.sums) { return span.sums; }
    if (span) {
      lines.push(`<b>${esc(span.name)}</b> ${us(span.length / 10)}, ${esc(W.from)} ${us(span.start / 10)}` +
        (total ? `, ${say(W.share, (100 * span.length / total).toFixed(2))}` : ""));
    }
    if (e) {
      lines.push(`${span ? "" : `<b>${esc(e.op)}</b> `}${esc(e.name) || esc(W.made)}${esc(e.shape)} · ${esc(e.where)} · ${esc(W.limited)}: ${esc(e.limit)}`);
      lines.push(`${isNaN(e.m) ? esc(W.unmeasured) : esc(W.median) + " " + us(e.m)}, ${esc(W.predicted)} ` +
        (isNaN(e.p) ? "–" : `${us(e.p)} [${us(e.lo)} – ${us(e.hi)}]`));
      lines.push(workOf(...e.s));
      lines.push(e.advice.length ? `${esc(W.advice)}: ${e.advice.map(adviceLink).join(", ")}` : esc(W.none));
    } else if (span && span.inner && span.inner.length) {
      const top = [...span.inner].sort((a, b) => b.length - a.length).slice(0, 3);
      const ks = [...new Set(span.inner.flatMap(b => b.element >= 0 ? E[b.element].advice : []))].sort((a, b) => a - b);
      lines.push(say(W.longest, span.inner.length) + " " + top.map(b => `${esc(b.name)} ${us(b.length / 10)}`).join(", "));
      if (ks.length) { lines.push(`${esc(W.advice)}: ${ks.map(adviceLink).join(", ")}`); }
    } else if (span && span.after) { lines.push(esc(W.noafter)); }
    return lines.join("<br>") || esc(W.nothing);
  }
  function show(element, from, span) {
    S.element = element;
    S.span = span || null;
    views.forEach(v => { if (v !== from && v.reveal && element >= 0) { v.reveal(element); } });
    const jump = element < 0 ? "" : `<br><span class="jump">${esc(W.see)} <a href="#timeline">${esc(W.timeline)}</a> ` +
      `<a href="#program">${esc(W.program)}</a> <a href="#operators">${esc(W.table)}</a></span>`;
    $$(".detail").forEach(d => { d.innerHTML = describe(element, span) + jump; });
    redraw();
  }
  // A click is a place to come back to; a step with the keys is not.
  function address(hash, step) {
    if (location.hash !== hash) { history[step ? "replaceState" : "pushState"](null, "", hash || location.pathname + location.search); }
  }
  function choose(element, from, span, step) {
    show(element, from, span);
    if (element >= 0 || /^#(e\d|t=|roofline=|scatter=)/.test(location.hash)) { address(element < 0 ? "" : "#e" + element, step); }
  }
  function mark(k) {
    S.advice = touched.has(+k) ? +k : 0;
    ["#timeline-advice", "#program-advice", "#operators-advice"].forEach(s => { if ($(s)) { $(s).value = S.advice; } });
    filter();
    redraw();
  }
  function chooseAdvice(k) {
    mark(k);
    const a = D.advice.find(x => x.n === S.advice);
    address(a ? "#" + a.id : "");
  }
  // Where the address leads: an operator, a range of time, a brush, or a change; without any, nothing is chosen.
  function follow() {
    const e = /^#e(\d+)$/.exec(location.hash), t = /^#t=(\d+),(\d+)$/.exec(location.hash), b = /^(#roofline|#scatter)=(.+)$/.exec(location.hash);
    const d = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (S.followed && !location.hash || e || t || b) {
      S.set = b && brushes[b[1]] ? brushes[b[1]](b[2].split(",").map(Number)) : null;
      mark(0); // makes the table's rows anew, so before the choice is shown in them
      show(e && E[+e[1]] ? +e[1] : -1, null);
      if (t && sumUp) { sumUp(+t[1], +t[2]); }
      if (e && !S.followed && $("#operators")) { $("#operators").scrollIntoView(); }
    } else if (d && d.dataset.k) { mark(d.dataset.k); }
    S.followed = true;
  }
  addEventListener("keydown", e => {
    if (e.key !== "Escape" || e.target.tagName === "INPUT" || S.element < 0 && !S.span && !S.advice && !S.set) { return; }
    address("");
    follow();
  });
  addEventListener("hashchange", follow);
  addEventListener("popstate", follow);

  // ---- colours and fills ----
  let C = {};
  const KIND = { h: "host", p: "io", n: "npu", u: "lost" };
  function ink() {
    const style = getComputedStyle(document.documentElement);
    C = {};
    for (const n of ["bg", "fg", "mut", "line", "soft", "host", "npu", "io", "lost", "sel", "acc"]) { C[n] = style.getPropertyValue("--" + n).trim(); }
    const fill = (colour, draw) => {
      const c = document.createElement("canvas");
      c.width = c.height = 8;
      const x = c.getContext("2d");
      x.fillStyle = colour;
      x.fillRect(0, 0, 8, 8);
      x.strokeStyle = x.fillStyle = C.bg;
      x.globalAlpha = .38;
      x.lineWidth = 1.6;
      draw(x);
      return x.createPattern(c, "repeat");
    };
    C.fill = {
      h: fill(C.host, x => { x.beginPath(); for (const k of [-8, 0, 8]) { x.moveTo(k, 8); x.lineTo(k + 8, 0); } x.stroke(); }),
      n: C.npu,
      p: fill(C.io, x => { x.beginPath(); x.moveTo(2, 0); x.lineTo(2, 8); x.moveTo(6, 0); x.lineTo(6, 8); x.stroke(); }),
      u: fill(C.lost, x => { x.fillRect(1, 1, 2, 2); x.fillRect(5, 5, 2, 2); }),
    };
  }
  function surface(cv, h) {
    const w = cv.parentElement.clientWidth, r = devicePixelRatio || 1;
    if (cv.width !== Math.round(w * r) || cv.height !== Math.round(h * r)) {
      cv.width = Math.round(w * r);
      cv.height = Math.round(h * r);
      cv.style.height = h + "px";
    }
    const g = cv.getContext("2d");
    g.setTransform(r, 0, 0, r, 0, 0);
    g.clearRect(0, 0, w, h);
    g.font = "12px system-ui,sans-serif";
    g.textBaseline = "middle";
    return [g, w];
  }
  // As much of a text as there is room for, and a sign that there is more; nothing where a word would be lost.
  function fitted(g, text, room) {
    let n = text.length;
    const w = s => g.measureText(s).width;
    if (w(text) <= room) { return text; }
    while (n > 2 && w(text.slice(0, n) + "…") > room) { n--; }
    return n > 2 ? text.slice(0, n) + "…" : "";
  }
  const at = (cv, e) => { const b = cv.getBoundingClientRect(); return [e.clientX - b.left, e.clientY - b.top]; };
  function gestures(cv, on) {
    const points = new Map();
    let moved = 0, pinch = 0, from = null;
    cv.addEventListener("pointerdown", e => {
      cv.setPointerCapture(e.pointerId);
      points.set(e.pointerId, at(cv, e));
      moved = 0;
      from = on.range && e.shiftKey ? at(cv, e)[0] : null;
    });
    cv.addEventListener("pointermove", e => {
      const p = at(cv, e), q = points.get(e.pointerId);
      if (!q) { on.hover(...p); return; }
      points.set(e.pointerId, p);
      if (points.size === 2) {
        const [a, b] = [...points.values()], d = Math.hypot(a[0] - b[0], a[1] - b[1]);
        if (pinch) { on.zoom(d / pinch, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2); }
        pinch = d;
        moved = 9;
        return;
      }
      moved += Math.abs(p[0] - q[0]) + Math.abs(p[1] - q[1]);
      if (from !== null) { on.range(from, p[0]); return; }
      if (moved > 4) { on.pan(p[0] - q[0], p[1] - q[1]); }
    });
    const end = e => {
      if (points.has(e.pointerId) && moved <= 4 && e.type === "pointerup") { on.tap(...at(cv, e)); }
      points.delete(e.pointerId);
      pinch = 0;
    };
    cv.addEventListener("pointerup", end);
    cv.addEventListener("pointercancel", end);
    cv.addEventListener("wheel", e => { // the page keeps its wheel until the picture is clicked
      if (!e.ctrlKey && !e.metaKey && document.activeElement !== cv) { return; }
      e.preventDefault();
      const p = at(cv, e);
      if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) { on.pan(-(e.deltaX || e.deltaY), 0); }
      else { // a notch of a wheel zooms by 1.15 to 1.5, many small steps of a touch pad as much together
        const d = Math.max(-100, Math.min(100, e.deltaY * (e.deltaMode === 1 ? 33 : 1)));
        on.zoom(Math.exp(-d * (Math.abs(d) < 40 ? .01 : .0035)), ...p);
      }
    }, { passive: false });
  }
  function keys(cv, act) {
    cv.addEventListener("keydown", e => {
      const f = act[e.key.toLowerCase()];
      if (f && !e.ctrlKey && !e.metaKey && !e.altKey) { e.preventDefault(); f(); }
    });
  }

  // ---- timeline ----
  function timeline() {
    const cv = $("#timeline-canvas");
    if (!cv) { return; }
    // Rows: each host thread, what waits, the link, each PE with its operators.
    const ROWS = [];
    const of = kind => D.lanes.map((l, i) => [l, i]).filter(([l]) => l[0] === kind);
    of("h").forEach(([l, i]) => ROWS.push({ name: l[1], h: 22, kind: "h", lane: i, depth: 0 }));
    ROWS.push({ name: W.waiting, h: 14, kind: "u" });
    of("p").forEach(([l, i]) => ROWS.push({ name: l[1], h: 16, kind: "p", lane: i, depth: 0 }));
    of("n").forEach(([l, i]) => {
      ROWS.push({ name: l[1], h: 18, kind: "n", lane: i, depth: 0 });
      ROWS.push({ name: W.operators, h: 22, kind: "n", lane: i, depth: 1 });
    });
    function spans(run, after) {
      const rows = ROWS.map(() => []), busy = [];
      let t = 0;
      for (let i = 0; i < run.s.length; i += 6) {
        const [lane, depth, step, length, name, element] = run.s.slice(i, i + 6);
        t += step;
        const r = ROWS.findIndex(x => x.lane === lane && x.depth === depth);
        if (r < 0) { continue; }
        const other = element === -2;
        rows[r].push({ start: t, length, name: other ? W.other : D.names[name], element: element < 0 ? -1 : element, row: r, after, other });
        if (!depth && !other) { busy.push([t, t + length]); }
      }
      busy.sort((a, b) => a[0] - b[0]);
      let end = 0;
      const u = ROWS.findIndex(x => x.kind === "u"), gap = (a, b, name) => rows[u].push({ start: a, length: b - a, name, element: -1, row: u, after });
      for (const [a, b] of busy) { if (a > end + 2) { gap(end, a, W.handover); } end = Math.max(end, b); }
      if (run.total > end + 20) { gap(end, run.total, W.unexplained); }
      ROWS.forEach((x, r) => {
        if (x.kind !== "n" || x.depth) { return; }
        const inner = rows[ROWS.findIndex(y => y.lane === x.lane && y.depth === 1)];
        rows[r].forEach(b => { b.inner = inner.filter(o => o.start >= b.start && o.start + o.length <= b.start + b.length + 1); });
      });
      return rows;
    }
    let run = 0, now = spans(D.runs[0], false);
    const after = D.after ? spans(D.after, true) : null;
    const END = () => Math.max(D.runs[run].total, D.after ? D.after.total : 0) * 1.01;
    let x0 = 0, x1 = END(), width = 800, G = 92, hits = [], order = [];
    const sequence = () => { order = now.flat().sort((a, b) => a.start - b.start || a.row - b.row); };
    sequence();
    const X = t => G + (t - x0) / (x1 - x0) * (width - G);
    const clamp = () => { const e = END(), w = Math.min(x1 - x0, e); x0 = Math.max(0, Math.min(x0, e - w)); x1 = x0 + w; };
    const zoom = (f, px) => { const t = x0 + (px - G) / (width - G) * (x1 - x0), w = Math.max(50, (x1 - x0) / f); x0 = t - (px - G) / (width - G) * w; x1 = x0 + w; clamp(); redraw(); };
    const pan = dx => { const d = -dx / (width - G) * (x1 - x0); x0 += d; x1 += d; clamp(); redraw(); };
    const isLit = b => S.advice && (b.element >= 0 && touched.get(S.advice).has(b.element) || b.inner && b.inner.some(q => q.element >= 0 && touched.get(S.advice).has(q.element)));
    function drawRow(g, list, y, row) {
      let lo = 0, hi = list.length;
      while (lo < hi) { const m = lo + hi >> 1; if (list[m].start + list[m].length < x0) { lo = m + 1; } else { hi = m; } }
      let last = -1e9, px = -1, cover = 0;
      const text = [], flush = () => { // many in one pixel: as dark as the share that they fill
        if (cover > 0) { g.globalAlpha = (S.advice ? .3 : 1) * Math.min(1, .2 + cover); g.fillStyle = C.fill[row.kind]; g.fillRect(px, y, 1, row.h); }
        cover = 0;
      };
      for (let i = Math.max(0, lo - 1); i < list.length && list[i].start <= x1; i++) {
        const b = list[i], a = Math.max(G, X(b.start)), z = Math.min(width, X(b.start + b.length));
        const on = b === S.span || (!b.after && b.element >= 0 && b.element === S.element), lit = isLit(b);
        if (z < G) { continue; }
        if (z - a < 1 && !on && !lit) { if (Math.floor(a) !== px) { flush(); px = Math.floor(a); } cover += z - a; hits.push([a, y, 3, row.h, b]); continue; }
        if (z < last + .6 && !on) { continue; }
        flush();
        const w = Math.max(1, z - a - (z - a > 4 ? 1 : 0));
        g.globalAlpha = S.advice && !lit && !on ? .3 : 1;
        g.fillStyle = b.other ? C.fill.u : C.fill[row.kind];
        g.fillRect(a, y, w, row.h);
        if (lit || on) { g.globalAlpha = 1; g.strokeStyle = C.sel; g.lineWidth = on ? 3 : 2; g.strokeRect(a + .5, y + .5, Math.max(1, w - 1), row.h - 1); }
        if (w > 44 && row.h > 14) { text.push([b, a, w]); }
        hits.push([a, y, Math.max(w, 3), row.h, b]);
        last = z;
      }
      flush();
      g.globalAlpha = 1;
      for (const [b, a, w] of text) {
        const s = b.name + (w > 130 ? "  " + us(b.length / 10) : ""), tw = g.measureText(s).width;
        if (tw + 12 > w) { continue; }
        g.fillStyle = C.bg;
        g.fillRect(a + 3, y + 3, tw + 6, row.h - 6);
        g.fillStyle = C.fg;
        g.fillText(s, a + 6, y + row.h / 2 + 1);
      }
    }
    const shown = rows => ROWS.map((x, i) => rows[i].length > 0);
    const heightOf = rows => shown(rows).reduce((s, u, i) => s + (u ? ROWS[i].h + 3 : 0), 0);
    function title(name, r) {
      return `${name}: ${us(r.total / 10)}, ` + (r.i >= 0 ? say(W.inference, r.i + 1) + " (" + r.label + ")" : r.label) +
        (r.omitted ? `, ${say(W.omitted, r.omitted)}` : "");
    }
    function draw() {
      const parts = [[title(W.now, D.runs[run]), now, D.runs[run].total]];
      if (after) { parts.push([title(W.after, D.after), after, D.after.total]); }
      const [g, w] = surface(cv, 26 + parts.reduce((s, p) => s + 30 + heightOf(p[1]), 0) + 14);
      width = w;
      G = w < 500 ? 66 : 96;
      hits = [];
      const span = x1 - x0, raw = span / Math.max(3, (w - G) / 110), p10 = 10 ** Math.floor(Math.log10(raw)), tick = [1, 2, 5, 10].map(k => k * p10).find(k => k >= raw);
      const H = cv.clientHeight;
      g.fillStyle = C.mut;
      g.textAlign = "center";
      g.strokeStyle = C.line;
      g.lineWidth = 1;
      for (let t = Math.ceil(x0 / tick) * tick; t <= x1; t += tick) {
        const x = X(t);
        g.beginPath(); g.moveTo(x, 18); g.lineTo(x, H - 12); g.stroke();
        if (x > G + 14 && x < w - 26) { g.fillText(tick >= 1000 ? +(t / 1e4).toFixed(3) + " ms" : +(t / 10).toFixed(2) + " µs", x, 9); }
      }
      let y = 22;
      for (const [label, rows, end] of parts) {
        g.textAlign = "left";
        g.fillStyle = C.fg;
        g.font = "600 13px system-ui,sans-serif";
        g.fillText(label, 6, y + 9, w - 12);
        g.font = "12px system-ui,sans-serif";
        y += 22;
        const top = y;
        ROWS.forEach((row, i) => {
          if (!rows[i].length) { return; }
          g.textAlign = "right";
          g.fillStyle = C.mut;
          g.fillText(row.name, G - 8, y + row.h / 2 + 1, G - 12);
          g.save();
          g.beginPath(); g.rect(G, y - 1, w - G, row.h + 2); g.clip();
          g.textAlign = "left";
          drawRow(g, rows[i], y, row);
          g.restore();
          y += row.h + 3;
        });
        if (end >= x0 && end <= x1) { g.strokeStyle = C.fg; g.lineWidth = 2; g.setLineDash([4, 3]); g.beginPath(); g.moveTo(X(end), top - 4); g.lineTo(X(end), y); g.stroke(); g.setLineDash([]); }
        y += 8;
      }
      if (S.span && S.span.sums) {
        const a = Math.max(G, X(S.span.start));
        g.globalAlpha = .2;
        g.fillStyle = C.sel;
        g.fillRect(a, 18, Math.max(1, Math.min(w, X(S.span.start + S.span.length)) - a), H - 30);
        g.globalAlpha = 1;
      }
      g.fillStyle = C.line;
      g.fillRect(G, H - 8, w - G, 4);
      g.fillStyle = C.acc;
      g.fillRect(G + x0 / END() * (w - G), H - 9, Math.max(6, span / END() * (w - G)), 6);
    }
    const under = (x, y) => { let h = null; for (const q of hits) { if (x >= q[0] - 1 && x <= q[0] + q[2] + 1 && y >= q[1] && y <= q[1] + q[3] && (!h || q[2] <= h[2])) { h = q; } } return h; };
    const tap = (x, y) => { const h = under(x, y); choose(h ? h[4].element : -1, view, h && h[4]); };
    const fit = (s, d) => { x0 = s - d * .05; x1 = s + d * 1.05; clamp(); redraw(); };
    const all = () => { x0 = 0; x1 = END(); redraw(); };
    const into = b => { if (b.start < x0 || b.start + b.length > x1) { const w = x1 - x0; x0 = b.start - w / 3; x1 = x0 + w; clamp(); } };
    const go = k => { let i = order.indexOf(S.span); i = i < 0 ? 0 : (i + k + order.length) % order.length; const b = order[i]; into(b); choose(b.element, view, b, true); };
    // The time of each lane between two places, blocks cut at both.
    const within = (rows, a, b) => ROWS.map((row, i) => [row.name, rows[i].reduce((s, x) => s + Math.max(0, Math.min(b, x.start + x.length) - Math.max(a, x.start)), 0)]).filter(x => x[1]);
    function range(from, to) {
      const [a, b] = [from, to].map(x => Math.round(Math.max(0, x0 + (Math.max(G, Math.min(width, x)) - G) / (width - G) * (x1 - x0)))).sort((p, q) => p - q);
      sumUp(a, b);
      address(`#t=${a},${b}`, location.hash.startsWith("#t="));
    }
    sumUp = (a, b) => {
      const told = (name, rows) => `${esc(name)}: ` + (within(rows, a, b).map(([lane, t]) => `${esc(lane)} ${us(t / 10)}`).join(", ") || "–");
      const lines = [`<b>${us((b - a) / 10)}</b>, ${us(a / 10)} – ${us(b / 10)}`, told(W.now, now)].concat(after ? told(W.after, after) : []);
      show(-1, view, { start: a, length: b - a, sums: lines.join("<br>") });
    };
    gestures(cv, { pan, zoom, tap, range, hover: (x, y) => { cv.style.cursor = under(x, y) ? "pointer" : "grab"; } });
    const middle = () => (G + width) / 2;
    keys(cv, { w: () => zoom(1.5, middle()), s: () => zoom(1 / 1.5, middle()), a: () => pan((width - G) / 6), d: () => pan(-(width - G) / 6),
      "+": () => zoom(1.5, middle()), "-": () => zoom(1 / 1.5, middle()), arrowright: () => go(1), arrowleft: () => go(-1),
      f: () => S.span && fit(S.span.start, S.span.length), 0: all, enter: () => { $("#operators").scrollIntoView(); } });
    $("#timeline-in").onclick = () => zoom(2, middle());
    $("#timeline-out").onclick = () => zoom(.5, middle());
    $("#timeline-fit").onclick = all;
    const bars = $("#latencies"), most = Math.max(...D.latencies);
    if (bars) {
      D.latencies.forEach((t, i) => {
        const k = D.runs.findIndex(r => r.i === i), b = document.createElement("button");
        b.type = "button";
        b.style.height = 100 * t / most + "%";
        b.className = k < 0 ? "" : "has";
        b.disabled = k < 0;
        b.title = say(W.inference, i + 1) + (i < D.warm ? " " + W.warm : "") + ": " + us(t / 10) + (k < 0 ? "" : ", " + D.runs[k].label);
        b.setAttribute("aria-label", b.title);
        if (k >= 0) {
          b.setAttribute("aria-pressed", k === 0);
          b.onclick = () => { run = k; now = spans(D.runs[k], false); sequence(); S.span = null; $$("#latencies .has").forEach(o => o.setAttribute("aria-pressed", o === b)); all(); };
        }
        bars.append(b);
      });
    }
    const view = { canvas: cv, draw, reveal(element) {
      const b = order.find(q => q.element === element);
      S.span = b || null;
      if (b) { into(b); }
    } };
    // What is drawn, for whoever wants to measure it: blocks with their pixels.
    cv.drawn = () => ({ scale: (width - G) / (x1 - x0), from: x0, left: G, blocks: hits.map(h => ({ x: h[0], width: h[2], length: h[4].length, start: h[4].start, element: h[4].element, after: h[4].after, shown: X(h[4].start) >= G && X(h[4].start + h[4].length) <= width })) });
    views.push(view);
  }

  // ---- map of the program ----
  function program() {
    const cv = $("#program-canvas");
    if (!cv) { return; }
    const LANE = { h: [18, 20], p: [42, 8], n: [54, 20] }, MOST = 460, longest = Math.max(1e-9, ...E.map(time));
    const open = new Set(), stand = new Int32Array(E.length);
    const users = new Map(), sources = new Map();
    for (let i = 0; i < D.edges.length; i += 2) {
      const [to, from] = [D.edges[i], D.edges[i + 1]];
      (sources.get(to) || sources.set(to, []).get(to)).push(from);
      (users.get(from) || users.set(from, []).get(from)).push(to);
    }
    let ox = 0, oy = 0, k = 1, lay = null, width = 0, H = MOST, HEAD = 18, ROW = 94, LW = 0;
    const size = q => 6 + 62 * Math.sqrt(time(E[q]) / longest) + (time(E[q]) > 200 ? 4 : 0);
    const sum = (a, b) => { let s = 0; for (let q = a; q < b; q++) { s += time(E[q]); } return s; };
    function layout() {
      const right = LW - 10, box = [], block = [], pos = new Array(E.length);
      let x = 8, y = 6;
      D.groups.forEach(([i, p, r], gi) => {
        const fold = r > 1 && !open.has(gi), n = fold ? p : p * r;
        for (let j = 0; j < n; j++) {
          const [name, a, b] = D.blocks[i + j];
          let len = 0;
          for (let q = a; q < b; q++) { len += size(q) + 2; }
          if (x > 8 && x + Math.min(len, right * .5) + 14 > right) { x = 8; y += ROW; }
          const parts = [[x, y]];
          x += 7;
          for (let q = a; q < b; q++) {
            const w = size(q);
            if (x + w + 8 > right) { parts[parts.length - 1].push(right); x = 8; y += ROW; parts.push([x, y]); x += 7; }
            const [dy, h] = LANE[E[q].kind];
            pos[q] = { x, y: y + dy - 18 + HEAD, w, h, q };
            box.push(pos[q]);
            stand[q] = q;
            x += w + 2;
          }
          parts[parts.length - 1].push(x + 5);
          x += 12;
          block.push({ name, parts, gi, r, fold, t: sum(a, b) });
          if (fold) { for (let c = 1; c < r; c++) { const a2 = D.blocks[i + c * p + j][1]; for (let q = a; q < b; q++) { stand[a2 + q - a] = q; } } }
        }
      });
      lay = { box, block, pos, h: y + ROW };
    }
    function fit() { // the widest rows at which the whole program is in view
      for (const f of [1, .85, .72, .6, .5, .42, .36]) { k = f; LW = width / f; HEAD = 17 / f; ROW = HEAD + 70; layout(); if (lay.h * f <= MOST || width / f > 2600) { break; } }
      ox = oy = 0;
    }
    const clamp = () => { k = Math.max(.15, Math.min(8, k)); ox = Math.min(40, Math.max(ox, Math.min(0, width - 10 - LW * k))); oy = Math.min(20, Math.max(oy, Math.min(0, H - 20 - lay.h * k))); };
    const rep = q => q < 0 ? -1 : lay.pos[q] ? q : stand[q];
    function drawBlocks(g, vy0, vy1) {
      for (const b of lay.block) {
        for (const [i, [sx, y, ex]] of b.parts.entries()) {
          if (y < vy0 || y > vy1) { continue; }
          if (b.fold) { g.fillStyle = C.bg; g.strokeStyle = C.mut; g.lineWidth = 1; g.strokeRect(sx + 4, y + 4, ex - sx, ROW - 11); g.fillRect(sx, y, ex - sx, ROW - 10); }
          g.fillStyle = C.soft;
          g.fillRect(sx, y, ex - sx, ROW - 10);
          g.strokeStyle = b.fold ? C.mut : C.line;
          g.lineWidth = 1;
          g.strokeRect(sx + .5, y + .5, ex - sx - 1, ROW - 11);
          if (i) { continue; }
          g.save();
          g.beginPath(); g.rect(sx, y, ex - sx, HEAD); g.clip();
          const px = 11 / Math.min(1, k) * Math.min(1, HEAD * Math.min(1, k) / 17), fold = b.r > 1 ? (b.fold ? "▸" : "▾") + "×" + b.r + " " : "";
          g.font = `600 ${px}px system-ui,sans-serif`;
          g.textAlign = "left";
          g.fillStyle = C.acc;
          g.fillText(fold, sx + 5, y + HEAD / 2);
          const fw = g.measureText(fold).width, room = ex - sx - 9 - fw, name = fitted(g, b.name, room), nw = g.measureText(name + " ").width;
          g.fillStyle = C.fg;
          g.fillText(name, sx + 5 + fw, y + HEAD / 2);
          g.fillStyle = C.mut;
          g.font = px + "px system-ui,sans-serif";
          if (g.measureText(us(b.t)).width + nw < room) { g.fillText(us(b.t), sx + 9 + fw + nw, y + HEAD / 2); }
          g.restore();
        }
      }
    }
    function drawBoxes(g, vy0, vy1, sel, set) {
      g.textAlign = "center";
      for (const b of lay.box) {
        if (b.y < vy0 || b.y > vy1) { continue; }
        const e = E[b.q], on = b.q === sel, lit = set && set.has(b.q);
        g.globalAlpha = set && !lit && !on ? .28 : 1;
        g.fillStyle = C.bg;
        g.fillRect(b.x, b.y, b.w, b.h);
        g.fillStyle = C.fill[e.kind];
        g.fillRect(b.x, b.y, b.w, b.h);
        if (lit || on) { g.globalAlpha = 1; g.strokeStyle = C.sel; g.lineWidth = (on ? 3.5 : 2) / Math.max(1, k * .7); g.strokeRect(b.x, b.y, b.w, b.h); }
        if (b.h > 10 && b.w * k > 30) {
          g.font = 9 / Math.max(1, k * .75) + "px system-ui,sans-serif";
          const tw = g.measureText(e.op).width;
          if (tw + 4 < b.w) { g.fillStyle = C.bg; g.fillRect(b.x + b.w / 2 - tw / 2 - 2, b.y + 4, tw + 4, b.h - 8); g.fillStyle = C.fg; g.fillText(e.op, b.x + b.w / 2, b.y + b.h / 2 + .5); }
        }
      }
      g.globalAlpha = 1;
    }
    function drawEdges(g, sel) {
      const c = lay.pos[sel];
      if (!c) { return; }
      g.strokeStyle = C.sel;
      g.lineWidth = 1.6;
      for (const o of [...sources.get(S.element) || [], ...users.get(S.element) || []]) {
        const q = lay.pos[rep(o)];
        if (!q || q === c) { continue; }
        g.beginPath();
        g.moveTo(c.x + c.w / 2, c.y + c.h / 2);
        g.quadraticCurveTo((c.x + q.x) / 2, Math.max(c.y, q.y) + 40, q.x + q.w / 2, q.y + q.h / 2);
        g.stroke();
      }
    }
    function draw() {
      const w = cv.parentElement.clientWidth;
      if (w !== width) { width = w; fit(); } else if (!lay) { layout(); }
      H = Math.min(MOST, Math.max(180, lay.h * k + 12));
      const [g] = surface(cv, H);
      clamp();
      g.save();
      g.translate(ox, oy);
      g.scale(k, k);
      const vy0 = -oy / k - ROW, vy1 = (H - oy) / k, sel = rep(S.element);
      const set = S.advice ? new Set([...touched.get(S.advice)].map(rep)) : S.set ? new Set([...S.set].map(rep)) : null;
      drawBlocks(g, vy0, vy1);
      g.strokeStyle = C.mut;
      g.lineWidth = 1;
      g.beginPath();
      let pv = null;
      for (const b of lay.box) {
        if (b.y > vy0 && b.y < vy1 && pv && Math.abs(pv.y - LANE[E[pv.q].kind][0] - b.y + LANE[E[b.q].kind][0]) < 1) { g.moveTo(pv.x + pv.w / 2, pv.y + pv.h / 2); g.lineTo(b.x + b.w / 2, b.y + b.h / 2); }
        pv = b;
      }
      g.stroke();
      drawBoxes(g, vy0, vy1, sel, set);
      if (sel >= 0) { drawEdges(g, sel); }
      g.restore();
      if (lay.h * k > H) { const t = H / (lay.h * k); g.fillStyle = C.line; g.fillRect(width - 5, 0, 3, H); g.fillStyle = C.acc; g.fillRect(width - 6, -oy / (lay.h * k) * H, 5, Math.max(12, t * H)); }
    }
    const pan = (dx, dy) => { ox += dx; oy += dy; clamp(); redraw(); };
    const zoom = (f, x, y) => { const n = Math.max(.15, Math.min(8, k * f)); ox = x - (x - ox) * n / k; oy = y - (y - oy) * n / k; k = n; clamp(); redraw(); };
    const boxAt = (x, y) => lay.box.find(b => x >= b.x - 1 && x <= b.x + b.w + 1 && y >= b.y - 1 && y <= b.y + b.h + 1);
    const foldAt = (x, y) => lay.block.find(b => b.r > 1 && y >= b.parts[0][1] && y < b.parts[0][1] + HEAD && x >= b.parts[0][0] && x <= b.parts[0][2]);
    const inside = (x, y) => [(x - ox) / k, (y - oy) / k];
    function tap(px, py) {
      const [x, y] = inside(px, py), b = boxAt(x, y), h = foldAt(x, y);
      if (b) { choose(b.q, view); return; }
      if (!h) { choose(-1, view); return; }
      if (open.has(h.gi)) { open.delete(h.gi); } else { open.add(h.gi); }
      lay = null;
      redraw();
    }
    const all = () => { fit(); redraw(); };
    gestures(cv, { pan, zoom, tap, hover: (px, py) => { const [x, y] = inside(px, py); cv.style.cursor = lay && (boxAt(x, y) || foldAt(x, y)) ? "pointer" : "grab"; } });
    const go = d => { const s = rep(S.element), i = lay.box.findIndex(b => b.q === s), b = lay.box[(i + d + lay.box.length) % lay.box.length]; choose(b.q, view, null, true); view.reveal(b.q); };
    const mid = f => () => zoom(f, width / 2, H / 2);
    keys(cv, { arrowright: () => go(1), arrowleft: () => go(-1), arrowdown: () => pan(0, -60), arrowup: () => pan(0, 60), "+": mid(1.4), "-": mid(1 / 1.4), w: mid(1.4), s: mid(1 / 1.4),
      a: () => pan(80, 0), d: () => pan(-80, 0), 0: all, enter: () => { $("#operators").scrollIntoView(); } });
    $("#program-in").onclick = mid(1.5);
    $("#program-out").onclick = mid(1 / 1.5);
    $("#program-fit").onclick = all;
    $("#program-all").onclick = e => {
      const every = open.size === 0;
      D.groups.forEach((g, i) => { if (g[2] > 1) { if (every) { open.add(i); } else { open.delete(i); } } });
      e.target.setAttribute("aria-pressed", every);
      e.target.textContent = every ? W.fold : W.unfold;
      lay = null;
      redraw();
    };
    const view = { canvas: cv, draw, reveal(element) {
      if (!lay) { return; }
      const b = lay.pos[rep(element)];
      if (!b) { return; }
      const sy = b.y * k + oy, sx = b.x * k + ox;
      if (sy < 20 || sy > H - 30) { oy = H / 2 - b.y * k; }
      if (sx < 0 || sx > width - 20) { ox = width / 2 - b.x * k; }
    } };
    cv.drawn = () => ({ scale: k, longest, boxes: lay.box.map(b => ({ element: b.q, width: b.w, time: time(E[b.q]), x: b.x * k + ox, y: b.y * k + oy, h: b.h * k, w: b.w * k })) });
    views.push(view);
  }

  // ---- operators: table, roofline, predicted against measured ----
  const tableBody = $("#operators-table tbody"), heads = $$("#operators-table th"), box = tableBody && tableBody.closest(".scroll");
  const KEY = ["name", "op", "where", "m", "p", "mac", "bytes", "limit", "advice"];
  let sorted = E.some(e => !isNaN(e.m)) ? 3 : 4, dir = -1, list = [], made = 0;
  function filter() {
    if (!tableBody) { return; }
    const q = $("#operators-filter").value.trim().toLowerCase(), k = +$("#operators-advice").value;
    const on = new Set($$(".operators-place").filter(c => c.checked).map(c => c.value));
    list = E.filter(e => on.has(e.kind) && (!q || (e.name + " " + e.op).toLowerCase().includes(q)) && (!k || e.advice.includes(k)) && (!S.set || S.set.has(e.i)));
    const f = KEY[sorted], v = e => f === "advice" ? e.advice[0] || NaN : e[f];
    list.sort((a, b) => {
      const x = v(a), y = v(b);
      if (typeof x === "string") { return dir * (x < y ? -1 : x > y ? 1 : 0) || a.i - b.i; }
      return (isNaN(x) ? 1 : 0) - (isNaN(y) ? 1 : 0) || dir * (x - y) || a.i - b.i;
    });
    const t = list.reduce((s, e) => s + time(e), 0);
    $("#operators-count").textContent = say(W.count, list.length, E.length, us(t), total ? (t / total * 1000).toFixed(1) : "–") + (S.set ? " · " + W.chosen : "");
    tableBody.textContent = "";
    made = 0;
    box.scrollTop = 0;
    more();
  }
  const fixed = (v, n) => isNaN(v) ? "" : v.toFixed(n);
  function more(upto) { // rows are made as one scrolls to them
    const end = Math.min(list.length, Math.max(made + 120, upto || 0));
    let h = "";
    for (; made < end; made++) {
      const e = list[made];
      h += `<tr class="${e.kind}${e.i === S.element ? " chosen" : ""}" data-i="${e.i}"><td>${esc(e.name) || esc(W.made)}<td>${esc(e.op)}<td>${esc(e.where)}<td>${fixed(e.m, 2)}` +
        `<td>${fixed(e.p, 2)}<td>${fixed(e.mac, 1)}<td>${fixed(e.bytes, 0)}<td>${esc(e.limit)}<td>${e.advice.join(" ")}`;
    }
    tableBody.insertAdjacentHTML("beforeend", h);
  }
  function arrows() { heads.forEach((h, i) => h.setAttribute("aria-sort", i !== sorted ? "none" : dir > 0 ? "ascending" : "descending")); }
  const rowOf = element => tableBody.querySelector(`[data-i="${element}"]`);
  const table = {
    draw() {
      const old = tableBody.querySelector(".chosen"), r = S.element >= 0 && rowOf(S.element);
      if (old) { old.classList.remove("chosen"); }
      if (r) { r.classList.add("chosen"); }
    },
    reveal(element) {
      const i = list.findIndex(e => e.i === element);
      if (i < 0) { return; }
      if (i >= made) { more(i + 40); }
      box.scrollTop = rowOf(element).offsetTop - box.clientHeight / 2;
    },
  };
  function operators() {
    if (!tableBody) { return; }
    box.addEventListener("scroll", () => { if (made < list.length && box.scrollTop + box.clientHeight * 2 > box.scrollHeight) { more(); } });
    heads.forEach((h, i) => {
      const b = document.createElement("button");
      b.type = "button";
      b.textContent = h.textContent.trim();
      h.replaceChildren(b);
      b.onclick = () => { dir = sorted === i ? -dir : i > 2 && i < 7 ? -1 : 1; sorted = i; arrows(); filter(); };
    });
    tableBody.addEventListener("click", e => { const r = e.target.closest("tr"); if (r) { choose(+r.dataset.i, table); } });
    $$("#operators-filter,.operators-place").forEach(x => x.addEventListener("input", filter));
        $("#operators-clear").onclick = () => { $("#operators-filter").value = ""; $$(".operators-place").forEach(c => { c.checked = true; }); address(""); follow(); };
    views.push(table);
  }
  function plot(id, points, X, Y, labels, extra) {
    const cv = $(id), HEIGHT = 260;
    if (!cv) { return; }
    cv.drawn = () => [];
    if (!points.length) { cv.closest("figure").hidden = true; return; }
    const range = f => { let a = Infinity, b = -Infinity; for (const e of points) { a = Math.min(a, f(e)); b = Math.max(b, f(e)); } return points.length ? [Math.log10(a) - .15, Math.log10(b) + .2] : [0, 1]; };
    let drag = null, sx, sy;
    const view = { canvas: cv, draw() {
      const [g, w] = surface(cv, HEIGHT), L = 56, B = 34, R = 12, T = 12;
      let [xa, xb] = range(X), [ya, yb] = range(Y);
      [xa, xb, ya, yb] = extra.range(xa, xb, ya, yb);
      sx = v => L + (Math.log10(v) - xa) / (xb - xa) * (w - L - R);
      sy = v => HEIGHT - B - (Math.log10(v) - ya) / (yb - ya) * (HEIGHT - B - T);
      g.lineWidth = 1;
      g.strokeStyle = C.line;
      g.fillStyle = C.mut;
      g.font = "11px system-ui,sans-serif";
      for (let d = Math.ceil(xa); d <= xb; d++) { const x = sx(10 ** d); g.beginPath(); g.moveTo(x, T); g.lineTo(x, HEIGHT - B); g.stroke(); g.textAlign = "center"; g.fillText(extra.x(d), Math.min(x, w - 2 - g.measureText(extra.x(d)).width / 2), HEIGHT - B + 10); }
      for (let d = Math.ceil(ya); d <= yb; d++) { const y = sy(10 ** d); g.beginPath(); g.moveTo(L, y); g.lineTo(w - R, y); g.stroke(); g.textAlign = "right"; g.fillText(extra.y(d), L - 5, y); }
      g.textAlign = "right";
      g.fillText(labels[0], w - R, HEIGHT - 9);
      g.textAlign = "left";
      g.fillText(labels[1], L + 4, T + 4);
      g.save();
      g.beginPath(); g.rect(L, T, w - L - R, HEIGHT - B - T); g.clip();
      extra.lines(g, sx, sy, xa, xb);
      for (const lit of [false, true]) {
        for (const e of points) {
          const on = e.i === S.element || S.set && S.set.has(e.i) || S.advice && touched.get(S.advice).has(e.i);
          if (!!on !== lit) { continue; }
          const x = sx(X(e)), y = sy(Y(e));
          g.globalAlpha = (S.set || S.advice) && !on ? .18 : .8;
          g.fillStyle = C[KIND[e.kind]];
          g.beginPath();
          if (e.kind === "h") { g.arc(x, y, 3.6, 0, 7); }
          else if (e.kind === "p") { g.moveTo(x, y - 4.6); g.lineTo(x + 4.6, y); g.lineTo(x, y + 4.6); g.lineTo(x - 4.6, y); g.closePath(); }
          else { g.rect(x - 3, y - 3, 6, 6); }
          g.fill();
          if (on) { g.strokeStyle = C.sel; g.lineWidth = e.i === S.element ? 3 : 1.5; g.stroke(); }
        }
      }
      g.globalAlpha = 1;
      g.restore();
      if (drag) { g.strokeStyle = C.sel; g.setLineDash([4, 3]); g.strokeRect(drag[0], drag[1], drag[2] - drag[0], drag[3] - drag[1]); g.setLineDash([]); }
    } };
    cv.addEventListener("pointerdown", e => { const [x, y] = at(cv, e); cv.setPointerCapture(e.pointerId); drag = [x, y, x, y]; });
    cv.addEventListener("pointermove", e => { if (drag) { [drag[2], drag[3]] = at(cv, e); redraw(); } });
    cv.addEventListener("pointercancel", () => { drag = null; redraw(); });
    cv.addEventListener("pointerup", () => {
      if (!drag) { return; }
      const [a, b, c, d] = drag;
      drag = null;
      if (Math.hypot(c - a, d - b) < 5) {
        let near = 14, hit = -1;
        for (const e of points) { const q = Math.hypot(sx(X(e)) - a, sy(Y(e)) - b); if (q < near) { near = q; hit = e.i; } }
        S.set = null;
        filter();
        choose(hit, view);
        return;
      }
      const between = (v, p, q) => v >= Math.min(p, q) && v <= Math.max(p, q);
      brush(points.filter(e => between(sx(X(e)), a, c) && between(sy(Y(e)), b, d)));
    });
    // A brush is the box of its points, in the address.
    brushes[id] = ([a, b, c, d]) => new Set(points.filter(e => X(e) >= a && X(e) <= b && Y(e) >= c && Y(e) <= d).map(e => e.i));
    function brush(list) {
      const ends = f => [list.reduce((m, e) => Math.min(m, f(e)), Infinity), list.reduce((m, e) => Math.max(m, f(e)), 0)];
      const element = S.element;
      address(list.length ? `${id}=${[...ends(X), ...ends(Y)]}` : "");
      follow();
      if (element >= 0) { show(element, view); }
    }
    // Shift and an arrow: all that lie as high as the chosen point or higher, or as low or lower.
    const beyond = side => { const c = E[S.element]; brush(points.includes(c) ? points.filter(e => side * (Y(e) - Y(c)) >= 0) : []); };
    cv.addEventListener("keydown", e => { if (e.shiftKey && /^Arrow(Up|Down)$/.test(e.key)) { e.preventDefault(); beyond(e.key === "ArrowUp" ? 1 : -1); } });
    keys(cv, { arrowright: () => step(1), arrowleft: () => step(-1) });
    const step = d => { const i = points.findIndex(e => e.i === S.element), n = points.length; choose(points[(i + d + n) % n].i, view, null, true); };
    cv.drawn = () => points.map(e => ({ element: e.i, x: sx(X(e)), y: sy(Y(e)) }));
    views.push(view);
  }
  function plots() {
    const SI = d => d >= 12 ? 10 ** (d - 12) + "T" : d >= 9 ? 10 ** (d - 9) + "G" : d >= 6 ? 10 ** (d - 6) + "M" : d >= 3 ? 10 ** (d - 3) + "k" : "" + +(10 ** d).toPrecision(1);
    const onRoof = E.filter(e => e.kind === "n" && e.mac > 0 && time(e) > 0 && e.bytes > 0), above = onRoof.filter(e => e.mac * 1e12 / time(e) > 1.02 * D.dram * e.mac * 1e3 / e.bytes);
    if (D.dram && above.length && $("#roofline")) { $("#roofline").insertAdjacentHTML("afterend", `<small>${esc(say(W.above, above.length, onRoof.length))}</small>`); }
    const ridge = D.peak / D.dram, short = d => us(10 ** d).replace(/(\.\d*?)0+(?=\D)/, "$1").replace(/\.(?=\D)/, "");
    plot("#roofline", onRoof, e => e.mac * 1e3 / e.bytes, e => e.mac * 1e12 / time(e), ["MAC / byte", "MAC/s"], {
      x: SI, y: SI,
      range: (a, b, c, d) => D.peak && D.dram ? [Math.min(a, Math.log10(ridge) - .5), Math.max(b, Math.log10(ridge) + .5), Math.min(c, Math.log10(D.peak) - 1), Math.max(d, Math.log10(D.peak) + .25)] : [a, b, c, c + 3],
      lines(g, sx, sy, xa, xb) {
        if (!D.peak || !D.dram) { return; }
        g.strokeStyle = C.fg;
        g.lineWidth = 1.5;
        g.beginPath(); g.moveTo(sx(10 ** xa), sy(D.dram * 10 ** xa)); g.lineTo(sx(ridge), sy(D.peak)); g.lineTo(sx(10 ** xb), sy(D.peak)); g.stroke();
        g.fillStyle = C.mut;
        g.textAlign = "right";
        const half = 10 ** ((xa + Math.log10(ridge)) / 2);
        g.fillText(`${W.limits.dram} ${(D.dram / 1e9).toFixed(0)} GB/s`, sx(half) - 8, sy(D.dram * half) - 6);
        g.fillText(W.peak, sx(10 ** xb) - 4, sy(D.peak) - 7);
      } });
    plot("#scatter", E.filter(e => e.m > 0 && e.p > 0), e => e.p, e => e.m, [W.predicted, W.measured], {
      x: short, y: short, range: (a, b, c, d) => [Math.min(a, c), Math.max(b, d), Math.min(a, c), Math.max(b, d)],
      lines(g, sx, sy, xa, xb) {
        g.strokeStyle = C.mut;
        for (const [f, dash] of [[1, []], [2, [3, 4]], [.5, [3, 4]]]) { g.setLineDash(dash); g.beginPath(); g.moveTo(sx(10 ** xa), sy(f * 10 ** xa)); g.lineTo(sx(10 ** xb), sy(f * 10 ** xb)); g.stroke(); }
        g.setLineDash([]);
      } });
  }

  // ---- every other figure, by its name in the result ----
  const MOST_FIGURES = 4000, OBJECTIVE = R.objective === "throughput" ? "per_s" : "ns", PARTS = ["prediction", "measured", "now", "breakdown", "ceiling", "cpu_alone_ns", "machine", "coverage", "searched", "rate", "plans", "front", "curves", "options", "setup", "traces", "cause", "gate",
    "latency_limit_ns", "compiled", "timeline"];
  // The unit of what is below a name: that of the name, or of what it compares.
  const unitOf = (key, value, above) => /_ns$|_us$|per_s$|bytes$|_hz$|mhz$|_kb$|_kib$|share$|busy$|utilisation$|sensitivity$|fps$|^cv$/.test(key) ? key
    : /^(saves|gain|predicted)$/.test(key) ? above || OBJECTIVE : value?.unit === "per_s" ? "per_s" : value?.unit === "ns" ? "ns" : /^(latency|throughput)$/.test(value?.metric) ? { latency: "ns", throughput: "per_s" }[value.metric] : /^(ns|samples|stages)$/.test(key) ? "ns" : above;
  function walk(value, path, unit, out) {
    if (typeof value === "number") { out.push([path, figure(unit || "count", value)]); return; }
    if (typeof value === "string") { if (/(text|fix|reason)$/.test(path)) { out.push([path, value]); } return; }
    if (!value || typeof value !== "object") { return; }
    if (Array.isArray(value) && value.every(x => typeof x === "number")) { if (value.length) { out.push([path, value.map(x => figure(unit || "count", x)).join(", ")]); } return; }
    for (const [k, v] of Object.entries(value)) {
      const counts = /^(n|id|count|inferences|index|batch|workers|devices|layers)$|_omitted$/.test(k) || /^(steps|operators|removes|changes)$/.test(k) && !(typeof v[0] === "object");
      walk(v, Array.isArray(value) ? `${path}[${k}]` : path ? path + "." + k : k, counts ? "" : unitOf(k, v, unit), out);
    }
  }
  // The rows are made when a reader opens them.
  function figuresOf(value, unit) {
    const box = document.createElement("details"), rows = [];
    box.innerHTML = `<summary>${esc(W.figures)}</summary>`;
    box.addEventListener("toggle", () => {
      if (box.childElementCount > 1) { return; }
      walk(value, "", unit, rows);
      box.insertAdjacentHTML("beforeend", `<div class="scroll named" tabindex="0"><table>${rows.slice(0, MOST_FIGURES).map(r => `<tr><th scope="row"><code>${esc(r[0])}</code><td>${esc(r[1])}`).join("")}</table></div>`);
    });
    return box;
  }
  function figures() {
    const main = Object.fromEntries(PARTS.filter(k => R[k]).map(k => [k, R[k]]));
    main.steps = Object.fromEntries(R.steps.filter(x => R.compiled || x.kind === "npu").map(x => [x.id, x]));
    main.values = Object.fromEntries(R.values.map(v => [v.id, { bytes: v.bytes }]));
    if (R.compiled) {
      $("#download-operators").hidden = true;
    }
    for (const f of [...R.changes, ...R.by_hand, ...R.observations, ...R.suppressed]) {
      const place = document.getElementById(f.fingerprint);
      if (place) { (place.tagName === "TR" ? place.lastElementChild : place).append(figuresOf({ alone: f.alone, occurrences: f.occurrences, cost_ns: f.cost_ns }, OBJECTIVE)); }
    }
    $("#environment").append(figuresOf(main, ""));
  }

  // ---- the rest: advice, search, downloads ----
  function adviceLists() {
    ["#timeline-advice", "#program-advice", "#operators-advice"].forEach(s => {
      const select = $(s);
      if (!select) { return; }
      D.advice.forEach(a => { const o = new Option(a.n + "  " + a.t, a.n); o.disabled = !a.e.length; select.append(o); });
      select.onchange = e => chooseAdvice(e.target.value);
    });
    document.addEventListener("click", e => {
      const b = e.target.closest("[data-show]");
      if (b) { chooseAdvice(b.dataset.show); $("#timeline").scrollIntoView(); }
    });
  }
  function search() {
    let found = [], i = -1;
    const find = $("#find");
    if (!find) { return; }
    find.addEventListener("input", () => { const q = find.value.trim().toLowerCase(); found = q ? E.filter(e => (e.name + " " + e.op).toLowerCase().includes(q)).sort((a, b) => time(b) - time(a)) : []; i = -1; });
    find.addEventListener("keydown", e => {
      if (e.key !== "Enter" || !found.length) { return; }
      i = (i + (e.shiftKey ? -1 : 1) + found.length) % found.length;
      choose(found[i].i, null, null, true);
      $("#program-detail").insertAdjacentHTML("afterbegin", `<b>${esc(say(W.found, i + 1, found.length))}</b><br>`);
      $("#program").scrollIntoView();
    });
    document.addEventListener("keydown", e => { if (e.key === "/" && !/INPUT|SELECT|TEXTAREA/.test(e.target.tagName)) { e.preventDefault(); find.focus(); } });
  }
  function save(name, data, type) {
    const a = document.createElement("a");
    a.href = URL.createObjectURL(new Blob([data], { type }));
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1e3);
  }
  const cellOf = c => { c = String(c ?? ""); if (/^[=+\-@\t\r]/.test(c) && isNaN(c)) { c = "'" + c; } return /[",\r\n]/.test(c) ? "\"" + c.replace(/"/g, "\"\"") + "\"" : c; };
  const csv = rows => rows.map(r => r.map(cellOf).join(",")).join("\r\n") + "\r\n";
  const known = v => isNaN(v) || v < 0 ? "" : v;
  const rulesOf = e => [...new Set(D.advice.filter(a => e.advice.includes(a.n)).map(a => a.rule))].join(" ");
  function downloads() {
    $("#download-result").onclick = async () => save("result.json", await unpack("#result").blob(), "application/json");
    $("#download-operators").onclick = () => save("operators.csv", csv([
      ["step", "node", "type", "where", "measured_us", "predicted_us", "predicted_lo_us", "predicted_hi_us", "mmac", "kbytes", "limited_by", "changes", "rules"],
      ...E.map(e => [e.step, e.name, e.op, e.where, known(e.m), known(e.p), known(e.lo), known(e.hi), known(e.mac), known(e.bytes), e.limit, e.advice.join(" "), rulesOf(e)])]), "text/csv");
    const unit = R.objective === "throughput" ? "per_s" : "ns", most = w => w.up_to.unit === unit ? w.up_to.value : "";
    $("#download-advice").onclick = () => save("changes.csv", csv([
      ["plan", "route", "change", "rule", "title", "saves_" + unit, "saves_lo_" + unit, "saves_hi_" + unit, "source", "needs", "set_in", "steps", "fingerprint"],
      ...R.plans.flatMap(p => p.changes.map(x => [p, x, R.changes.find(c => c.id === x.id)])).map(([p, x, c]) => [p.id, p.route, x.id, c.rule_id, c.title,
        x.saves?.mid, x.saves?.lo, x.saves?.hi, x.source, c.needs.join(" "), c.fix.where, x.steps.join(" "), c.fingerprint]),
      ...R.by_hand.map(w => ["", "by_hand", w.id, w.rule_id, w.title, most(w), most(w) && 0, most(w), "bound", w.needs.join(" "), w.fix.where, w.steps.join(" "),
        w.fingerprint])]), "text/csv");
  }

  if (D.runs.length) { timeline(); }
  if (E.length) { program(); operators(); plots(); }
  figures();
  adviceLists();
  search();
  downloads();
  ink();
  arrows();
  filter();
  views.forEach(v => { v.stale = true; if (v.canvas) { onScreen.observe(v.canvas); } v.draw(); });
  follow();
  matchMedia("(prefers-color-scheme:dark)").addEventListener("change", () => { ink(); redraw(); });
  addEventListener("resize", redraw);
})();
