// A table of many runs. Only the rows in sight are drawn, and only those around them are asked for;
// every text goes in as text. One message is under way at a time; the kernel answers with a new view.

const PAGE = 14, LESS = 7, AHEAD = 30; // rows in sight, and while a run is open; rows asked for ahead
const WORDS = {
  number: "#", kind: "task", method: "method", model: "model", question: "question", answer: "answer",
  grade: "result", end: "ended", steps: "steps", tokens: "tokens", flag: "flags", label: "label",
};
const NAMES = { kind: "tasks", method: "methods", model: "models", end: "ends", grade: "results", flag: "flags", label: "labels" };
const SIGNS = { right: "✓ right", wrong: "✗ wrong", "not graded": "– not graded" };

function make(tag, name, text, ...inside) {
  const node = document.createElement(tag);
  if (name) node.className = `rl-${name}`;
  if (text !== undefined && text !== null) node.textContent = text;
  node.append(...inside);
  return node;
}

function button(words, key, press) {
  const node = make("button", "button", null, ...(key ? [make("kbd", null, key)] : []), make("span", null, `${key ? " " : ""}${words}`));
  node.type = "button";
  if (key) node.setAttribute("aria-keyshortcuts", key);
  node.onclick = press;
  return node;
}

function field(words, type, value) {
  const input = make("input", "field");
  input.type = type;
  input.value = value;
  input.setAttribute("aria-label", words);
  return input;
}

// Says things to the kernel one at a time; of several wishes to see other rows, the last counts.
function line(model, patience, changed) {
  const client = Math.random().toString(36).slice(2), self = { under: null, down: false };
  let waiting = [], count = 0, timer = null;
  const next = () => {
    if (self.under || !waiting.length) return changed();
    const message = waiting.shift();
    self.under = `${client}-${++count}`;
    timer = setTimeout(() => { self.down = true; changed(); }, patience);
    model.send({ ...message, ack: self.under });
    changed();
  };
  self.say = (message) => {
    if (message.do === "look") waiting = waiting.filter((one) => one.do !== "look");
    waiting.push(message);
    next();
  };
  self.answered = (ack) => {
    if (!self.under || ack !== self.under) return;
    clearTimeout(timer);
    self.under = null;
    self.down = false;
    next();
  };
  self.close = () => clearTimeout(timer);
  return self;
}

