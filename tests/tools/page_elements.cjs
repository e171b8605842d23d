#!/usr/bin/env node
// page_elements.cjs PAGE…: does the script of each page make of its result the elements that the rows for a browser without scripts show?
// Runs the part of the page's own script that makes them, and compares every cell.  Prints one line per difference.
'use strict';
const fs = require('fs'), zlib = require('zlib');

const entity = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };
const plain = s => s.replace(/&(lt|gt|quot|amp|#39);/g, (m, k) => entity[k]);

function rowsOf(page) {
  const from = page.indexOf('<noscript><div'), part = from < 0 ? '' : page.slice(from, page.indexOf('</noscript>', from));
  return part.split('<tr class=').slice(1).map(row => [row[1], ...row.replace(/<\/tbody>[^]*/, '').split('<td>').slice(1).map(t => plain(t.trim()))]);
}

function drawnBy(page) {
  const packed = id => zlib.gunzipSync(Buffer.from(new RegExp(`<div id="${id}"[^>]*>([^<]*)`).exec(page)[1], 'base64')).toString();
  const P = JSON.parse(packed('data')), script = packed('workbench'), from = script.indexOf('function drawn()'), to = script.indexOf('const D = drawn()');
  return new Function('P', 'R', 'W', script.slice(from, to) + 'return drawn();')(P, JSON.parse(packed('result')), P.words);
}

// A half may be rounded either way.
const isNumber = (text, value, places) => isNaN(value) ? text === '' : text !== '' && Math.abs(+text - value) <= 0.51 * 10 ** -places;

function problems(page) {
  const elements = drawnBy(page).E, rows = rowsOf(page), time = e => isNaN(e.m) ? e.p || 0 : e.m;
  if (rows.length !== elements.length) return [`${rows.length} rows for ${elements.length} elements`];
  return [...elements].sort((a, b) => time(b) - time(a) || a.i - b.i).flatMap((e, k) => {
    const [kind, name, op, where, m, p, mac, bytes, limit, advice] = rows[k];
    const same = kind === e.kind && name === e.name && op === e.op && where === e.where && limit === e.limit && advice === e.advice.join(' ') &&
      isNumber(m, e.m, 2) && isNumber(p, e.p, 2) && isNumber(mac, e.mac, 1) && isNumber(bytes, e.bytes, 0);
    return same ? [] : [`row ${k}: ${rows[k].join(' | ')}; the script: ${JSON.stringify(e)}`];
  });
}

for (const file of process.argv.slice(2)) problems(fs.readFileSync(file, 'utf8')).slice(0, 5).forEach(p => console.log(`${file}: ${p}`));
