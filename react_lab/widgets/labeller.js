// The labeller's face. It shows what the kernel says, and says which key was pressed. One key is under
// way at a time: further ones wait until its answer is drawn, so that each acts on the run in sight. No answer for `patience` ms: a banner, and nothing pretends to be saved.

const BEAT = 500, LONG = 600, SHOWN = 400;
const KEYS = {
  s: "sound", w: "unsound", u: "undo", r: "redo", d: "defer", o: "override", n: "note", e: "evidence",
  t: "table", "/": "filter", "?": "help", j: "next", k: "back", ArrowRight: "next", ArrowLeft: "back",
  "Shift+ArrowDown": "later", "Shift+ArrowUp": "earlier", "Ctrl+z": "undo", "Ctrl+y": "redo",
  "Ctrl+Shift+z": "redo", ArrowDown: "down", ArrowUp: "up", 1: "1", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6",
  7: "7", 8: "8", 9: "9",
};
const TOOLS = [ // name of the key's action, the key as people write it
  ["sound", "s"], ["unsound", "w"], ["back", "←"], ["next", "→"], ["earlier", "Shift ↑"], ["later", "Shift ↓"],
  ["undo", "u"], ["redo", "r"], ["defer", "d"], ["note", "n"], ["override", "o"], ["evidence", "e"], ["filter", "/"],
  ["table", "t"], ["help", "?"],
];
const make = maker("rl");
const button = (words, key, press) => keyButton(make, words, key, press);
const mode_word = (mode) => word("modes", mode);

// ---------------------------------------------------------------------- what is drawn

function drawPieces(pieces) {
  return pieces.map(([text, kind]) => {
    if (!kind) return document.createTextNode(text);
    if (kind === "ok") return make("span", "ok", text);
    const mark = make("mark", kind, text);
    mark.title = t(`titles.${kind}`);
    return mark;
  });
}

// A long text shows its beginning. Where something in the rest is marked, the rest is open.
function folded(pieces) {
  const whole = pieces.map(([text]) => text).join(""), first = [], rest = [];
  if (whole.length <= LONG) return drawPieces(pieces);
  const cut = whole.lastIndexOf(" ", SHOWN) + 1 || SHOWN;
  let left = cut;
  for (const [text, kind] of pieces) {
    if (left > 0) first.push([text.slice(0, left), kind]);
    if (text.length > left) rest.push([text.slice(Math.max(left, 0)), kind]);
    left -= text.length;
  }
  const more = make("details", null, null, make("summary", null, t("parts.show_all", { n: whole.length - cut })));
  more.append(...drawPieces(rest));
  more.open = rest.some(([, kind]) => kind);
  return [...drawPieces(first), more];
}

// The first part of a step has the button that marks the step.
function drawPart(part, mark, game) {
  const head = make("div", "name", t("parts.numbered", { part: word("parts", part.name), i: part.step }));
  const text = make("div", "text", null, ...folded(part.pieces));
  const apart = part.name === "private"; // behind a click
  const node = make("div", `part ${part.name.split(" ")[0]}`, null, head, apart ? make("details", null, null, make("summary", null, t("private")), text) : text);
  if (part.missing) node.append(make("div", "missing", t(game ? "unseen" : "unread", { names: part.missing })));
  else if (part.name === "thought") node.append(make("div", "missing fine", t(game ? "all_seen" : "all_read")));
  const wrong = mark && button("", "", () => mark(part.step));
  if (wrong) head.append(wrong);
  return { step: part.step, node, wrong };
}

function drawWrong({ step, node, wrong }, on) {
  node.classList.toggle("rl-wrong", on);
  if (!wrong) return;
  wrong.textContent = t(on ? "first_wrong" : "wrong_here");
  wrong.setAttribute("aria-label", t("of_step", { i: step, what: wrong.textContent }));
  wrong.setAttribute("aria-pressed", String(on));
}