function render({ model, el }) {
  const still = model.get("still"), uid = `rl-${Math.random().toString(36).slice(2)}`;
  const columns = still.columns.map((name, i) => [name, i + 1])
    .filter(([name]) => name !== "id" && !(name in NAMES && still.menus[name].length < 2));
  let view = model.get("view"), rows = new Map(), at = 0, drawn = null, sure = null;

  const root = make("div", "explorer"), banner = make("div", "alarm"), menus = make("div", "menus");
  const said = make("div", "said"), grid = make("div", "grid"), heads = make("div", "heads");
  const tall = make("div", "tall"), tools = make("div", "tools");
  const form = make("form", "label-form"), help = make("div", "hint");
  const kernel = line(model, still.patience, () => drawState());
  const tell = (message) => kernel.say({ start: Math.max(0, first() - AHEAD), ...message });
  const focus = () => grid.focus({ preventScroll: true });

  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "Many runs in a table");
  banner.setAttribute("role", "alert");
  said.setAttribute("role", "status");

  // ------------------------------------------------------------------ filter, search, sample
  const search = field("Search in questions, steps and answers", "search", "");
  search.placeholder = "/ search in all texts, then Enter";
  search.setAttribute("aria-keyshortcuts", "/");
  const asking = make("form", "search", null, search);
  asking.onsubmit = (event) => { event.preventDefault(); tell({ do: "search", text: search.value }); focus(); };
  const selects = columns.filter(([name]) => name in NAMES).map(([name]) => {
    const select = make("select", "field");
    select.setAttribute("aria-label", `Only these ${NAMES[name]}`);
    select.append(make("option", null, `all ${NAMES[name]}`), ...still.menus[name].map((words) => make("option", null, words)));
    select.onchange = () => tell({ do: "filter", facet: name, value: select.selectedIndex - 1 });
    return [name, select];
  });
  const n = field("How many to draw by chance", "number", 20), seed = field("Seed of the sample", "number", 0);
  n.min = seed.min = 0;
  const drawing = make("form", "sample", null, button("Sample", "", null), n, make("span", null, "seed"), seed);
  drawing.firstChild.type = "submit";
  drawing.onsubmit = (event) => { event.preventDefault(); tell({ do: "sample", n: Number(n.value) || 0, seed: Number(seed.value) || 0 }); };
  const all = button("Show all", "", () => tell({ do: "clear" }));
  menus.append(asking, ...selects.map(([, select]) => select), drawing, all);

  // ------------------------------------------------------------------ the table
  grid.tabIndex = 0;
  grid.setAttribute("role", "grid");
  grid.setAttribute("aria-label", "Runs. Arrows move, Enter opens, Space ticks, / searches.");
  grid.setAttribute("aria-multiselectable", "true");
  grid.setAttribute("aria-colcount", String(columns.length + 1));
  heads.setAttribute("role", "row");
  heads.setAttribute("aria-rowindex", "1");
  const ticks = make("div", "cell rl-c-tick");
  ticks.setAttribute("role", "columnheader");
  ticks.setAttribute("aria-label", "ticked");
  const sorters = columns.map(([name]) => {
    const head = make("div", `cell rl-c-${name}`), sort = button(WORDS[name], "", () => tell({ do: "sort", by: name, down: view.by === name && !view.down }));
    sort.tabIndex = -1;
    sort.title = `sort by ${name === "number" ? "number" : WORDS[name]}`;
    head.setAttribute("role", "columnheader");
    head.append(sort);
    return [name, head, sort];
  });
  heads.append(ticks, ...sorters.map(([, head]) => head));
  tall.setAttribute("role", "rowgroup");
  grid.append(heads, tall);

  const page = () => (view.open ? LESS : PAGE);
  const high = () => parseFloat(getComputedStyle(root).fontSize) * 2.1 || 30;
  const first = () => Math.floor(grid.scrollTop / high());
  function drawCell(row, [name, i]) {
    const text = row ? String(name === "grade" ? SIGNS[row[i]] : row[i]) : "…";
    const cell = make("div", `cell rl-c-${name}${name === "grade" && row ? ` rl-${row[i].split(" ")[0]}` : ""}`, text);
    cell.setAttribute("role", "gridcell");
    if (text.length > 12) cell.title = text;
    return cell;
  }
  function drawRow(i) {
    const row = rows.get(i), node = make("div", `row${i === at ? " rl-at" : ""}`);
    const tick = make("div", "cell rl-c-tick", row?.[0] ? "☑" : "☐");
    tick.setAttribute("role", "gridcell");
    tick.setAttribute("aria-label", row?.[0] ? "ticked" : "not ticked");
    tick.onclick = (event) => { event.stopPropagation(); move(i); ticking(); };
    node.id = `${uid}-${i}`;
    node.style.top = `${i * high()}px`;
    node.style.height = `${high()}px`;
    node.setAttribute("role", "row");
    node.setAttribute("aria-rowindex", String(i + 2));
    node.setAttribute("aria-selected", String(Boolean(row?.[0])));
    node.append(tick, ...columns.map((column) => drawCell(row, column)));
    node.onclick = () => { move(i); open(); };
    return node;
  }
  function drawRows() {
    const from = Math.max(0, first() - 3), to = Math.min(view.count, first() + page() + 4);
    tall.style.height = `${view.count * high()}px`;
    grid.style.height = `${heads.offsetHeight + Math.max(1, Math.min(page(), view.count)) * high()}px`;
    const shown = [];
    for (let i = from; i < to; i++) shown.push(i);
    tall.replaceChildren(...shown.map(drawRow));
    if (at >= from && at < to) grid.setAttribute("aria-activedescendant", `${uid}-${at}`);
    else grid.removeAttribute("aria-activedescendant");
    const start = Math.max(0, first() - AHEAD);
    if (shown.some((i) => !rows.has(i)) && sure !== start) tell({ do: "look", start: (sure = start) });
  }

  // ------------------------------------------------------------------ what is done with them
  const number = () => rows.get(at)?.[1];
  const open = () => number() && tell({ do: "open", number: number() });
  const ticking = () => number() && tell({ do: "tick", number: number(), on: !rows.get(at)[0] });
  const compare = () => tell({ do: "compare" });
  const labelling = () => { if (still.static) return; form.hidden = !form.hidden; (form.hidden ? grid : path).focus({ preventScroll: true }); };
  function move(to) {
    at = Math.max(0, Math.min(to, view.count - 1));
    const top = at * high(), seen = grid.clientHeight - heads.offsetHeight;
    if (top < grid.scrollTop) grid.scrollTop = top;
    if (top + high() > grid.scrollTop + seen) grid.scrollTop = top + high() - seen;
    drawRows();
  }
  const path = field("File of your labels", "text", still.path), by = field("Your name", "text", still.by);
  const start = button("Open the labeller", "", null);
  start.type = "submit";
  form.append(make("span", null, "Labels go to"), path, make("span", null, "by"), by, start);
  form.hidden = true;
  form.onsubmit = (event) => { event.preventDefault(); tell({ do: "label", path: path.value, by: by.value }); form.hidden = true; focus(); };
  const both = button("Compare the two ticked", "c", compare), to_label = button("Label", "l", labelling);
  const to_plot = button("Plot", "", () => tell({ do: "plot" })), to_file = button("Download", "", () => tell({ do: "save" }));
  tools.append(
    button("Open", "Enter", open), button("Tick", "Space", ticking), button("Tick all shown", "", () => tell({ do: "tick_shown" })),
    button("Untick all", "", () => tell({ do: "untick" })), both, ...(still.static ? [to_file] : [to_label, to_plot]),
  );
  root.append(banner, menus, said, grid, tools, form, help);
  el.append(root);

  const KEYS = {
    ArrowDown: () => move(at + 1), ArrowUp: () => move(at - 1), PageDown: () => move(at + page()), PageUp: () => move(at - page()),
    Home: () => move(0), End: () => move(view.count - 1), Enter: open, " ": ticking, c: compare, l: labelling, "/": () => { search.focus(); search.select(); },
  };
  const chord = (event) => event.ctrlKey || event.metaKey || event.altKey;
  // Plain keys never reach JupyterLab; chords (Ctrl+S) do.
  // Notebook 7 asks the element that is in focus before any around it: so both are marked.
  const shield = (event) => {
    for (const node of [root, event.target ?? root]) {
      if (chord(event)) node.removeAttribute("data-lm-suppress-shortcuts");
      else node.setAttribute("data-lm-suppress-shortcuts", "true");
    }
  };
  const onKey = (event) => {
    if (chord(event)) return;
    event.stopPropagation();
    const typing = event.target.matches("input, select"), pressed = event.target.matches("button") && [" ", "Enter"].includes(event.key);
    if (event.key === "Escape") { form.hidden = true; focus(); }
    if (typing || pressed || !KEYS[event.key]) return;
    event.preventDefault();
    if (!event.repeat || event.key.length > 1 && event.key !== "Enter") KEYS[event.key]();
  };
  shield({});
  root.addEventListener("keydown", shield, true);
  root.addEventListener("keyup", shield, true);
  root.addEventListener("focusin", shield);
  root.addEventListener("keydown", onKey);
  grid.addEventListener("mousedown", (event) => { if (!event.target.closest("button")) { event.preventDefault(); focus(); } });

  // ------------------------------------------------------------------ what the kernel says
  function drawState() {
    root.setAttribute("aria-busy", String(Boolean(kernel.under)));
    banner.textContent = kernel.down ? "The kernel does not answer. If it was restarted, run this cell again; if it is busy, wait." : "";
    banner.hidden = !kernel.down;
  }
  function draw() {
    const another = !drawn || drawn.order !== view.order, kept = document.activeElement;
    if (another || drawn.changes !== view.changes) rows = new Map();
    view.rows.forEach((row, i) => rows.set(view.start + i, row));
    if (another) at = grid.scrollTop = 0;
    const opened = drawn && drawn.open !== view.open;
    sure = null;
    drawn = view;
    const of = still.lost ? `; ${still.lost} lines cannot be read and are left out` : "";
    said.textContent = `${view.count.toLocaleString("en")} of ${still.of.toLocaleString("en")} runs shown, ${view.ticked.toLocaleString("en")} ticked${of}${view.said && `. ${view.said}`}`;
    grid.setAttribute("aria-rowcount", String(view.count + 1));
    for (const [name, select] of selects) select.selectedIndex = (view.only[name] ?? -1) + 1;
    if (kept !== search) search.value = view.text;
    drawing.classList.toggle("rl-on", Boolean(view.sample));
    if (view.sample && kept !== n && kept !== seed) [n.value, seed.value] = view.sample;
    for (const [name, head, sort] of sorters) {
      head.setAttribute("aria-sort", name !== view.by ? "none" : view.down ? "descending" : "ascending");
      sort.lastChild.textContent = `${WORDS[name]}${name !== view.by ? "" : view.down ? " ▼" : " ▲"}`;
    }
    both.disabled = view.ticked !== 2;
    const which = view.ticked ? `the ${view.ticked.toLocaleString("en")} ticked` : `all ${view.count.toLocaleString("en")} shown`;
    to_label.lastChild.textContent = ` Label ${which}…`;
    to_plot.lastChild.textContent = `Plot ${which}`;
    to_file.lastChild.textContent = `Download ${which}`;
    help.textContent = `Click a row to open it. ${still.static ? "A file that you download is opened in a notebook with rl.store.open." : "In Python, .selection is the list of the ticked runs, or of all that are shown."}`;
    drawRows();
    if (opened) move(at);
    drawState();
  }
  const onView = () => { view = model.get("view"); draw(); kernel.answered(view.ack); };
  let frame = 0;
  grid.addEventListener("scroll", () => { cancelAnimationFrame(frame); frame = requestAnimationFrame(drawRows); });
  const sized = new ResizeObserver(drawRows);
  sized.observe(root);
  model.on("change:view", onView);
  draw();
  return () => {
    sized.disconnect();
    kernel.close();
    model.off("change:view", onView);
  };
}

export default { render };
