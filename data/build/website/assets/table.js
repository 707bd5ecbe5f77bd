// Which runs of many a table shows, and in which order: filter, search, sample, sort, tick.
// It does what widgets/explorer.py does, on rows that are all here.

import { drawn } from "./chance.js";

const WINDOW = 100, LIST = ["flag", "label"];

export class Table {
  // found: rows.json; texts(): the lines of the set, for a search
  constructor(found, texts) {
    [this.found, this.texts, this.rows] = [found, texts, found.rows];
    this.at = Object.fromEntries(found.columns.map((name, i) => [name, i]));
    this.ticked = new Set(); // numbers
    [this.start, this.changes, this.orders, this.said, this.open] = [0, 0, 0, "", false];
    this.clear();
  }
  clear() { this.query = { only: {}, text: "", sample: null, by: "number", down: false }; this.hits = null; this.ask(); }
  ask(more = {}) {
    Object.assign(this.query, more);
    this.order = this.chosen();
    [this.start, this.said] = [0, ""];
    this.orders += 1;
  }

  // -------------------------------------------------------------------- which runs, in which order
  value(row, name) { return row[this.at[name]]; }
  fits(row, facet, value) {
    const found = this.value(row, facet);
    if (!LIST.includes(facet)) return found === value;
    return found.length ? found.includes(value) : value === `no ${facet}`;
  }
  chosen() {
    const { only, sample, by, down } = this.query, keys = new Map();
    let places = [...this.rows.keys()].filter((place) => {
      const row = this.rows[place];
      return (!this.hits || this.hits.has(row[0])) && Object.entries(only).every(([facet, value]) => this.fits(row, facet, value));
    });
    if (sample) places = drawn(places, ...sample);
    for (const place of places) keys.set(place, this.key(this.rows[place]));
    const sign = down ? -1 : 1;
    return places.sort((a, b) => {
      const [none_a, told_a] = keys.get(a), [none_b, told_b] = keys.get(b);
      if (none_a !== none_b) return none_a ? 1 : -1; // what is unknown stands last, either way
      if (told_a !== told_b) return told_a < told_b ? -sign : sign;
      return this.rows[a][0] - this.rows[b][0]; // of equals, the first stays the first
    });
  }
  key(row) {
    const value = this.value(row, this.query.by), told = Array.isArray(value) ? value.join(" ") : value;
    const none = told === null || told === "";
    return [none, none ? "" : typeof told === "string" ? told.toLowerCase() : told];
  }
  async search(text) {
    this.hits = text ? await this.holding(text.toLowerCase()) : null;
    this.ask({ text });
  }
  // In the question, a step or the answer.
  async holding(wanted) {
    const hits = new Set();
    (await this.texts()).forEach((line, i) => {
      const run = JSON.parse(line), said = [run.task?.text, run.answer];
      for (const step of run.steps ?? []) said.push(step.thought, step.action, step.observation);
      if (said.some((part) => typeof part === "string" && part.toLowerCase().includes(wanted))) hits.add(i + 1);
    });
    return hits;
  }

  // -------------------------------------------------------------------- ticks
  tick(numbers, on = true) {
    for (const number of numbers) {
      this.ticked.delete(number);
      if (on) this.ticked.add(number);
    }
    this.changes += 1;
    this.said = "";
  }
  shown() { return this.order.map((place) => this.rows[place][0]); }
  selection() { return this.ticked.size ? [...this.ticked] : this.shown(); }

  // -------------------------------------------------------------------- what the table's face is told
  still() {
    const menus = Object.fromEntries(Object.entries(this.found.menus).map(([name, values]) => [name, values.map(([value, n]) => `${value.slice(0, 60)} (${n.toLocaleString("en")})`)]));
    return { static: true, of: this.rows.length, lost: this.found.lost, menus, columns: this.found.columns, path: "", by: "", patience: 60_000 };
  }
  view(ack) {
    const start = Math.max(0, Math.min(this.start, this.order.length - WINDOW)), { only, text, sample, by, down } = this.query;
    const shown = this.order.slice(start, start + WINDOW).map((place) => this.rows[place]);
    const cell = (value) => (Array.isArray(value) ? value.join(", ") : value ?? "");
    const menu = Object.entries(only).map(([facet, value]) => [facet, this.found.menus[facet].findIndex(([one]) => one === value)]);
    return {
      ack, said: this.said, order: this.orders, changes: this.changes, start, count: this.order.length, ticked: this.ticked.size,
      rows: shown.map((row) => [this.ticked.has(row[0]), ...row.map(cell)]), only: Object.fromEntries(menu), text, sample, by, down, open: this.open,
    };
  }
}