// A table for each kind of task: they are never counted together.
function drawTables(view) {
  const speed = view.per_hour ? t("per_hour", { n: view.per_hour }) : "";
  return view.tables.flatMap(({ name, rows, wrong }, i) => {
    const steps = wrong.map(([step, n]) => t("of_step", { i: step, what: n })).join(t("parts.comma")) || t("none_marked");
    return [drawTable(name, rows), make("div", null, (i ? "" : speed) + t("wrong_steps", { steps }))];
  });
}

function drawTable(name, rows) {
  const percent = (x) => `${Math.round(100 * x)}%`, theirs = rows.some((cells) => cells[6] !== null);
  const table = make("table", null, null, make("caption", null, t("caption", { name })));
  table.append(row("th", [...["method", "mode", "labels", "rate"].map((one) => t(`columns.${one}`)), "", ...(theirs ? [t("columns.paper")] : [])]));
  for (const [method, mode, right, n, low, high, paper] of rows) {
    const told = n ? t("rate", { rate: percent(right / n), low: percent(low), high: percent(high) }) : "";
    const last = theirs ? [paper === null ? "" : `${paper}%`] : [];
    const line = row("td", [method, mode_word(mode), t("of", { n: right, of: n }), told, "", ...last]);
    if (n) line.children[4].append(bar(right / n, low, high, paper));
    table.append(line);
  }
  return table;
}

function row(tag, cells) {
  return make("tr", null, null, ...cells.map((text) => make(tag, null, text)));
}

function bar(rate, low, high, paper) {
  const node = make("div", "bar"), fill = make("i", "rate"), reach = make("i", "reach");
  fill.style.width = `${100 * rate}%`;
  reach.style.left = `${100 * low}%`;
  reach.style.width = `${100 * (high - low)}%`;
  node.append(fill, reach);
  if (paper !== null) node.append(make("i", "paper"));
  if (paper !== null) node.lastChild.style.left = `${paper}%`;
  return node;
}

function keysOf(still) {
  return still.several ? "keys_of_several" : still.modes[0].group ? "keys_of_modes" : "keys_of_own_modes";
}

// What stands between two pairs of stars in the guideline is bold.
function strong(text) {
  return text.split(/\*\*?/).map((part, i) => (i % 2 ? make("b", null, part) : part));
}

function drawHelp(still, guide) {
  const keys = TOOLS.map(([name, key]) => make("li", null, t("parts.pair", { name: key, value: t(`tools.${name}`) })));
  const modes = still.modes.map((mode, i) => {
    const [words, means] = guide[i];
    const name = mode_word(mode.name), group = word("groups", mode.group);
    return [make("dt", null, `${i + 1} ${group ? t(words ? "mode_in_words" : "mode", { mode: name, group, words }) : name}`), make("dd", "text", null, ...strong(means))];
  });
  return [
    make("b", null, t("keys", { version: still.version })),
    make("ul", null, null, make("li", null, t(keysOf(still), { n: still.modes.length })), ...keys),
    make("dl", null, null, ...modes.flat()),
  ];
}

// ---------------------------------------------------------------------- the keys and the kernel

