// Gathers what a reader of a page sees: the text of each section, of each operator's details and of what is drawn.
//
// shown.py puts it into a copy of a page, before the page's own scripts; the text is left in an element "seen" as JSON.
"use strict";
const drawnTexts = new Set(), fillText = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
  drawnTexts.add(String(text));
  return fillText.call(this, text, ...place);
};
// The text below an element, and its tooltips; what a script or a style says is not read.
function textOf(root) {
  const parts = [], walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, {
    acceptNode: n => /^(script|style|noscript|template)$/i.test(n.nodeName) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT });
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    parts.push(n.nodeType === 3 ? n.nodeValue : n.title || "");
  }
  return parts.filter(Boolean).join(" ");
}
async function detailsOf(count) {
  const details = [];
  for (let i = 0; i < count; i++) {
    const moved = new Promise(done => addEventListener("hashchange", done, { once: true }));
    await new Promise(done => setTimeout(done, 60)); // a browser follows 200 addresses in 10 s
    location.hash = "#e" + i;
    await moved;
    const row = document.querySelector(`#operators-table [data-i="${i}"]`);
    details.push(textOf(document.querySelector("#program-detail")) + " " + (row ? textOf(row) : ""));
  }
  return details;
}
// Each block of the timeline, one after the other, as the arrow keys choose it.
function spansOf(count) {
  const spans = [], canvas = document.querySelector("#timeline-canvas");
  for (let i = 0; canvas && i < count; i++) {
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    spans.push(textOf(document.querySelector("#timeline-detail")));
  }
  return spans;
}
addEventListener("load", async () => {
  await new Promise(done => setTimeout(done, 500));
  document.querySelectorAll("details").forEach(d => { d.open = true; });
  await new Promise(done => setTimeout(done, 500));
  const { elements, blocks } = document.documentElement.dataset, parts = {};
  document.querySelectorAll("details.advice, tr[id]").forEach(d => { parts[d.id] = textOf(d); });
  const named = Object.fromEntries([...document.querySelectorAll("#environment .named tr")].map(r => [...r.cells].map(textOf)));
  const seen = { named, parts, all: textOf(document.body), elements: await detailsOf(+elements), spans: spansOf(+blocks) };
  seen.drawn = [...drawnTexts].join(" \n ");
  document.body.append(Object.assign(document.createElement("pre"), { id: "seen", textContent: JSON.stringify(seen) }));
  document.title = "seen";
});
