// Labelling without a kernel: what label/session.py and label/events.py do for a person who labels.
// A label is an event in a line of JSON; what stands is the replay of the lines. The lines are the
// file that `react_lab.label` reads.

const UNDOABLE = ["judge", "label", "step", "note", "defer"];
const PAUSE = 600_000, DAY = 86_400_000; // ms: who takes longer over a run has had a break

// Replays events: what stands about each run, and what can be undone.
class Ledger {
  constructor() { [this.entries, this.done, this.undone, this.told] = [[], [], [], null]; }
  add(entry) {
    this.entries.push(entry);
    this.told = null;
    const moved = (from, to) => { const at = from.indexOf(entry.of); if (at >= 0) to.push(...from.splice(at, 1)); };
    if (entry.event === "undo") moved(this.done, this.undone);
    else if (entry.event === "redo") moved(this.undone, this.done);
    else if (UNDOABLE.includes(entry.event)) { this.done.push(entry.seq); this.undone = []; }
  }
  get marks() { // the digest and id of a run -> what stands about it
    if (this.told) return this.told;
    const told = new Map(), done = new Set(this.done);
    for (const entry of this.entries) if (done.has(entry.seq)) told.set(tied(entry), after(told.get(tied(entry)), entry));
    return (this.told = told);
  }
  find(seq) { return this.entries.find((entry) => entry.seq === seq); }
  // Was gold shown for this run before? An undone judgement has been made all the same.
  seen(key) { return this.entries.some((entry) => ["judge", "label"].includes(entry.event) && tied(entry) === key); }
}

// A hidden character reads <U+200B>, as in react_lab.support.text.
function visible(text) {
  const lines = text.replace(/\r\n|[\x85\u2028\u2029]/g, "\n");
  return lines.replace(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\u{E0000}-\u{EFFFF}]/gu, (c) => `<U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`);
}

const tied = ({ id, digest }) => `${id} ${digest}`;

function after(mark, entry) {
  const now = { label: null, sound: null, step: null, note: "", deferred: false, ...mark, method: entry.method, ms: (mark?.ms ?? 0) + (entry.ms ?? 0) };
  if (entry.event === "label" || entry.event === "defer") now.deferred = entry.event === "defer";
  if (entry.event === "judge") now.sound = entry.sound;
  if (entry.event === "label") now.label = entry.label;
  if (Number.isInteger(entry.step)) now.step = entry.step || null;
  if (typeof entry.note === "string") now.note = entry.note;
  return now;
}

function wilson(right, n) {
  if (!n) return [0, 1];
  const z = 1.959963984540054, mean = right / n, share = (z * z) / n;
  const middle = mean + share / 2, reach = z * Math.sqrt((mean * (1 - mean)) / n + share / (4 * n));
  return [Math.max(0, (middle - reach) / (1 + share)), Math.min(1, (middle + reach) / (1 + share))];
}

const thousandths = (x) => Math.round(1000 * x) / 1000;

export class Session {
  // set: label/set.json; file: { lines(), add(line) }, where the lines are kept; items: which of its runs
  constructor(set, file, by, blind, now = () => new Date(), items = [...set.runs.keys()]) {
    [this.set, this.file, this.by, this.blind, this.now] = [set, file, by, blind, now];
    this.ledger = new Ledger();
    this.name = `${by.replace(/[^\p{L}\p{N}-]+/gu, "-").replace(/^-+|-+$/g, "") || "labels"}.jsonl`;
    this.order = this.everything = items;
    [this.query, this.last, this.said, this.overriding, this.at] = ["", "", "", false, 0];
    for (const line of file.lines()) this.ledger.add(JSON.parse(line));
    this.since = this.now();
    if (!this.ledger.entries.length) this.append("sample", { sample: set.sample });
    this.resume();
  }
  // Goes to the first run after the last one touched that has no label.
  resume() {
    const touched = this.ledger.entries.filter((entry) => entry.id), start = touched.length ? Math.max(0, this.order.indexOf(touched.at(-1).item ?? 0)) : 0;
    const open = this.order.findIndex((item, at) => at >= start && !this.ledger.marks.get(tied(this.set.runs[item]))?.label);
    this.at = open < 0 ? start : open;
    const n = this.labelled.length, count = n === 1 ? "1 label that counts is" : `${n} labels that count are`;
    this.move(this.at, `${count} in ${this.name}`);
  }

