// The labeller's face. It shows what the kernel says, and says which key was pressed; every text
// goes in as text. One key is under way at a time: further ones wait until its answer is drawn, so
// that each acts on the run in sight. No answer for `patience` ms: a banner, and nothing pretends to be saved.

const BEAT = 500, LONG = 600, SHOWN = 400;
const KEYS = {
  s: "sound", w: "unsound", u: "undo", r: "redo", d: "defer", o: "override", n: "note", e: "evidence",
  t: "table", "/": "filter", "?": "help", j: "next", k: "back", ArrowRight: "next", ArrowLeft: "back",
  "Shift+ArrowDown": "later", "Shift+ArrowUp": "earlier", "Ctrl+z": "undo", "Ctrl+y": "redo",
  "Ctrl+Shift+z": "redo", ArrowDown: "down", ArrowUp: "up", 1: "1", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6",
};
const TOOLS = [ // name of the key's action, words on its button, the key as people write it
  ["sound", "Sound", "s"], ["unsound", "Unsound from the marked step", "w"],
  ["back", "Previous run", "←"], ["next", "Next run", "→"],
  ["earlier", "Wrong one step earlier", "Shift ↑"], ["later", "Wrong one step later", "Shift ↓"],
  ["undo", "Undo", "u"], ["redo", "Redo", "r"], ["defer", "Defer", "d"], ["note", "Note", "n"],
  ["override", "All modes", "o"], ["evidence", "Check thoughts", "e"], ["filter", "Filter", "/"],
  ["table", "Table 2", "t"], ["help", "Help", "?"],
];

const TITLES = {
  answer: "the answer", lookup: "looked up", used: "a later thought draws on this",
  wanted: "the task is about this", nothing: "this act led nowhere",
};

function make(tag, name, text, ...inside) {
  const node = document.createElement(tag);
  if (name) node.className = `rl-${name}`;
  if (text !== undefined && text !== null) node.textContent = text;
  node.append(...inside);
  return node;
}

function button(words, key, press) {
  const node = make("button", "button", null, ...(key ? [make("kbd", null, key)] : []), make("span", null, ` ${words}`));
  node.type = "button";
  if (key) node.setAttribute("aria-keyshortcuts", key);
  node.onclick = press;
  return node;
}

const HERE = "⌨ Your keys come here: 1 to 6 label, ? lists all keys. Tab or a click elsewhere leaves.";
const ELSEWHERE = "⌨ Your keys go elsewhere now: click here, or press Tab until this frame is blue.";

// Who types, here or anywhere, is not interrupted.
function typing() {
  const at = document.activeElement;
  return Boolean(at?.closest(".cm-editor, input, textarea, select, [contenteditable='true'], .rl-labeller, .lm-Menu, dialog, .jp-Dialog"));
}

const count = (n) => `${n} label${n === 1 ? "" : "s"}`;

// ---------------------------------------------------------------------- what is drawn

