"use strict";
// What an element holds as gzip in base64.
function unpack(id) {
  var bytes = Uint8Array.from(atob(document.querySelector(id).textContent), function (c) { return c.charCodeAt(0); });
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}
(function () {
  var words = document.body.dataset;
  document.documentElement.classList.add("on");
  function each(selector, visit) {
    Array.prototype.forEach.call(document.querySelectorAll(selector), visit);
  }
  function button(text, act) {
    var b = document.createElement("button");
    b.type = "button";
    b.textContent = text;
    b.addEventListener("click", act);
    return b;
  }
  function copyByHand(code) {
    var range = document.createRange();
    range.selectNodeContents(code);
    var selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    return document.execCommand("copy");
  }
  each("pre.fix:not(.prose)", function (pre) {
    var code = pre.querySelector("code");
    var b = button(words.copy, function () {
      function done() { b.textContent = words.copied; }
      if (navigator.clipboard) {
        navigator.clipboard.writeText(code.textContent).then(done, function () {
          if (copyByHand(code)) { done(); }
        });
      } else if (copyByHand(code)) {
        done();
      }
    });
    b.setAttribute("aria-live", "polite");
    pre.after(b);
  });
  function key(row, column) {
    var cell = row.cells[column], data = cell.querySelector("data");
    if (data) { return Number(data.value); }
    var text = cell.textContent, number = parseFloat(text);
    return String(number) === text ? number : text;
  }
  function compare(a, b) {
    if (typeof a === typeof b) { return a < b ? -1 : a > b ? 1 : 0; }
    return typeof a === "number" ? -1 : 1;
  }
  function list(rows) { return Array.prototype.slice.call(rows); }
  /* All rows of a table, those of its template included, of which so many are drawn at a time. */
  function rowsOf(table) {
    var body = table.tBodies[0], rest = table.querySelector("template");
    var all = list(body.rows), most = rest ? all.length : Infinity, next = all.length;
    if (rest) { all = all.concat(list(rest.content.children)); }
    function more(most) {
      var part = document.createDocumentFragment();
      for (; next < all.length && most > 0; next++) {
        if (!all[next].hidden) {
          part.appendChild(all[next]);
          most--;
        }
      }
      body.appendChild(part);
    }
    if (rest) {
      var end = document.createElement("p");
      table.setAttribute("aria-rowcount", all.length + 1);
      table.parentElement.after(end);
      new IntersectionObserver(function (entries) {
        if (entries[entries.length - 1].isIntersecting) { more(most); }
      }, { rootMargin: "800px" }).observe(end);
      addEventListener("beforeprint", function () { more(Infinity); });
    }
    return {
      each: function (visit) { all.forEach(visit); },
      order: function (before) { all.sort(before); },
      draw: function () {
        body.textContent = "";
        next = 0;
        more(most);
      }
    };
  }
  function sort(table, rows, head, column) {
    var up = head.getAttribute("aria-sort") === "descending", keys = new Map(), i = 0;
    rows.each(function (row) { keys.set(row, { key: key(row, column), order: i++ }); });
    rows.order(function (a, b) {
      a = keys.get(a);
      b = keys.get(b);
      return (up ? 1 : -1) * compare(a.key, b.key) || a.order - b.order;
    });
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (c) {
      c.removeAttribute("aria-sort");
    });
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    rows.draw();
  }
  each("table.sortable", function (table) {
    var rows = rowsOf(table);
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
      var name = head.textContent, b = button(name, function () { sort(table, rows, head, column); });
      b.title = words.sort + " " + name;
      head.textContent = "";
      head.appendChild(b);
    });
    if (table.classList.contains("cards")) { // narrow: each cell says what it is
      rows.each(function (row) {
        Array.prototype.forEach.call(row.cells, function (cell, k) { cell.dataset.head = table.tHead.rows[0].cells[k].textContent; });
      });
    }
    if (table.tBodies[0].rows.length < 30) { return; }
    var label = document.createElement("label"), input = document.createElement("input");
    label.className = "filter";
    label.textContent = words.filter;
    input.type = "search";
    input.setAttribute("aria-label", words.filter + ": " + table.caption.textContent);
    input.addEventListener("input", function () {
      var wanted = input.value.toLowerCase();
      rows.each(function (row) { row.hidden = row.textContent.toLowerCase().indexOf(wanted) < 0; });
      rows.draw();
    });
    label.appendChild(input);
    table.parentElement.before(label);
  });
  /* The section that was asked for, as long as it begins in the upper third or the page cannot be scrolled so far; else
   * the last that begins there, at the end of the page the last. */
  var sections = list(document.querySelectorAll("main>section"));
  function current() {
    var top = function (s) { return s.getBoundingClientRect().top; }, root = document.documentElement;
    var end = scrollY > 0 && scrollY + innerHeight >= root.scrollHeight - 2, last = sections.length - 1;
    var asked = sections.filter(function (s) { return "#" + s.id === location.hash && top(s) >= 0 && top(s) < innerHeight; })[0];
    var begun = sections.filter(function (s, i) { return i === 0 || top(s) <= innerHeight * 0.3; });
    var here = asked && (end || root.scrollHeight <= innerHeight || top(asked) <= innerHeight * 0.3) ? asked : end ? sections[last] : sections[scrollY > 0 ? begun.length - 1 : 0];
    each(".top nav a", function (a) {
      var on = here && a.hash === "#" + here.id;
      a.classList.toggle("current", on);
      if (on) { a.setAttribute("aria-current", "location"); } else { a.removeAttribute("aria-current"); }
    });
  }
  addEventListener("scroll", current, { passive: true });
  addEventListener("resize", current);
  addEventListener("hashchange", current);
  addEventListener("beforeprint", function () {
    each("details:not(.downloads)", function (d) { d.open = true; });
  });
  function reveal() {
    var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var e = target; e; e = e.parentElement) {
      if (e.tagName === "DETAILS") { e.open = true; }
    }
    if (target) { target.scrollIntoView({ behavior: "instant" }); }
  }
  var marks = Array.prototype.slice.call(document.querySelectorAll("svg.front a"));
  function choose(moved) {
    var own = /^#point-/.test(location.hash);
    marks.forEach(function (a) {
      var on = own ? a.getAttribute("href") === location.hash : a.getAttribute("class") === "best";
      if (on) { a.setAttribute("aria-current", "true"); } else { a.removeAttribute("aria-current"); }
      if (on && own && moved && document.activeElement === document.body) { a.focus({ preventScroll: true }); }
    });
  }
  marks.forEach(function (a, i) {
    a.addEventListener("keydown", function (e) {
      var step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[e.key], next = marks[i + step];
      if (!next) { return; }
      e.preventDefault();
      location.hash = next.getAttribute("href");
      next.focus();
    });
  });
  addEventListener("hashchange", reveal);
  addEventListener("hashchange", choose);
  choose();
  reveal();
  current();
  // The workbench needs half of the bytes of a page, so it is packed; the policy knows its hash.
  if (document.querySelector("#workbench") && window.DecompressionStream) {
    unpack("#workbench").text().then(function (text) {
      var script = document.createElement("script");
      script.textContent = text;
      document.body.appendChild(script);
    });
  }
})();