// Says keys to the kernel one at a time, and tells when nobody answers.
function line(model, patience, changed) {
  const self = { under: null, waiting: [], lost: 0, down: false };
  const client = Math.random().toString(36).slice(2);
  let count = 0, beat = null;
  const say = (message) => {
    try { model.send(message); } catch { self.silent(); }
  };
  self.silent = () => {
    self.lost += (self.under && !self.under.told ? 1 : 0) + self.waiting.length;
    if (self.under) self.under.told = true;
    self.waiting = [];
    self.down = true;
    changed();
  };
  self.pump = () => {
    if (!self.under && self.waiting.length) {
      const { key, argument } = self.waiting.shift();
      const value = typeof argument === "function" ? argument() : argument;
      self.under = { id: `${client}-${++count}`, key, value, timer: setTimeout(self.silent, patience) };
      say({ key, argument: value ?? null, ack: self.under.id });
    }
    changed();
  };
  self.press = (key, argument) => {
    self.lost = self.down ? self.lost + 1 : 0;
    if (self.down) return changed();
    self.waiting.push({ key, argument });
    self.pump();
  };
  self.answered = (ack) => {
    if (beat && ack === beat.id) { clearTimeout(beat.timer); beat = null; self.back(); }
    if (!self.under || ack !== self.under.id) return;
    clearTimeout(self.under.timer);
    if (self.under.told) self.lost -= 1; // late, and done all the same
    self.under = null;
    self.back();
    self.pump();
  };
  self.back = () => { if (self.down) { self.down = false; changed(); } };
  self.ask = () => { // is anybody there?
    if (self.under || (beat && !self.down)) return;
    if (beat) clearTimeout(beat.timer);
    beat = { id: `${client}-beat-${++count}`, timer: setTimeout(self.silent, patience) };
    say({ ack: beat.id });
  };
  self.close = () => { clearTimeout(beat?.timer); clearTimeout(self.under?.timer); };
  return self;
}

function keyOf(event) {
  const chord = event.ctrlKey || event.metaKey ? "Ctrl+" : "";
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const shift = event.shiftKey && (chord || event.key.startsWith("Arrow")) ? "Shift+" : "";
  return event.altKey ? "" : chord + shift + letter;
}

