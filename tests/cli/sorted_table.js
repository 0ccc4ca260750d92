// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs the script of a page of `sinew compare` in a document with one table of two columns, made of the few properties that it reads, and
// clicks the second head twice, then the first. Standard input: the script, and rows of [text, data-* of the second cell]. Standard output: for
// each click the aria-sort of the heads, and the first cells in the order of the rows.
"use strict";

const {script, rows} = JSON.parse(require("fs").readFileSync(0, "utf8"));

class Head {
  constructor() {
    this.attributes = {};
    this.button = {addEventListener: (_event, listener) => (this.button.click = listener)};
  }
  querySelector() { return this.button; }
  getAttribute(name) { return this.attributes[name] ?? null; }
  setAttribute(name, value) { this.attributes[name] = value; }
  removeAttribute(name) { delete this.attributes[name]; }
}

const heads = [new Head(), new Head()];
const body = {
  rows: rows.map(([text, data]) => ({cells: [{dataset: {}, textContent: text}, {dataset: data, textContent: ""}]})),
  append(row) { this.rows = this.rows.filter((other) => other !== row).concat(row); },
};
const table = {tBodies: [body], querySelectorAll: () => heads};
globalThis.document = {querySelectorAll: (selector) => (selector === "table.sortable" ? [table] : [])};
(0, eval)(script);

console.log(JSON.stringify([1, 1, 0].map((column) => {
  heads[column].button.click();
  return {sort: heads.map((head) => head.getAttribute("aria-sort")), rows: body.rows.map((row) => row.cells[0].textContent)};
})));
