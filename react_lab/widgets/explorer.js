// A table of many runs. Only the rows in sight are drawn, and only those around them are asked for.
// One message is under way at a time; the kernel answers with a new view.

const PAGE = 14, LESS = 7, AHEAD = 30; // rows in sight, and while a run is open; rows asked for ahead
const MENUS = ["kind", "method", "model", "end", "grade", "flag", "label"];
const make = maker("rl");
const button = (words, key, press) => keyButton(make, words, key, press);

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
    .filter(([name]) => name !== "id" && !(MENUS.includes(name) && still.menus[name].length < 2));
  let view = model.get("view"), rows = new Map(), at = 0, drawn = null, sure = null;

  const root = make("div", "explorer"), banner = make("div", "alarm"), menus = make("div", "menus");
  const said = make("div", "said"), grid = make("div", "grid"), heads = make("div", "heads");
  const tall = make("div", "tall"), tools = make("div", "tools");
  const form = make("form", "label-form"), help = make("div", "hint");
  const kernel = line(model, still.patience, () => drawState());
  const tell = (message) => kernel.say({ start: Math.max(0, first() - AHEAD), ...message });
  const focus = () => grid.focus({ preventScroll: true });

  root.setAttribute("role", "group");
  root.setAttribute("aria-label", t("name"));
  banner.setAttribute("role", "alert");
  said.setAttribute("role", "status");

  // ------------------------------------------------------------------ filter, search, sample
  const search = field(t("search_name"), "search", "");
  search.placeholder = t("search");
  search.setAttribute("aria-keyshortcuts", "/");
  const asking = make("form", "search", null, search);
  asking.onsubmit = (event) => { event.preventDefault(); tell({ do: "search", text: search.value }); focus(); };
  const selects = columns.filter(([name]) => MENUS.includes(name)).map(([name]) => {
    const select = make("select", "field");
    select.setAttribute("aria-label", t("only", { what: t(`menus.${name}`) }));
    select.append(make("option", null, t("all_of", { what: t(`menus.${name}`) })), ...still.menus[name].map((words) => make("option", null, words)));
    select.onchange = () => tell({ do: "filter", facet: name, value: select.selectedIndex - 1 });
    return [name, select];
  });
  const n = field(t("how_many"), "number", 20), seed = field(t("seed_name"), "number", 0);
  n.min = seed.min = 0;
  const drawing = make("form", "sample", null, button(t("sample"), "", null), n, make("span", null, t("seed")), seed);
  drawing.firstChild.type = "submit";
  drawing.onsubmit = (event) => { event.preventDefault(); tell({ do: "sample", n: Number(n.value) || 0, seed: Number(seed.value) || 0 }); };
  const all = button(t("show_all"), "", () => tell({ do: "clear" }));
  menus.append(asking, ...selects.map(([, select]) => select), drawing, all);

  // ------------------------------------------------------------------ the table
  grid.tabIndex = 0;
  grid.setAttribute("role", "grid");
  grid.setAttribute("aria-label", t("grid"));
  grid.setAttribute("aria-multiselectable", "true");
  grid.setAttribute("aria-colcount", String(columns.length + 1));
  heads.setAttribute("role", "row");
  heads.setAttribute("aria-rowindex", "1");
  const ticks = make("div", "cell c-tick");
  ticks.setAttribute("role", "columnheader");
  ticks.setAttribute("aria-label", t("ticked"));
  const sorters = columns.map(([name]) => {
    const head = make("div", `cell c-${name}`), sort = button(t(`columns.${name}`), "", () => tell({ do: "sort", by: name, down: view.by === name && !view.down }));
    sort.tabIndex = -1;
    sort.title = t("sort_by", { what: name === "number" ? t("number") : t(`columns.${name}`) });
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
    const text = row ? String(name === "grade" ? word("grades", row[i]) : row[i]) : "…";
    const cell = make("div", `cell c-${name}${name === "grade" && row ? ` ${row[i].split(" ")[0]}` : ""}`, text);
    cell.setAttribute("role", "gridcell");
    if (text.length > 12) cell.title = text;
    return cell;
  }
  function drawRow(i) {
    const row = rows.get(i), node = make("div", `row${i === at ? " at" : ""}`);
    const tick = make("div", "cell c-tick", row?.[0] ? "☑" : "☐");
    tick.setAttribute("role", "gridcell");
    tick.setAttribute("aria-label", t(row?.[0] ? "ticked" : "not_ticked"));
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
  const path = field(t("label_file"), "text", still.path), by = field(t("your_name"), "text", still.by);
  const start = button(t("open_labeller"), "", null);
  start.type = "submit";
  form.append(make("span", null, t("labels_go_to")), path, make("span", null, t("by")), by, start);
  form.hidden = true;
  form.onsubmit = (event) => { event.preventDefault(); tell({ do: "label", path: path.value, by: by.value }); form.hidden = true; focus(); };
  const both = button(t("compare"), "c", compare), to_label = button("", "l", labelling);
  const to_plot = button("", "", () => tell({ do: "plot" })), to_file = button("", "", () => tell({ do: "save" }));
  tools.append(
    button(t("open"), "Enter", open), button(t("tick"), "Space", ticking), button(t("tick_shown"), "", () => tell({ do: "tick_shown" })),
    button(t("untick"), "", () => tell({ do: "untick" })), both, ...(still.static ? [to_file] : [to_label, to_plot]),
  );
  root.append(banner, menus, said, grid, tools, form, help);
  el.append(root);

  const KEYS = {
    ArrowDown: () => move(at + 1), ArrowUp: () => move(at - 1), PageDown: () => move(at + page()), PageUp: () => move(at - page()),
    Home: () => move(0), End: () => move(view.count - 1), Enter: open, " ": ticking, c: compare, l: labelling, "/": () => { search.focus(); search.select(); },
  };
  const onKey = (event) => {
    if (chord(event)) return;
    const typing = event.target.matches("input, select"), pressed = event.target.matches("button") && [" ", "Enter"].includes(event.key);
    if (event.key === "Escape") { form.hidden = true; focus(); }
    if (typing || pressed || !KEYS[event.key]) return;
    event.preventDefault();
    if (!event.repeat || event.key.length > 1 && event.key !== "Enter") KEYS[event.key]();
  };
  guard(root);
  root.addEventListener("keydown", onKey);
  grid.addEventListener("mousedown", (event) => { if (!event.target.closest("button")) { event.preventDefault(); focus(); } });

  // ------------------------------------------------------------------ what the kernel says
  function drawState() {
    root.setAttribute("aria-busy", String(Boolean(kernel.under)));
    banner.textContent = kernel.down ? t("alarm.silent") : "";
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
    const lost = still.lost ? t("lost", { n: still.lost }) : "", then = view.said && t("then", { said: view.said });
    said.textContent = t("shown", { n: view.count, of: thousands(still.of), ticked: thousands(view.ticked) }) + lost + then;
    grid.setAttribute("aria-rowcount", String(view.count + 1));
    for (const [name, select] of selects) select.selectedIndex = (view.only[name] ?? -1) + 1;
    if (kept !== search) search.value = view.text;
    drawing.classList.toggle("rl-on", Boolean(view.sample));
    if (view.sample && kept !== n && kept !== seed) [n.value, seed.value] = view.sample;
    for (const [name, head, sort] of sorters) {
      head.setAttribute("aria-sort", name !== view.by ? "none" : view.down ? "descending" : "ascending");
      sort.lastChild.textContent = `${t(`columns.${name}`)}${name !== view.by ? "" : view.down ? " ▼" : " ▲"}`;
    }
    both.disabled = view.ticked !== 2;
    const which = view.ticked ? t("the_ticked", { n: view.ticked }) : t("all_shown", { n: view.count });
    to_label.lastChild.textContent = ` ${t("label", { which })}`;
    to_plot.lastChild.textContent = t("plot", { which });
    to_file.lastChild.textContent = t("download", { which });
    help.textContent = t(still.static ? "help_static" : "help");
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
