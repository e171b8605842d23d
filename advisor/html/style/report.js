"use strict";
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
  function sort(table, head, column) {
    var up = head.getAttribute("aria-sort") === "descending";
    var body = table.tBodies[0], rows = Array.prototype.map.call(body.rows, function (row, i) {
      return { row: row, key: key(row, column), order: i };
    });
    rows.sort(function (a, b) {
      return (up ? 1 : -1) * compare(a.key, b.key) || a.order - b.order;
    });
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (c) {
      c.removeAttribute("aria-sort");
    });
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    rows.forEach(function (r) { body.appendChild(r.row); });
  }
  each("table.sortable", function (table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
      var name = head.textContent, b = button(name, function () { sort(table, head, column); });
      b.title = words.sort + " " + name;
      head.textContent = "";
      head.appendChild(b);
    });
    var label = document.createElement("label"), input = document.createElement("input");
    label.className = "filter";
    label.textContent = words.filter;
    input.type = "search";
    input.setAttribute("aria-label", words.filter + ": " + table.caption.textContent);
    input.addEventListener("input", function () {
      var wanted = input.value.toLowerCase();
      Array.prototype.forEach.call(table.tBodies[0].rows, function (row) {
        row.hidden = row.textContent.toLowerCase().indexOf(wanted) < 0;
      });
    });
    label.appendChild(input);
    table.parentElement.before(label);
  });
  var links = document.querySelectorAll(".top nav a");
  var seen = new IntersectionObserver(function (entries) {
    entries.forEach(function (e) {
      if (!e.isIntersecting) { return; }
      Array.prototype.forEach.call(links, function (a) {
        var on = a.hash === "#" + e.target.id;
        a.classList.toggle("current", on);
        if (on) { a.setAttribute("aria-current", "location"); } else { a.removeAttribute("aria-current"); }
      });
    });
  }, { rootMargin: "-20% 0px -70% 0px" });
  each("main>section", function (s) { seen.observe(s); });
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
})();