function drawPieces(pieces) {
  return pieces.map(([text, kind]) => {
    if (!kind) return document.createTextNode(text);
    if (kind === "ok") return make("span", "ok", text);
    const mark = make("mark", kind, text);
    mark.title = TITLES[kind];
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
  const more = make("details", null, null, make("summary", null, `show all (${whole.length - cut} more characters)`));
  more.append(...drawPieces(rest));
  more.open = rest.some(([, kind]) => kind);
  return [...drawPieces(first), more];
}

// The first part of a step has the button that marks the step.
function drawPart(part, mark, game) {
  const head = make("div", "name", `${part.name[0].toUpperCase()}${part.name.slice(1)} ${part.step}`);
  const text = make("div", "text", null, ...folded(part.pieces));
  const node = make("div", `part rl-${part.name.split(" ")[0]}`, null, head, text);
  if (part.missing) node.append(make("div", "missing", `⚠ ${game ? "was not seen before" : "stands in nothing read so far"}: ${part.missing}`));
  else if (part.name === "thought") node.append(make("div", "missing rl-fine", game ? "✓ names nothing unseen" : "✓ every name and number was read"));
  const wrong = mark && button("", "", () => mark(part.step));
  if (wrong) head.append(wrong);
  return { step: part.step, node, wrong };
}

function drawWrong({ step, node, wrong }, on) {
  node.classList.toggle("rl-wrong", on);
  if (!wrong) return;
  wrong.textContent = on ? "✗ first wrong step" : "first wrong here?";
  wrong.setAttribute("aria-label", `step ${step}: ${wrong.textContent}`);
  wrong.setAttribute("aria-pressed", String(on));
}

// A table for each kind of task: they are never counted together.
function drawTables(view) {
  const speed = view.per_hour ? `${view.per_hour} labels an hour. ` : "";
  return view.tables.flatMap(({ name, rows, wrong }, i) => {
    const steps = wrong.map(([step, n]) => `step ${step}: ${n}`).join(", ") || "none marked yet";
    return [drawTable(name, rows), make("div", null, `${i ? "" : speed}First wrong step: ${steps}`)];
  });
}

function drawTable(name, rows) {
  const percent = (x) => `${Math.round(100 * x)}%`, theirs = rows.some((cells) => cells[6] !== null);
  const table = make("table", null, null, make("caption", null, `${name} so far, with 95% Wilson intervals`));
  table.append(row("th", ["Method", "Mode", "Labels", "Rate", "", ...(theirs ? ["Paper"] : [])]));
  for (const [method, mode, right, n, low, high, paper] of rows) {
    const told = n ? `${percent(right / n)} (${percent(low)} to ${percent(high)})` : "";
    const last = theirs ? [paper === null ? "" : `${paper}%`] : [];
    const line = row("td", [method, mode, `${right} of ${n}`, told, "", ...last]);
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

function drawHelp(still, guide) {
  const keys = TOOLS.map(([, words, key]) => make("li", null, `${key}: ${words}`));
  const modes = still.modes.map((mode, i) => {
    const [words, means] = guide[i];
    return [make("dt", null, `${i + 1} ${mode.name} (${mode.group})${words ? `: ${words}` : ""}`), make("dd", "text", means)];
  });
  return [
    make("b", null, `Keys. Guideline, version ${still.version}`),
    make("ul", null, null, make("li", null, "1 to 6: the modes, as the grade offers them"), ...keys),
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
  root.setAttribute("aria-label", `${still.kind} by ${still.by}. Keys 1 to 6 label, arrows move, u undoes, ? helps`);
  const focus = () => root.focus({ preventScroll: true });

  const keysLine = make("div", "keys", ELSEWHERE);
  const banner = make("div", "banner"), head = make("div", "head"), progress = make("progress", "progress");
  const run = make("div", "run"), verdict = make("div", "verdict"), others = make("div", "others"), modes = make("div", "modes"), tools = make("div", "tools");
  const note = make("textarea", "note"), query = make("input", "query");
  const said = make("div", "said"), last = make("div", "last"), sheet = make("div", "sheet"), table = make("div", "table");
  banner.setAttribute("role", "alert");
  said.setAttribute("aria-live", "polite");
  progress.setAttribute("aria-label", "labels");
  note.setAttribute("aria-label", "Note on this run");
  note.placeholder = "Note: what you saw (Esc saves it and goes back)";
  query.setAttribute("aria-label", "Filter runs");
  query.placeholder = "open, deferred, a mode, method:react, or words of the question; Enter";
  for (const box of [query, sheet, table, banner]) box.hidden = true;
  root.append(banner, keysLine, head, progress, run, verdict, others, modes, note, tools, query, said, last, table, sheet);
  el.append(root);

  const kernel = line(model, still.patience, () => draw());
  const local = { // keys that need no kernel
    note: () => note.focus(),
    filter: () => { query.hidden = false; query.focus(); },
    evidence: () => root.classList.toggle("rl-checked"),
    table: () => { table.hidden = !table.hidden; },
    help: () => { sheet.hidden = !sheet.hidden; },
    down: () => run.scrollBy(0, 80),
    up: () => run.scrollBy(0, -80),
  };
  const marked = (by) => () => Math.max(0, Math.min(read.steps, view.step + by));
  const press = (name) => {
    if (local[name]) local[name]();
    else if (name >= "1" && name <= "6") kernel.press("label", Number(name));
    else if (name === "later" || name === "earlier") kernel.press("step", marked(name === "later" ? 1 : -1));
    else kernel.press(name);
  };
  const mark = (step) => { kernel.press("step", step === view.step ? 0 : step); focus(); };
  const unsaved = () => note.value !== note.dataset.saved;
  const saveNote = () => { if (unsaved()) kernel.press("note", note.value); };

  const choices = still.modes.map((mode, i) => button(mode.name, String(i + 1), () => { press(String(i + 1)); focus(); }));
  modes.append(...choices);
  const keyed = {};
  for (const [name, words, key] of TOOLS) {
    keyed[name] = button(words, key, () => { press(name); if (!["note", "filter"].includes(name)) focus(); });
    tools.append(keyed[name]);
  }

  function drawChoices() {
    const under = kernel.under && kernel.under.key === "label" ? kernel.under.value : 0;
    choices.forEach((choice, i) => {
      const mode = still.modes[i].name, mine = view.label === mode && !under;
      choice.disabled = !view.offered?.includes(mode);
      choice.classList.toggle("rl-mine", mine || under === i + 1);
      choice.setAttribute("aria-pressed", String(mine || under === i + 1));
      choice.children[1].textContent = ` ${mode}${mine ? " ✓" : ""}${under === i + 1 ? (kernel.down ? " not saved" : " …") : ""}`;
    });
    modes.hidden = Boolean(view.hidden);
    for (const name of ["sound", "unsound"]) keyed[name].hidden = !view.hidden;
    keyed.undo.disabled = !view.undo;
    keyed.redo.disabled = !view.redo;
    keyed.override.setAttribute("aria-pressed", String(Boolean(view.overriding)));
  }
  function drawBanner() {
    const lost = kernel.lost ? ` Not saved: ${kernel.lost} key(s).` : "";
    banner.textContent = kernel.down
      ? `The kernel does not answer. Your ${view.done} labels are safe in ${still.file}.${lost} If the kernel was restarted, run this cell again; if it is busy, wait.`
      : view.alarm || (kernel.lost ? `The kernel answers again.${lost} Press them again.` : "");
    banner.hidden = !banner.textContent;
    root.classList.toggle("rl-down", kernel.down);
    root.setAttribute("aria-busy", String(Boolean(kernel.under) && !kernel.down));
  }
  function drawRun() {
    const first = (i) => read.parts[i - 1]?.step !== read.parts[i].step;
    parts = (read.parts ?? []).map((part, i) => drawPart(part, first(i) ? mark : null, read.game));
    for (const part of parts) drawWrong(part, false);
    wrong = 0;
    const question = make("div", "question", `${read.asked}: ${read.question}`);
    const opening = read.opening ? [make("div", "opening", null, ...folded([[read.opening, ""]]))] : [];
    run.replaceChildren(...(read.parts ? [question, ...opening, ...parts.map((part) => part.node)] : ["There is no run to label."]));
    run.classList.toggle("rl-game", Boolean(read.game));
    const guide = still.guides[read.guide ?? ""];
    sheet.replaceChildren(...drawHelp(still, guide));
    choices.forEach((choice, i) => choice.replaceChildren(...[...choice.children].slice(0, 2), ...(guide[i][0] ? [make("div", "words", guide[i][0])] : [])));
  }
  function drawVerdict() {
    const facts = (read.facts ?? []).map(([name, text]) => make("div", "fact", `${name}: `, make("b", null, text)));
    const end = read.end?.replaceAll("_", " "), ended = read.end === "finished" ? "" : ` (ended: ${end})`;
    const told = !read.game ? `Answer: ${read.answer}${ended}` : end ? `Ended: ${end}, ${read.steps} steps` : `${read.steps} steps`;
    const hidden = read.game ? "whether it was won, method and model" : "gold answer, method, model and grade";
    const stage = view.hidden ? `Blind: judge it sound or unsound first; ${hidden} are hidden.` : "";
    verdict.replaceChildren(...(read.parts ? [make("div", "answer", told), make("div", "facts", stage, ...facts)] : []));
    others.replaceChildren(...(view.others ?? []).map(([by, label, text]) => make("div", "other", `${by}: ${label}`, make("div", "text", text))));
  }
  function drawStep(follow) {
    const seen = parts.filter((part) => part.step === wrong || part.step === view.step);
    for (const part of seen) drawWrong(part, part.step === view.step);
    if (follow && wrong !== view.step) seen.find((part) => part.step === view.step)?.node.scrollIntoView({ block: "nearest" });
    wrong = view.step ?? 0;
  }
  function drawHead() {
    const judged = typeof view.sound !== "boolean" ? "" : ` · you judged it ${view.sound ? "sound" : "unsound"}`;
    const score = still.kind === "Calibration" ? ` · ${view.score[0]} of ${view.score[1]} as agreed` : "";
    const filter = view.query ? ` · only: ${view.query}` : "";
    head.textContent = `${still.kind} by ${still.by}: run ${view.number} of ${view.of} · ${count(view.done)} in ${still.file} · ${view.deferred} deferred${view.put_off ? " (this too)" : ""}${judged}${score}${filter}`;
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
    last.textContent = view.last ? `✓ ${view.last}` : "";
    table.replaceChildren(...drawTables(view));
    if (another) run.scrollTo(0, 0);
    [drawn, open] = [view, read];
  }

  const onKey = (event) => {
    if (event.target === note || event.target === query) return typed(event);
    const name = KEYS[keyOf(event)], clicks = event.target.matches("button, summary") && [" ", "Enter"].includes(event.key);
    if (!name || clicks) return;
    event.preventDefault();
    event.stopPropagation();
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
  // Plain keys never reach JupyterLab; chords that are not ours (Ctrl+S) do.
  // Notebook 7 asks the element that is in focus before any around it: so both are marked.
  const shield = (event) => {
    const passes = (event.ctrlKey || event.metaKey || event.altKey) && !KEYS[keyOf(event)];
    const sign = "data-lm-suppress-shortcuts";
    for (const node of [root, event.target ?? root]) passes ? node.removeAttribute(sign) : node.setAttribute(sign, "true");
  };
  shield({});
  for (const kind of ["keydown", "keyup", "focusin"]) root.addEventListener(kind, shield, true);
  root.addEventListener("keydown", onKey);
  note.addEventListener("blur", saveNote);
  root.addEventListener("focusin", () => { keysLine.textContent = HERE; });
  root.addEventListener("focusout", (event) => { if (!root.contains(event.relatedTarget)) keysLine.textContent = ELSEWHERE; });
  // As soon as it stands in the page, so that no key for it reaches the cell below.
  let waits = requestAnimationFrame(function appear() {
    if (!root.isConnected || !root.offsetParent) waits = requestAnimationFrame(appear);
    else if (!typing()) focus();
  });
  const onView = () => { view = model.get("view"); read = model.get("run"); draw(); kernel.answered(view.ack); };
  const onMessage = (message) => kernel.answered(message.ack), onComm = () => kernel.ask();
  model.on("change:view", onView);
  model.on("msg:custom", onMessage);
  model.on("comm_live_update", onComm);
  const pulse = setInterval(() => { if (kernel.down || root.contains(document.activeElement)) kernel.ask(); }, BEAT);
  draw();
  return () => {
    cancelAnimationFrame(waits);
    clearInterval(pulse);
    kernel.close();
    model.off("change:view", onView);
    model.off("msg:custom", onMessage);
    model.off("comm_live_update", onComm);
  };
}

export default { render };
