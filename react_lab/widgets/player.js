// The player: a run step by step, beside it the prompt and the world. All of a run is here, so that
// stepping needs no kernel; a kernel is asked for what is new.

const PATIENCE = 8000; // ms without an answer of the kernel: a banner
const SIZES = [1, 1.25, 1.6, 2]; // of the letters: a desk, a seminar room, a lecture hall, its last row
const SPEEDS = [["slow", 4000], ["normal", 2000], ["fast", 700]]; // ms per step
const KEYS = {
  ArrowRight: "next", ArrowLeft: "back", " ": "play", Home: "first", End: "last", p: "prompt", w: "world",
  t: "tree", k: "unseen", e: "change", o: "other", "+": "larger", "=": "larger", "-": "smaller", "?": "help",
};
const HELP = [["→ ←", "step"], ["Space", "play"], ["Home End", "ends"], ["p w t", "panels"], ["k", "unseen"], ["e", "change"], ["o", "other"], ["+ −", "letters"], ["Esc", "close"], ["Shift+Enter", "go_on"]];
const greeted = new WeakSet(); // players that took the keyboard once

function render({ model, el }) {
  const still = model.get("still");
  let view = model.get("view"), looks = [], looked = 0, at = 0, known = 0, side = 0, size = 0, timer = null, text = "";
  let drawn = [], cells = [], marked = [], waiting = 0, patience = null, count = 0, editing = null;
  const client = Math.random().toString(36).slice(2), hidden = { prompt: false, world: false, tree: true, help: true };

  const root = make("div", "player"), banner = make("div", "alarm"), head = make("div", "task"), bar = make("div", "bar");
  const said = make("div", "said"), hint = make("div", "hint"), stage = make("div", "stage"), steps = make("div", "steps"), beside = make("div", "beside");
  const panels = {}, boxes = {}, editor = make("form", "editor"), words = make("textarea"), editor_name = make("label");
  const tree = make("div", "runs"), help = make("div", "help");
  root.tabIndex = 0;
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", t("name"));
  banner.setAttribute("role", "alert");
  said.setAttribute("role", "status");
  steps.setAttribute("role", "log");
  steps.setAttribute("aria-label", t("steps"));
  steps.setAttribute("aria-live", "off");
  steps.tabIndex = 0;
  for (const name of ["prompt", "world"]) {
    boxes[name] = make("div", "inside");
    boxes[name].tabIndex = 0;
    panels[name] = make("section", `panel ${name}`, null, make("h3"), make("div"), boxes[name]);
    panels[name].setAttribute("aria-label", t(`panel.${name}`));
    boxes[name].setAttribute("role", "region");
    boxes[name].setAttribute("aria-label", t(`inside.${name}`));
  }
  const focus = () => root.focus({ preventScroll: true });
  const run_at = (k) => (k === view.live ? model.get("live") : model.get("runs")[k]);
  const runs = () => looks.map(run_at);
  const total = () => Math.max(0, ...runs().map((run) => run.steps.length));
  const live = () => looks.includes(view.live);
  const front = () => (live() ? run_at(view.live).steps.length : total()); // beside a longer run, too
  const playing = () => Boolean(timer) || (live() && view.playing);

  // -------------------------------------------------------------------- the kernel

  function tell(what, more = {}) {
    waiting = `${client}-${(count += 1)}`;
    root.setAttribute("aria-busy", "true");
    clearTimeout(patience);
    patience = setTimeout(() => { banner.textContent = t("alarm.silent"); banner.hidden = false; }, still.patience ?? PATIENCE);
    model.send({ ...more, do: what, ack: waiting });
  }

  // -------------------------------------------------------------------- what can be pressed

  const stop_timer = () => { clearInterval(timer); timer = null; };
  const move = (to) => { at = Math.max(0, Math.min(total(), to)); draw(); say(); };
  const tick = () => {
    if (at < front()) move(at + 1);
    if (at >= total() && !live()) { stop_timer(); draw(); }
  };
  const press = {
    next: () => {
      stop_timer();
      if (at < front()) move(at + 1);
      else if (live() && !view.playing) tell("step");
      else if (live()) say(t("at_work"));
      else say(t("the_end"));
    },
    back: () => { stop_timer(); move(at - 1); },
    first: () => { stop_timer(); move(0); },
    last: () => { stop_timer(); move(total()); },
    play: () => {
      if (playing()) { stop_timer(); if (live() && view.playing) tell("pause"); return draw(); }
      if (live() && !view.playing) tell("play");
      if (!live() && at >= total()) at = 0;
      if (at < front()) timer = setInterval(tick, SPEEDS[speed.value][1]);
      if (!live()) tick();
      draw();
    },
    larger: () => resize(1),
    smaller: () => resize(-1),
    unseen: () => { toggle.unseen.setAttribute("aria-pressed", String(root.classList.toggle("rlp-unseen"))); },
    change: () => { if (at && run_at(looks[side]).steps[at - 1]) change(looks[side], at, run_at(looks[side]).steps[at - 1].thought === null ? "action" : "thought"); },
    other: () => { side = looks.length > 1 ? 1 - side : 0; draw(); },
    stop: () => tell("stop"),
  };
  for (const name of Object.keys(hidden)) press[name] = () => { hidden[name] = !hidden[name]; draw(); if (name === "help") help.scrollIntoView({ block: "nearest" }); };
  function resize(by) {
    size = Math.max(0, Math.min(SIZES.length - 1, size + by));
    root.style.setProperty("--rlp-size", String(SIZES[size]));
    say(t("letters", { share: Math.round(100 * SIZES[size]) }));
  }
  function show(chosen) { looks = [...new Set(chosen)]; [side, drawn] = [0, []]; at = Math.min(Math.max(at, looks.length > 1 ? shared(...runs()) + 1 : 1), total()); draw(); focus(); }

  // -------------------------------------------------------------------- changing a step

  function change(k, i, part) {
    if (!still.can_fork) return say(still.why_not ?? "");
    editing = { run: k, at: i, part };
    editor_name.textContent = t(part === "thought" ? "edit_thought" : "edit_act", { part: part_of(part, i), run: k + 1 });
    words.value = run_at(k).steps[i - 1][part] ?? "";
    editor.hidden = false;
    words.focus();
  }
  const close = () => { editing = null; editor.hidden = true; focus(); };
  editor.onsubmit = (event) => {
    event.preventDefault();
    tell("fork", { ...editing, text: words.value });
    close();
  };
  words.id = `rlp-${client}`;
  words.maxLength = 2000;
  editor_name.htmlFor = words.id;
  const go_on = make("button", "button", t("go_on"));
  go_on.type = "submit";
  editor.append(editor_name, words, make("div", "row", null, go_on, button(t("cancel"), close)));

  // -------------------------------------------------------------------- where a fact came from

  function unmark() { for (const node of marked) node.classList.remove("rlp-picked", "rlp-user"); marked = []; }
  function mark(node, name) { node.classList.add(name); marked.push(node); }
  function pick(k, i, sentence) {
    unmark();
    const users = run_at(k).steps[i - 1].observation[sentence][1], seen = users.filter((user) => user <= at);
    mark(cells[k][i - 1].sentences[sentence], "rlp-picked");
    for (const user of seen) mark(cells[k][user - 1].thought, "rlp-user");
    const who = seen.map((i) => part_of("thought", i)).join(t("and")), later = users.length > seen.length ? t("later_one") : "";
    say(seen.length ? t("drawn_on", { n: seen.length, who }) + later : later ? t("none_so_far") + later : t("none_draws"));
    if (seen.length) reveal(steps, cells[k][seen[0] - 1].thought);
  }
  function trace(k, [i, sentence]) {
    pick(k, i, sentence);
    const node = cells[k][i - 1].sentences[sentence], fold = node.closest("details");
    if (fold) fold.open = true;
    reveal(steps, node);
  }

  // -------------------------------------------------------------------- drawing

  function cell(k, i) {
    const able = !still.static && still.can_fork;
    const one = drawStep(run_at(k).steps[i - 1], i, {
      pick: (sentence) => pick(k, i, sentence), trace: (from) => trace(k, from), change: able ? (part) => change(k, i, part) : null,
    });
    cells[k][i - 1] = one;
    one.node.dataset.step = i;
    return one.node;
  }
  function drawSteps() {
    const two = looks.length > 1, same = two ? shared(...runs()) : 0, nodes = [];
    cells = [];
    for (const k of looks) cells[k] = [];
    if (two) nodes.push(...looks.map((k) => make("div", "column", t("parts.pair", { name: t("run", { i: k + 1 }), value: view.tree[k].slice(1).filter(Boolean).join(t("parts.semicolon")) }))));
    for (let i = 1; i <= total(); i += 1) {
      if (two && i <= same) {
        const node = cell(looks[0], i);
        cells[looks[1]][i - 1] = cells[looks[0]][i - 1];
        node.classList.add("rlp-both");
        node.prepend(make("div", "counted", t("same_in_both")));
        nodes.push(node);
      } else nodes.push(...looks.map((k) => (run_at(k).steps[i - 1] ? cell(k, i) : empty(i))));
    }
    nodes.push(...looks.map((k) => { const node = make("div", "ending"); node.dataset.run = k; return node; }));
    steps.replaceChildren(...nodes);
    steps.classList.toggle("rlp-two", two);
  }
  function empty(i) { const node = make("div", "step nothing"); node.dataset.step = i; return node; }
  function drawEnding(node) {
    const k = Number(node.dataset.run), run = run_at(k), n = run.steps.length, going = k === view.live;
    const key = `${going} ${at >= n} ${run.end} ${run.votes.length}`;
    if (going && at >= n) {
      const state = t(text ? "being_written" : view.playing ? "thinks" : "paused_before", { i: n + 1 });
      return node.replaceChildren(make("div", "counted", state), ...(text ? [make("div", "part text written", text)] : []), ...drawVotes(run));
    }
    if (node.dataset.key === key && !going) return;
    node.dataset.key = key;
    node.replaceChildren(...(at >= n && !going ? [drawResult(run)] : []));
  }
  function drawBeside() {
    const run = run_at(looks[side]), two = looks.length > 1, last = Math.min(at, run.steps.length);
    for (const name of ["prompt", "world"]) panels[name].firstChild.textContent = t(two ? `head_of_run.${name}` : `head.${name}`, { run: looks[side] + 1 });
    panels.prompt.children[1].replaceChildren(...drawCounts(run, last));
    const opened = boxes.prompt.querySelector("details")?.open;
    boxes.prompt.replaceChildren(...drawPrompt(run, last, looks[side] === view.live && at >= run.steps.length ? text : ""));
    if (opened) boxes.prompt.querySelector("details").open = true;
    boxes.prompt.scrollTop = boxes.prompt.scrollHeight;
    const key = `${looks[side]} ${last} ${run.world.at.length}`;
    if (boxes.world.dataset.key === key) return;
    boxes.world.dataset.key = key;
    boxes.world.replaceChildren(...drawWorld(run, last));
    const now = boxes.world.querySelector("[aria-current], .rlp-here");
    if (now) reveal(boxes.world, now);
  }
  function drawBar() {
    const n = total(), going = live();
    slider.max = n;
    slider.value = at;
    slider.setAttribute("aria-valuetext", t("place", { at, of: n }));
    counted.textContent = t(going ? "place_so_far" : "place", { at, of: front() });
    buttons.play.textContent = t(playing() ? "pause" : "play");
    buttons.back.disabled = buttons.first.disabled = at <= 0;
    buttons.next.disabled = at >= front() && !(going && !view.playing);
    buttons.last.disabled = at >= n;
    buttons.stop.hidden = !going;
    toggle.tree.hidden = view.tree.length < 2;
    toggle.other.hidden = looks.length < 2;
    toggle.other.textContent = t("panels_of", { run: looks[side] + 1 });
    for (const name of Object.keys(hidden)) toggle[name].setAttribute("aria-pressed", String(!hidden[name]));
    pages.hidden = view.of <= 12;
    page.max = view.of;
    if (document.activeElement !== page) page.value = view.number;
    of.textContent = t("of", { n: view.of });
  }
  function say(words) {
    const n = total();
    said.replaceChildren(make("span", words === undefined ? "heard" : "", words ?? t("said_place", { at, of: n })));
  }
  // Two runs of two questions: each says which is its own.
  function drawTasks(current) {
    const named = (run, before = "") => [make("b", null, t("parts.pair", { name: before + word("parts", run.opener), value: "" })), run.task];
    if (current.every((run) => run.task === current[0].task)) head.replaceChildren(...named(current[0]));
    else head.replaceChildren(...current.map((run, i) => make("div", null, null, ...named(run, t("run", { i: looks[i] + 1 }) + t("parts.comma")))));
    if (current.length === 1) head.append(make("div", "counted", current[0].method + t("parts.comma") + current[0].model));
  }
  function draw() {
    const current = runs();
    banner.hidden = !banner.textContent;
    root.classList.toggle("rlp-empty", !looks.length);
    if (!looks.length) { head.textContent = t("no_run"); return; }
    if (drawn.length !== current.length || drawn.some((run, i) => run !== current[i])) { drawSteps(); unmark(); drawn = current; }
    drawTasks(current);
    for (const node of steps.querySelectorAll("[data-step]")) {
      const i = Number(node.dataset.step);
      node.hidden = i > at;
      node.classList.toggle("rlp-current", i === at);
      if (i === at) node.setAttribute("aria-current", "step"); else node.removeAttribute("aria-current");
    }
    for (const node of steps.querySelectorAll("[data-run]")) drawEnding(node);
    for (const name of ["prompt", "world"]) panels[name].hidden = hidden[name];
    stage.classList.toggle("rlp-wide", looks.length > 1 || (hidden.prompt && hidden.world));
    tree.hidden = hidden.tree || view.tree.length < 2;
    if (!tree.hidden) tree.replaceChildren(drawTree(view.tree, looks, show));
    help.hidden = hidden.help;
    drawBeside();
    drawBar();
    known = front();
    const last = at >= total(), now = last ? steps.lastChild : steps.querySelector(".rlp-current");
    const heads = steps.querySelector(".rlp-column")?.offsetHeight ?? 0; // they stay in sight, above it
    const end = now ? now.offsetTop + now.offsetHeight - steps.clientHeight : 0;
    if (now) steps.scrollTop = Math.max(0, last ? end : Math.min(end, now.offsetTop - heads));
  }

  // -------------------------------------------------------------------- the bar

  const buttons = {}, toggle = {}, slider = make("input", "slider"), counted = make("span", "counter"), speed = make("select", "speed");
  const pages = make("label", "pages", t("run_number")), page = make("input", "number"), of = make("span");
  const group = (name, ...inside) => { const node = make("div", "group", null, ...inside); node.setAttribute("role", "group"); node.setAttribute("aria-label", name); return node; };
  const key = (name, words, keys, into = buttons) => { into[name] = button(words, () => { press[name](); if (name !== "change") focus(); }, "button", keys); return into[name]; };
  slider.type = "range";
  slider.min = 0;
  slider.setAttribute("aria-label", t("slider"));
  slider.oninput = () => { stop_timer(); move(Number(slider.value)); };
  speed.setAttribute("aria-label", t("speed"));
  SPEEDS.forEach(([name], i) => { const one = make("option", null, t(`speeds.${name}`)); one.value = i; speed.append(one); });
  speed.value = "1";
  speed.onchange = () => { if (timer) { stop_timer(); timer = setInterval(tick, SPEEDS[speed.value][1]); } };
  page.type = "number";
  page.min = 1;
  page.onchange = () => tell("goto", { number: Number(page.value) });
  pages.append(page, of);
  bar.append(
    group(t("steps"), key("first", "|◀", "Home"), key("back", t("back"), "ArrowLeft"), key("play", t("play"), "Space"), key("next", t("next"), "ArrowRight"), key("last", "▶|", "End"), key("stop", t("stop"), "")),
    group(t("place_group"), slider, counted, speed, pages),
    group(t("view"), key("prompt", t("prompt"), "p", toggle), key("world", t("world"), "w", toggle), key("tree", t("runs"), "t", toggle), key("unseen", t("unseen"), "k", toggle), key("other", "", "o", toggle), key("smaller", "A−", "-"), key("larger", "A+", "+"), key("help", "?", "?", toggle)),
  );
  for (const name of ["first", "last"]) buttons[name].setAttribute("aria-label", t(`jump.${name}`));
  buttons.larger.setAttribute("aria-label", t("larger"));
  buttons.smaller.setAttribute("aria-label", t("smaller"));
  toggle.help.setAttribute("aria-label", t("help_keys"));
  toggle.unseen.setAttribute("aria-pressed", "false");
  help.append(make("dl", null, null, ...HELP.map(([keys, name]) => make("div", null, null, make("dt", null, keys), make("dd", null, t(`keys.${name}`))))),
    make("p", null, t("simple_rules")));
  beside.append(panels.prompt, panels.world);
  stage.append(steps, beside);
  root.append(banner, head, bar, make("div", "line", null, said, hint), tree, editor, stage, help);
  editor.hidden = banner.hidden = true;
  el.append(root);

  // -------------------------------------------------------------------- keys, and what the kernel says

  const onKey = (event) => {
    if (chord(event)) return;
    const writes = event.target.matches("textarea, input, select");
    if (event.key === "Escape") { if (editing) close(); else if (!hidden.help) press.help(); else focus(); return; }
    const clicks = event.target.matches("button, summary") && [" ", "Enter"].includes(event.key), name = KEYS[event.key];
    if (writes || clicks || !name) return;
    event.preventDefault();
    if (!event.repeat || name === "next" || name === "back") press[name]();
  };
  const greet = () => {
    const inside = root.contains(document.activeElement);
    hint.textContent = t(inside ? "keys_here" : "keys_elsewhere");
  };
  guard(root);
  root.addEventListener("keydown", onKey);
  root.addEventListener("focusin", greet);
  root.addEventListener("focusout", () => setTimeout(greet));

  function adopt() {
    const follows = at >= known; // it stood at the newest step
    view = model.get("view");
    text = model.get("text");
    if (view.looked !== looked) {
      [looked, looks, side, drawn] = [view.looked, view.looks, Math.max(0, view.looks.length - 1), []];
      stop_timer();
      at = live() ? front() : Math.min(total(), looks.length > 1 ? shared(...runs()) + 1 : 1);
      if (view.tree.length > 1) hidden.tree = false;
      if (looks.length > 1 && view.live < 0) side = 0;
      if (live()) requestAnimationFrame(comeInSight);
    } else if (follows) at = Math.max(at, live() || root.dataset.lived ? front() : at);
    root.dataset.lived = live() ? "yes" : "";
    if (view.ack === waiting && waiting) {
      clearTimeout(patience);
      [waiting, banner.textContent] = [0, view.alarm ?? ""];
      root.setAttribute("aria-busy", "false");
    }
    const before = said.textContent;
    draw();
    if (looks.length && live()) say(view.playing ? undefined : t("paused", { at }));
    else if (!before && looks.length) say();
  }
  // A run begins: its first thought is to be seen without scrolling, and what asked for it above.
  function comeInSight() {
    const hidden = steps.getBoundingClientRect().top > innerHeight - 160;
    if (hidden) root.closest(".jp-Cell-outputWrapper")?.scrollIntoView({ block: "start" });
  }
  const onText = () => {
    if (!looks.length || !live()) return;
    text = model.get("text");
    for (const node of steps.querySelectorAll("[data-run]")) drawEnding(node);
    drawBeside();
    if (at >= total()) steps.scrollTop = steps.scrollHeight;
  };
  model.on("change:view", adopt);
  model.on("change:text", onText);
  root.setAttribute("aria-busy", "false");
  adopt();
  greet();
  const gone = appeared(root, () => {
    boxes.world.dataset.key = "";
    draw(); // only now its boxes have a height, and can be scrolled
    if (!greeted.has(model) && !inUse(root) && !explored()) { focus(); inSight(root); }
    greeted.add(model);
  });
  // Whoever walks through a table of runs keeps the keyboard.
  function explored() { return Boolean(document.activeElement?.closest(".rl-explorer")); }
  return () => {
    gone();
    stop_timer();
    clearTimeout(patience);
    model.off("change:view", adopt);
    model.off("change:text", onText);
  };
}

export default { render };