function render({ model, el }) {
  const still = model.get("still");
  let view = model.get("view"), read = model.get("run"), parts = [], wrong = 0;
  const root = make("div", "labeller");
  root.tabIndex = 0;
  root.setAttribute("role", "application");
  root.setAttribute("aria-label", t("name", { kind: word("kinds", still.kind), by: still.by, n: still.modes.length }));
  const focus = () => root.focus({ preventScroll: true });

  const keysLine = make("div", "keys", t("keys_elsewhere"));
  const banner = make("div", "banner"), head = make("div", "head"), progress = make("progress", "progress");
  const run = make("div", "run"), verdict = make("div", "verdict"), others = make("div", "others"), modes = make("div", "modes"), tools = make("div", "tools");
  const note = make("textarea", "note"), query = make("input", "query");
  const said = make("div", "said"), last = make("div", "last"), sheet = make("div", "sheet"), table = make("div", "table");
  banner.setAttribute("role", "alert");
  said.setAttribute("aria-live", "polite");
  progress.setAttribute("aria-label", t("labels"));
  note.setAttribute("aria-label", t("note"));
  note.placeholder = t("note_hint");
  query.setAttribute("aria-label", t("filter"));
  query.placeholder = t("filter_hint");
  for (const box of [query, sheet, table, banner]) box.hidden = true;
  root.append(banner, keysLine, head, progress, run, verdict, others, modes, said, last, note, tools, query, table, sheet);
  el.append(root);

  const kernel = line(model, still.patience, () => draw());
  const local = { // keys that need no kernel
    note: () => note.focus(),
    filter: () => { query.hidden = false; query.focus(); },
    evidence: () => root.classList.toggle("rl-checked"),
    table: () => { table.hidden = !table.hidden; },
    help: () => { sheet.hidden = !sheet.hidden; sheet.scrollIntoView({ block: "nearest" }); },
    down: () => run.scrollBy(0, 80),
    up: () => run.scrollBy(0, -80),
  };
  const marked = (by) => () => Math.max(0, Math.min(read.steps, view.step + by));
  const press = (name) => {
    if (local[name]) local[name]();
    else if (name >= "1" && name <= "9") { if (choices[name - 1]) kernel.press("label", Number(name)); }
    else if (name === "later" || name === "earlier") kernel.press("step", marked(name === "later" ? 1 : -1));
    else kernel.press(name);
  };
  const mark = (step) => { kernel.press("step", step === view.step ? 0 : step); focus(); };
  const unsaved = () => note.value !== note.dataset.saved;
  const saveNote = () => { if (unsaved()) kernel.press("note", note.value); };

  const choices = still.modes.map((mode, i) => button(mode_word(mode.name), String(i + 1), () => { press(String(i + 1)); focus(); }));
  modes.append(...choices);
  const keyed = {};
  for (const [name, key] of TOOLS) {
    keyed[name] = button(t(`tools.${name}`), key, () => { press(name); if (!["note", "filter"].includes(name)) focus(); });
    tools.append(keyed[name]);
  }

  const practice = still.kind === "Calibration";
  function drawChoices() {
    const under = kernel.under && kernel.under.key === "label" ? kernel.under.value : 0;
    choices.forEach((choice, i) => {
      const mode = still.modes[i].name, mine = view.labels?.includes(mode) && under !== i + 1 && (!under || still.several);
      choice.disabled = !view.offered?.includes(mode);
      choice.classList.toggle("rl-mine", mine || under === i + 1);
      choice.setAttribute("aria-pressed", String(mine || under === i + 1));
      choice.children[1].textContent = ` ${mode_word(mode)}${mine ? t("kept") : ""}${under === i + 1 ? (kernel.down ? t("not_saved") : " …") : ""}`;
    });
    modes.hidden = Boolean(view.hidden);
    for (const name of ["sound", "unsound"]) keyed[name].hidden = !view.hidden;
    keyed.undo.disabled = !view.undo;
    keyed.redo.disabled = !view.redo;
    keyed.override.setAttribute("aria-pressed", String(Boolean(view.overriding)));
  }
  function drawBanner() {
    const lost = kernel.lost ? t("lost", { n: kernel.lost }) : "";
    const silent = () => t("silent", { n: view.done, file: still.file, lost }), again = () => (kernel.lost ? t("answers_again", { lost }) : "");
    banner.textContent = kernel.down ? silent() : view.alarm || again();
    banner.hidden = !banner.textContent;
    root.classList.toggle("rl-down", kernel.down);
    root.setAttribute("aria-busy", String(Boolean(kernel.under) && !kernel.down));
  }
  function drawRun() {
    const first = (i) => read.parts[i - 1]?.step !== read.parts[i].step;
    parts = (read.parts ?? []).map((part, i) => drawPart(part, first(i) ? mark : null, read.game));
    for (const part of parts) drawWrong(part, false);
    wrong = 0;
    const question = make("div", "question", t("parts.pair", { name: word("parts", read.asked), value: read.question }));
    const opening = read.opening ? [make("div", "opening", null, ...folded([[read.opening, ""]]))] : [];
    run.replaceChildren(...(read.parts ? [question, ...opening, ...parts.map((part) => part.node)] : [t("no_run")]));
    run.classList.toggle("rl-game", Boolean(read.game));
    const guide = still.guides[read.guide ?? ""];
    sheet.replaceChildren(...drawHelp(still, guide));
    choices.forEach((choice, i) => choice.replaceChildren(...[...choice.children].slice(0, 2), ...(guide[i][0] ? [make("div", "words", guide[i][0])] : [])));
  }
  function drawVerdict() {
    const facts = (read.facts ?? []).map(([name, text]) => make("div", "fact", t("parts.pair", { name, value: "" }), make("b", null, text)));
    const end = read.end && word("short_ends", read.end), ended = read.end === "finished" ? "" : t("ended_how", { end });
    const many = t("steps", { n: read.steps }), answer = t("parts.pair", { name: word("parts", "answer"), value: read.answer });
    const told = !read.game ? answer + ended : end ? t("ended", { end, steps: many }) : many;
    const stage = view.hidden ? t(read.game ? "blind_game" : "blind") : "";
    verdict.replaceChildren(...(read.parts ? [make("div", "answer", told), make("div", "facts", stage, ...facts)] : []));
    others.replaceChildren(...(view.others ?? []).map(([by, label, text]) => make("div", "other", t("parts.pair", { name: by, value: label }), make("div", "text", text))));
  }
  function drawStep(follow) {
    const seen = parts.filter((part) => part.step === wrong || part.step === view.step);
    for (const part of seen) drawWrong(part, part.step === view.step);
    if (follow && wrong !== view.step) seen.find((part) => part.step === view.step)?.node.scrollIntoView({ block: "nearest" });
    wrong = view.step ?? 0;
  }
  function drawHead() {
    const facts = [t("head", { kind: word("kinds", still.kind), by: still.by, at: view.number, of: view.of })];
    facts.push(t(practice ? "calibrated_in" : "labels_in", { n: view.done, file: still.file }), t(view.put_off ? "deferred_too" : "deferred", { n: view.deferred }));
    if (typeof view.sound === "boolean") facts.push(t(view.sound ? "judged_sound" : "judged_unsound"));
    if (practice) facts.push(t("as_agreed", { n: view.score[0], of: view.score[1] }));
    if (view.query) facts.push(t("only", { query: view.query }));
    head.textContent = facts.join(" · ");
    progress.max = Math.max(view.of, view.done, 1);
    progress.value = view.done;
  }
  let drawn = null, open = null;
  function draw() {
    drawChoices();
    drawBanner();
    if (drawn === view && open === read) return; // only the line to the kernel changed
    const another = !drawn || drawn.number !== view.number || open.question !== read.question;
    const inside = run.contains(document.activeElement);
    drawHead();
    if (open !== read) drawRun();
    drawStep(!another);
    drawVerdict();
    const writing = document.activeElement === note && (!another || unsaved());
    if (!writing) note.value = view.note ?? "";
    note.dataset.saved = view.note ?? "";
    if (inside) focus();
    said.textContent = view.said || "";
    last.textContent = view.last && practice ? `${view.agreed ? "✓" : "✗"} ${view.last}` : view.last || "";
    table.replaceChildren(...drawTables(view));
    if (another) run.scrollTo(0, 0);
    [drawn, open] = [view, read];
  }

  const onKey = (event) => {
    if (event.target === note || event.target === query) return typed(event);
    const name = KEYS[keyOf(event)], clicks = event.target.matches("button, summary") && [" ", "Enter"].includes(event.key);
    if (!name || clicks) return;
    event.preventDefault();
    if (!event.repeat || name === "down" || name === "up") press(name);
  };
  const typed = (event) => {
    const done = event.key === "Escape" || (event.target === query && event.key === "Enter");
    event.stopPropagation();
    if (!done) return;
    event.preventDefault();
    if (event.target === query) { if (event.key === "Enter") kernel.press("filter", query.value); query.hidden = true; }
    focus();
  };
  guard(root, (event) => Boolean(KEYS[keyOf(event)]));
  root.addEventListener("keydown", onKey);
  note.addEventListener("blur", saveNote);
  root.addEventListener("focusin", () => { keysLine.textContent = t(view.hidden ? "keys_blind" : "keys_here", { n: still.modes.length }); });
  root.addEventListener("focusout", (event) => { if (!root.contains(event.relatedTarget)) keysLine.textContent = t("keys_elsewhere"); });
  // As soon as it stands in the page, so that no key for it reaches the cell below.
  const gone = appeared(root, () => { if (!inUse(root)) { focus(); inSight(root); } });
  const onView = () => { view = model.get("view"); read = model.get("run"); draw(); kernel.answered(view.ack); };
  const onMessage = (message) => kernel.answered(message.ack), onComm = () => kernel.ask();
  model.on("change:view", onView);
  model.on("msg:custom", onMessage);
  model.on("comm_live_update", onComm);
  const pulse = setInterval(() => { if (kernel.down || root.contains(document.activeElement)) kernel.ask(); }, BEAT);
  draw();
  return () => {
    gone();
    clearInterval(pulse);
    kernel.close();
    model.off("change:view", onView);
    model.off("msg:custom", onMessage);
    model.off("comm_live_update", onComm);
  };
}

export default { render };