  // -------------------------------------------------------------------- where we are
  get run() { return this.set.runs[this.order[this.at]]; }
  get mark() { return this.ledger.marks.get(tied(this.run)); }
  get labelled() { return [...this.ledger.marks.values()].filter((mark) => mark.label); }
  get hidden() { return this.blind && !(this.mark && (this.mark.sound !== null || this.mark.label)); }
  get modes() { return this.hidden ? [] : this.overriding ? this.run.every : this.run.offered; }

  // -------------------------------------------------------------------- what can be pressed
  sound() { return this.judge(true, 0); }
  unsound() {
    const { steps } = this.run.before, marked = steps === 1 ? 1 : this.mark?.step ?? null;
    if (steps && !marked) return this.say("Mark the step where it first goes wrong, then press unsound");
    return this.judge(false, marked);
  }
  judge(sound, step) {
    if (!this.hidden) return this.say("This run is revealed already: choose a mode, or undo");
    this.add("judge", { sound, ...(step === null ? {} : { step }), ...(this.ledger.seen(tied(this.run)) ? {} : { blind: true }) });
    return this.say(`You say ${sound ? "sound" : "unsound"}; ${this.run.says}`);
  }
  label(number) {
    const mode = this.set.modes[number - 1];
    if (this.hidden) return this.say("First judge it blind: sound or unsound");
    if (!this.modes.includes(mode)) return this.say(`Not offered here: ${mode}. The grade decides; the button All modes (o) shows all`);
    this.add("label", { label: mode, ...(this.run.offered.includes(mode) ? {} : { override: true }), guideline: this.set.guideline });
    this.last = `Run ${this.at + 1}: ${mode}.`;
    return this.move(this.at + 1, `Saved: ${mode}`);
  }
  step(step) {
    if (!Number.isInteger(step) || step < 0 || step > this.run.before.steps) return this.say(`There is no step ${step}`);
    this.add("step", { step });
    return this.say(`First wrong step: ${step || "none"}`);
  }
  note(text) {
    this.add("note", { note: visible(String(text)).slice(0, 10_000) });
    return this.say("Note saved");
  }
  defer() {
    this.add("defer", {});
    return this.move(this.at + 1, "Deferred");
  }
  override() {
    if (this.hidden) return this.say("First judge it blind: sound or unsound");
    this.overriding = !this.overriding;
    return this.say(this.overriding ? "All modes are offered" : "Only the grade's modes");
  }
  undo() { return this.turn("undo", this.ledger.done, "Nothing to undo"); }
  redo() { return this.turn("redo", this.ledger.undone, "Nothing to redo"); }
  next() { return this.move(this.at + 1); }
  back() { return this.move(this.at - 1); }
  filter(text) {
    const query = String(text).trim();
    if (this.blind && query.toLowerCase().startsWith("method:")) return this.say("Methods are hidden: this is a blind round");
    const kept = this.everything.filter((item) => this.fits(this.set.runs[item], query.toLowerCase()));
    if (!kept.length) return this.say(`No run fits '${query}': all are shown as before`);
    [this.order, this.query] = [kept, query];
    return this.move(0, `${kept.length} of ${this.everything.length} runs`);
  }

  // -------------------------------------------------------------------- how it is done
  fits(run, query) {
    const mark = this.ledger.marks.get(tied(run));
    if (query === "" || query === "open" || query === "deferred") return { "": true, open: !mark?.label, deferred: Boolean(mark?.deferred) }[query];
    if (query.startsWith("method:")) return run.method.toLowerCase() === query.slice(7).trim();
    return query === mark?.label || run.text.includes(query);
  }
  // What a line says nothing of is what its reader takes for granted: so zeros are left out.
  add(event, details) {
    const { id, digest, method, kind, grade } = this.run, item = this.order[this.at], now = this.now();
    const ms = Math.max(0, Math.min(Math.round(now - this.since), DAY));
    this.since = now;
    this.append(event, { id, digest, method, kind, ...(grade ? { grade } : {}), ...(item ? { item } : {}), ...(ms ? { ms } : {}), ...details });
  }
  append(event, details) {
    const seq = Math.max(0, ...this.ledger.entries.map((entry) => entry.seq)) + 1;
    const entry = { seq, by: this.by, event, at: `${this.now().toISOString().slice(0, 19)}Z`, ...details };
    this.file.add(JSON.stringify(entry)); // what cannot be kept is not shown as kept
    this.ledger.add(entry);
  }
  turn(event, stack, nothing) {
    if (!stack.length) return this.say(nothing);
    const about = this.ledger.find(stack.at(-1));
    this.append(event, { of: about.seq });
    this.last = ""; // it tells of a run that may be hidden again
    const at = this.order.indexOf(about.item ?? 0);
    if (at >= 0) this.move(at);
    return this.say(`${event[0].toUpperCase()}${event.slice(1)}: ${about.label || about.event}`);
  }
  move(at, done = null) {
    const last = this.order.length - 1, edge = at < 0 ? "This is the first run" : at > last ? "This is the last run" : "";
    const moved = this.at;
    this.at = Math.max(0, Math.min(at, last));
    if (moved !== this.at || done === null) [this.overriding, this.since] = [false, this.now()];
    return this.say([done, edge].filter(Boolean).join(". "));
  }
  say(sentence) { return (this.said = sentence); }

  // -------------------------------------------------------------------- what the labeller's face is told
  get still() { return { ...this.set.still, by: this.by, file: this.name, patience: 10_000 }; }
  get sight() { return this.hidden ? this.run.before : this.run.after; }
  get view() {
    const mark = this.mark;
    return {
      number: this.at + 1, of: this.order.length, done: this.labelled.length, deferred: [...this.ledger.marks.values()].filter((one) => one.deferred).length,
      undo: this.ledger.done.length > 0, redo: this.ledger.undone.length > 0, said: this.said, last: this.last, agreed: true, query: this.query, score: [0, 0],
      hidden: this.hidden, offered: this.modes, overriding: this.overriding, label: mark?.label ?? null, labels: mark?.label ? [mark.label] : [], sound: mark?.sound ?? null,
      step: mark?.step ?? 0, note: mark?.note ?? "", put_off: Boolean(mark?.deferred), others: [], ...this.results,
    };
  }
  get results() {
    const marks = this.labelled, success = this.set.modes.slice(0, 2), wrong = new Map();
    const rows = this.set.table.map(([title, method, mode, paper]) => {
      const group = marks.filter((mark) => mark.method === method && success.includes(mark.label) === success.includes(mode));
      const right = group.filter((mark) => mark.label === mode).length;
      return [title, mode, right, group.length, ...wilson(right, group.length).map(thousandths), paper];
    });
    for (const { step } of marks) if (step) wrong.set(step, (wrong.get(step) ?? 0) + 1);
    const spent = marks.map((mark) => Math.min(mark.ms, PAUSE)).filter(Boolean).sort((a, b) => a - b), half = spent.length / 2;
    const median = spent.length % 2 ? spent[Math.floor(half)] : (spent[half - 1] + spent[half]) / 2;
    const table = { name: "Table 2", rows, wrong: [...wrong].sort(([a], [b]) => a - b) };
    return { tables: [table], per_hour: spent.length ? Math.round(3_600_000 / median) : null };
  }
}
