// The player: a run step by step, beside it the prompt and the world. All of a run is here, so that
// stepping needs no kernel; a kernel is asked for what is new. Every text goes in as text.

const PATIENCE = 8000; // ms without an answer of the kernel: a banner
const LONG = 600, SHOWN = 400; // characters of an observation that is folded, and of its beginning
const SIZES = [1, 1.25, 1.6, 2]; // of the letters: a desk, a seminar room, a lecture hall, its last row
const SPEEDS = [["slow", 4000], ["normal", 2000], ["fast", 700]]; // ms per step
const PARTS = ["thought", "action"];
const KEYS = {
  ArrowRight: "next", ArrowLeft: "back", " ": "play", Home: "first", End: "last", p: "prompt", w: "world",
  t: "tree", k: "kinds", e: "change", o: "other", "+": "larger", "=": "larger", "-": "smaller", "?": "help",
};
const HELP = [
  ["→ ←", "a step on, a step back"], ["Space", "play, pause"], ["Home End", "before the first step, all steps"],
  ["p w t", "prompt, world, runs: show or hide"], ["k", "kinds of thoughts, and what they name that was not seen"],
  ["e", "change a thought or an act of this step, and let the model go on"], ["o", "of two runs: whose prompt and world"],
  ["+ −", "larger and smaller letters"], ["Esc", "close what is open"],
];
const greeted = new WeakSet(); // players that took the keyboard once

function make(tag, name, text, ...inside) {
  const node = document.createElement(tag);
  if (name) node.className = name.split(" ").map((one) => `rlp-${one}`).join(" ");
  if (text !== undefined && text !== null) node.textContent = text;
  node.append(...inside);
  return node;
}

function button(words, press, name = "button", key = "") {
  const node = make("button", name, words);
  node.type = "button";
  node.onclick = press;
  if (key) node.setAttribute("aria-keyshortcuts", key);
  return node;
}

// Into sight, in its box alone: the notebook stays where it is.
function reveal(box, node) {
  const top = node.offsetTop, room = box.clientHeight - node.offsetHeight;
  if (top < box.scrollTop || top + node.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - Math.max(0, room / 2);
}

const number = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const key_of = (step) => JSON.stringify([step.thought, step.action, step.human, step.observation.map(([text]) => text)]);

// How many steps at the beginning of two runs are the same.
function shared(a, b) {
  let n = 0;
  while (n < Math.min(a.steps.length, b.steps.length) && key_of(a.steps[n]) === key_of(b.steps[n])) n += 1;
  return n;
}

// ---------------------------------------------------------------------- a step

// `act.pick(sentence)` and `act.change(part)` are what a click does; what a person cannot do is null.
function drawStep(step, i, act) {
  const node = make("section", "step"), drawn = { node, sentences: [], thought: null };
  node.setAttribute("aria-label", `Step ${i}`);
  for (const part of PARTS) {
    const gone = step[part] === null && step.human.includes(part);
    if (step[part] === null && !gone) continue;
    const box = drawPart(part, i, gone ? null : step[part], step.human.includes(part) && (gone ? "taken out by a person" : "written by a person"));
    if (part === "thought") drawn.thought = drawThought(box, step, act);
    if (act.change) box.head.append(changer(`change`, `Change ${capital(part)} ${i}`, () => act.change(part)));
    node.append(box.node);
  }
  if (act.change && step.thought === null && step.action !== null && !step.human.includes("thought")) {
    node.prepend(changer("add a thought", `Add a thought before Action ${i}`, () => act.change("thought")));
  }
  if (step.raw !== null) node.append(drawPart("unreadable text", i, step.raw).node);
  for (const mark of step.marks) node.append(make("div", "befell", mark));
  if (step.observation.length) node.append(drawObservation(step, i, act, drawn));
  return drawn;
}

function changer(words, name, press) {
  const node = button(words, press, "small");
  node.setAttribute("aria-label", name);
  return node;
}

function drawPart(part, i, text, human = "") {
  const head = make("div", "name", null, make("b", null, `${capital(part)} ${i}`));
  if (human) head.append(make("span", "person", human));
  const node = make("div", `part ${part.split(" ")[0]}${human ? " human" : ""}`, null, head);
  if (text !== null) node.append(make("div", "text", text));
  return { node, head };
}

function drawThought(box, step, act) {
  if (step.kind) box.head.append(make("span", "kind", step.kind));
  if (step.from) box.node.append(button(`draws on Observation ${step.from[0]}`, () => act.trace(step.from), "trace"));
  if (step.missing) box.node.append(make("div", "missing", `not seen before: ${step.missing}`));
  return box.node;
}

// In sentences; those that a later thought draws on can be pressed. A long one shows its beginning.
function drawObservation(step, i, act, drawn) {
  const { node } = drawPart("observation", i, ""), text = node.lastChild;
  const whole = step.observation.reduce((sum, [piece]) => sum + piece.length, 0);
  let into = text, length = 0;
  step.observation.forEach(([piece, users], at) => {
    if (whole > LONG && length >= SHOWN && into === text) {
      into = make("details", "more", null, make("summary", null, `show all (${number(whole - length, "more character")})`));
      text.append(into);
    }
    const one = users.length ? button(piece, () => act.pick(at), "sentence used") : make("span", "sentence", piece);
    if (users.length) one.title = "a later thought draws on this";
    else one.onclick = () => act.pick(at);
    drawn.sentences.push(one);
    into.append(one);
    length += piece.length;
  });
  return node;
}

function drawResult(run) {
  const node = make("section", "result"), facts = make("dl", "facts");
  for (const [name, value] of run.facts) facts.append(make("div", null, null, make("dt", null, name), make("dd", null, value)));
  node.setAttribute("aria-label", "How it ended");
  if (run.answer !== null) node.append(make("div", "part answer", null, make("div", "name", null, make("b", null, "Answer")), make("div", "text", run.answer)));
  if (run.error) node.append(make("div", "befell", run.error));
  node.append(facts, ...drawVotes(run));
  return node;
}

function drawVotes(run) {
  const votes = make("ul", "votes", null, ...run.votes.map(([answer, many]) => make("li", null, `${answer}: ${many}`)));
  const samples = make("details", null, null, make("summary", null, number(run.samples.length, "sample")),
    ...run.samples.map((text, i) => make("div", "part thought", null, make("b", null, `Sample ${i + 1}`), make("div", "text", text))));
  return [...(run.votes.length ? [make("b", null, "Votes"), votes] : []), ...(run.samples.length ? [samples] : [])];
}

// ---------------------------------------------------------------------- the prompt

function drawCounts(run, i) {
  const prompt = run.prompt;
  if (prompt.note) return [make("div", "note", prompt.note)];
  const [, , tail, size] = prompt.asks[Math.min(i, prompt.asks.length - 1)], turn = prompt.turns[i - 1];
  const asked = i < run.steps.length || tail;
  const added = turn ? `, ${turn[2].toLocaleString("en")} of them from step ${i}` : "";
  const counts = make("div", "counted", `${asked ? `What is asked for step ${i + 1}` : "As it ended"}: about ${number(size, "token")}${added}.`);
  return [counts, drawGauge(size, run.context)];
}

// As the model sees it after step i, before the next one; what step i added is marked.
function drawPrompt(run, i, text) {
  const prompt = run.prompt, nodes = [];
  if (prompt.note) return [];
  const [out, gone, tail] = prompt.asks[Math.min(i, prompt.asks.length - 1)];
  if (prompt.head) nodes.push(make("details", "head", null, make("summary", null, `Instruction and exemplars: about ${number(prompt.head_tokens, "token")}`), make("pre", null, prompt.head)));
  const page = make("pre", "prompt", prompt.opening);
  if (out || gone) nodes.push(make("div", "note", `It grew too long: ${gone ? `the oldest ${number(gone, "step")} left it` : "the oldest observations left it"}.`));
  if (gone) page.append("...\n");
  for (let j = gone; j < i && j < prompt.turns.length; j += 1) {
    const words = prompt.turns[j][j < out ? 1 : 0];
    page.append(j === i - 1 ? make("mark", "added", words) : words);
  }
  page.append(make("b", null, tail));
  if (text) page.append(make("mark", "written", text));
  return [...nodes, page];
}

function drawGauge(size, context) {
  if (!context) return make("div", "gauge", "How much this model can read is not known.");
  const share = Math.round((100 * size) / context), node = make("div", "gauge"), bar = make("progress");
  bar.max = context;
  bar.value = Math.min(size, context);
  bar.setAttribute("aria-label", "context used");
  node.append(bar, ` ${share}% of the ${context.toLocaleString("en")} tokens that it may have`);
  return node;
}

// ---------------------------------------------------------------------- the world

function drawWorld(run, i) {
  const world = run.world, view = world.at[Math.min(i, world.at.length - 1)];
  const careful = world.note ? [make("div", "note", `${view ? "Careful" : "The world is not shown"}: ${world.note}.`)] : [];
  if (!view) return careful;
  return [...careful, ...{ page: drawPage, house: drawHouse, shop: drawShop }[world.kind](view, world.pages)];
}

function drawPage(view, pages) {
  if (!view.title) return [make("div", "note", "No page is open.")];
  const list = make("ol", "page"), now = view.holding[view.read - 1];
  (pages[view.title] ?? []).forEach((sentence, i) => {
    const held = view.holding.includes(i), row = make("li", `${i < 5 ? "first" : ""} ${held ? "held" : ""} ${i === now ? "now" : ""}`.trim().replace(/ +/g, " "), sentence);
    if (i === now) { row.setAttribute("aria-current", "true"); row.prepend(make("b", null, "→ ")); }
    list.append(row);
  });
  const where = view.keyword ? `Lookup “${view.keyword}”: ${view.holding.length ? `result ${view.read} of ${view.holding.length}` : "no sentence has it"}.` : "A search gives the first five sentences (dark); Lookup reads on.";
  return [make("h4", null, view.title), make("div", "counted", where), list];
}

function drawHouse(view) {
  const grid = make("div", "house"), marks = (thing) => (view.done[thing] ? ` (${view.done[thing].join(", ")})` : "");
  for (const place of view.receptacles) {
    const here = place.name === view.at, door = { true: ", open", false: ", closed" }[String(place.open)] ?? "";
    const inside = place.contents === null ? (place.open === false ? "" : "not looked at yet") : place.contents.map((thing) => thing + marks(thing)).join(", ") || "empty";
    grid.append(make("div", `place${here ? " here" : ""}${place.contents === null ? " unseen" : ""}`, null,
      make("b", null, place.name), door, ...(here ? [make("span", "person", "here")] : []), make("div", null, inside)));
  }
  const holds = view.held ? `holds ${view.held}${marks(view.held)}` : "holds nothing";
  return [make("div", "counted", `The player ${view.at ? `is at ${view.at}` : "is in the middle of the room"} and ${holds}.`), grid];
}

function drawShop(view) {
  const names = { search: "the first page", results: `results, page ${view.number}`, item: "a product's page", done: "bought" };
  const rows = [["Page", names[view.page] ?? view.page], ["Searched for", view.query], ["Product", view.product],
    ["Options chosen", Object.entries(view.chosen).map(([name, value]) => `${name}: ${value}`).join(", ")],
    ["Products looked at", view.visited.join(", ")], ["Reward", view.score === null ? "" : `${view.score}, ${view.because}`]];
  const facts = make("dl", "facts");
  for (const [name, value] of rows) if (value) facts.append(make("div", null, null, make("dt", null, name), make("dd", null, String(value))));
  const clicks = (view.buttons ?? []).map((words) => make("li", null, words));
  return [facts, ...(clicks.length ? [make("div", "counted", "What can be clicked now:"), make("ul", "clicks", null, ...clicks)] : [])];
}

// ---------------------------------------------------------------------- the runs, and who goes on from whom

function drawTree(rows, looks, show) {
  const lists = rows.map(() => make("ul")), top = make("ul", "tree");
  rows.forEach(([parent, words, did], at) => {
    const one = button(`Run ${at + 1}`, () => show([at]), "button"), inSight = looks.includes(at);
    one.setAttribute("aria-pressed", String(inSight));
    const other = button("beside", () => show([looks[0], at]), "small");
    other.setAttribute("aria-label", `Run ${at + 1} beside run ${looks[0] + 1}`);
    const item = make("li", null, null, one, inSight ? "" : other, make("span", null, ` ${words}${did ? `: ${did}` : ""} `), lists[at]);
    (parent < 0 ? top : lists[parent]).append(item);
  });
  return top;
}

// ---------------------------------------------------------------------- the player

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
  root.setAttribute("aria-label", "Player of runs, step by step");
  banner.setAttribute("role", "alert");
  said.setAttribute("role", "status");
  steps.setAttribute("role", "log");
  steps.setAttribute("aria-label", "Steps");
  steps.setAttribute("aria-live", "off");
  steps.tabIndex = 0;
  for (const name of ["prompt", "world"]) {
    boxes[name] = make("div", "inside");
    boxes[name].tabIndex = 0;
    panels[name] = make("section", `panel ${name}`, null, make("h3"), make("div"), boxes[name]);
    panels[name].setAttribute("aria-label", name === "prompt" ? "The prompt" : "The world");
    boxes[name].setAttribute("role", "region");
    boxes[name].setAttribute("aria-label", name === "prompt" ? "The prompt as the model sees it" : "The world as far as it is known");
  }
  const focus = () => root.focus({ preventScroll: true });
  const run_at = (k) => (k === view.live ? model.get("live") : model.get("runs")[k]);
  const runs = () => looks.map(run_at);
  const total = () => Math.max(0, ...runs().map((run) => run.steps.length));
  const live = () => looks.includes(view.live);
  const playing = () => Boolean(timer) || (live() && view.playing);

  // -------------------------------------------------------------------- the kernel

  function tell(what, more = {}) {
    waiting = `${client}-${(count += 1)}`;
    root.setAttribute("aria-busy", "true");
    clearTimeout(patience);
    patience = setTimeout(() => { banner.textContent = "The kernel does not answer. If it was restarted, run this cell again; if it is busy, wait."; banner.hidden = false; }, still.patience ?? PATIENCE);
    model.send({ ...more, do: what, ack: waiting });
  }

  // -------------------------------------------------------------------- what can be pressed

  const stop_timer = () => { clearInterval(timer); timer = null; };
  const move = (to) => { at = Math.max(0, Math.min(total(), to)); draw(); say(); };
  const tick = () => {
    if (at < total()) move(at + 1);
    if (at >= total() && !live()) { stop_timer(); draw(); }
  };
  const press = {
    next: () => {
      stop_timer();
      if (at < total()) move(at + 1);
      else if (live() && !view.playing) tell("step");
      else if (live()) say("The model is at work on this step.");
      else say("This is the end.");
    },
    back: () => { stop_timer(); move(at - 1); },
    first: () => { stop_timer(); move(0); },
    last: () => { stop_timer(); move(total()); },
    play: () => {
      if (playing()) { stop_timer(); if (live() && view.playing) tell("pause"); return draw(); }
      if (live() && !view.playing) tell("play");
      if (!live() && at >= total()) at = 0;
      if (at < total()) timer = setInterval(tick, SPEEDS[speed.value][1]);
      if (!live()) tick();
      draw();
    },
    larger: () => resize(1),
    smaller: () => resize(-1),
    kinds: () => { toggle.kinds.setAttribute("aria-pressed", String(root.classList.toggle("rlp-kinds"))); },
    change: () => { if (at && run_at(looks[side]).steps[at - 1]) change(looks[side], at, run_at(looks[side]).steps[at - 1].thought === null ? "action" : "thought"); },
    other: () => { side = looks.length > 1 ? 1 - side : 0; draw(); },
    stop: () => tell("stop"),
  };
  for (const name of Object.keys(hidden)) press[name] = () => { hidden[name] = !hidden[name]; draw(); };
  function resize(by) {
    size = Math.max(0, Math.min(SIZES.length - 1, size + by));
    root.style.setProperty("--rlp-size", String(SIZES[size]));
    say(`Letters: ${Math.round(100 * SIZES[size])}%.`);
  }
  function show(chosen) { looks = [...new Set(chosen)]; [side, drawn] = [0, []]; at = Math.min(Math.max(at, looks.length > 1 ? shared(...runs()) + 1 : 1), total()); draw(); focus(); }

  // -------------------------------------------------------------------- changing a step

  function change(k, i, part) {
    if (!still.can_fork) return say(still.why_not ?? "");
    editing = { run: k, at: i, part };
    editor_name.textContent = `${capital(part)} ${i} of run ${k + 1}, in your words. What follows is dropped, and the model goes on.${part === "thought" ? " Left empty, there is no thought." : ""}`;
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
  const go_on = make("button", "button", "Go on from here");
  go_on.type = "submit";
  editor.append(editor_name, words, make("div", "row", null, go_on, button("Cancel", close)));

  // -------------------------------------------------------------------- where a fact came from

  function unmark() { for (const node of marked) node.classList.remove("rlp-picked", "rlp-user"); marked = []; }
  function mark(node, name) { node.classList.add(name); marked.push(node); }
  function pick(k, i, sentence) {
    unmark();
    const users = run_at(k).steps[i - 1].observation[sentence][1], seen = users.filter((user) => user <= at);
    mark(cells[k][i - 1].sentences[sentence], "rlp-picked");
    for (const user of seen) mark(cells[k][user - 1].thought, "rlp-user");
    const later = users.length > seen.length ? " A later thought does; step on." : "";
    say(seen.length ? `Thought ${seen.join(" and Thought ")} ${seen.length > 1 ? "draw" : "draws"} on this sentence.${later}` : later ? `No thought so far draws on this sentence.${later}` : "No thought draws on this sentence.");
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
    if (two) nodes.push(...looks.map((k) => make("div", "column", `Run ${k + 1}: ${view.tree[k].slice(1).filter(Boolean).join("; ")}`)));
    for (let i = 1; i <= total(); i += 1) {
      if (two && i <= same) {
        const node = cell(looks[0], i);
        cells[looks[1]][i - 1] = cells[looks[0]][i - 1];
        node.classList.add("rlp-both");
        node.prepend(make("div", "counted", "the same in both runs"));
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
      const state = text ? `Step ${n + 1} is being written` : view.playing ? `The model thinks about step ${n + 1} …` : `Paused before step ${n + 1}`;
      return node.replaceChildren(make("div", "counted", state), ...(text ? [make("div", "part text written", text)] : []), ...drawVotes(run));
    }
    if (node.dataset.key === key && !going) return;
    node.dataset.key = key;
    node.replaceChildren(...(at >= n && !going ? [drawResult(run)] : []));
  }
  function drawBeside() {
    const run = run_at(looks[side]), name = looks.length > 1 ? ` of run ${looks[side] + 1}` : "", last = Math.min(at, run.steps.length);
    panels.prompt.firstChild.textContent = `The prompt${name}, as the model sees it`;
    panels.world.firstChild.textContent = `The world${name}, as far as it is known`;
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
    slider.setAttribute("aria-valuetext", `step ${at} of ${n}`);
    counted.textContent = `step ${at} of ${n}${going ? " so far" : ""}`;
    buttons.play.textContent = playing() ? "❚❚ Pause" : "▶ Play";
    buttons.back.disabled = buttons.first.disabled = at <= 0;
    buttons.next.disabled = at >= n && !(going && !view.playing);
    buttons.last.disabled = at >= n;
    buttons.stop.hidden = !going;
    toggle.tree.hidden = view.tree.length < 2;
    toggle.other.hidden = looks.length < 2;
    toggle.other.textContent = `Panels: run ${looks[side] + 1}`;
    for (const name of Object.keys(hidden)) toggle[name].setAttribute("aria-pressed", String(!hidden[name]));
    pages.hidden = view.of <= 12;
    page.max = view.of;
    if (document.activeElement !== page) page.value = view.number;
    of.textContent = ` of ${view.of.toLocaleString("en")}`;
  }
  function say(words) {
    const n = total();
    said.replaceChildren(make("span", words === undefined ? "heard" : "", words ?? `Step ${at} of ${n}.`));
  }
  // Two runs of two questions: each says which is its own.
  function drawTasks(current) {
    const named = (run, before = "") => [make("b", null, `${before}${run.opener}: `), run.task];
    if (current.every((run) => run.task === current[0].task)) head.replaceChildren(...named(current[0]));
    else head.replaceChildren(...current.map((run, i) => make("div", null, null, ...named(run, `Run ${looks[i] + 1}, `))));
    if (current.length === 1) head.append(make("div", "counted", `${current[0].method}, ${current[0].model}`));
  }
  function draw() {
    const current = runs();
    banner.hidden = !banner.textContent;
    root.classList.toggle("rlp-empty", !looks.length);
    if (!looks.length) { head.textContent = "There is no run to play: give one, the path of a file, or task= and model=."; return; }
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
    known = total();
    const now = at >= total() ? steps.lastChild : steps.querySelector(".rlp-current");
    if (now) steps.scrollTop = Math.max(0, now.offsetTop + now.offsetHeight - steps.clientHeight);
  }

  // -------------------------------------------------------------------- the bar

  const buttons = {}, toggle = {}, slider = make("input", "slider"), counted = make("span", "counter"), speed = make("select", "speed");
  const pages = make("label", "pages", "Run "), page = make("input", "number"), of = make("span");
  const group = (name, ...inside) => { const node = make("div", "group", null, ...inside); node.setAttribute("role", "group"); node.setAttribute("aria-label", name); return node; };
  const key = (name, words, keys, into = buttons) => { into[name] = button(words, () => { press[name](); if (name !== "change") focus(); }, "button", keys); return into[name]; };
  slider.type = "range";
  slider.min = 0;
  slider.setAttribute("aria-label", "Step");
  slider.oninput = () => { stop_timer(); move(Number(slider.value)); };
  speed.setAttribute("aria-label", "Speed");
  SPEEDS.forEach(([name], i) => { const one = make("option", null, `${name} speed`); one.value = i; speed.append(one); });
  speed.value = "1";
  speed.onchange = () => { if (timer) { stop_timer(); timer = setInterval(tick, SPEEDS[speed.value][1]); } };
  page.type = "number";
  page.min = 1;
  page.onchange = () => tell("goto", { number: Number(page.value) });
  pages.append(page, of);
  bar.append(
    group("Steps", key("first", "|◀", "Home"), key("back", "◀ Back", "ArrowLeft"), key("play", "▶ Play", "Space"), key("next", "Step ▶", "ArrowRight"), key("last", "▶|", "End"), key("stop", "Stop the run", "")),
    group("Place", slider, counted, speed, pages),
    group("View", key("prompt", "Prompt", "p", toggle), key("world", "World", "w", toggle), key("tree", "Runs", "t", toggle), key("kinds", "Kinds of thoughts", "k", toggle), key("other", "", "o", toggle), key("smaller", "A−", "-"), key("larger", "A+", "+"), key("help", "?", "?", toggle)),
  );
  for (const [name, words] of [["first", "Before the first step"], ["last", "All steps"]]) buttons[name].setAttribute("aria-label", words);
  buttons.larger.setAttribute("aria-label", "Larger letters");
  buttons.smaller.setAttribute("aria-label", "Smaller letters");
  toggle.help.setAttribute("aria-label", "Help: the keys");
  toggle.kinds.setAttribute("aria-pressed", "false");
  help.append(make("dl", null, null, ...HELP.map(([keys, words]) => make("div", null, null, make("dt", null, keys), make("dd", null, words)))),
    make("p", null, "A kind of thought is found by its words, and the sentence that a thought draws on by the words and names they share: simple rules, often wrong. Look for yourself."));
  beside.append(panels.prompt, panels.world);
  stage.append(steps, beside);
  root.append(banner, head, bar, make("div", "line", null, said, hint), tree, editor, stage, help);
  editor.hidden = banner.hidden = true;
  el.append(root);

  // -------------------------------------------------------------------- keys, and what the kernel says

  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation(); // plain keys never reach JupyterLab
    const writes = event.target.matches("textarea, input, select");
    if (event.key === "Escape") { if (editing) close(); else if (!hidden.help) press.help(); else focus(); return; }
    const clicks = event.target.matches("button, summary") && [" ", "Enter"].includes(event.key), name = KEYS[event.key];
    if (writes || clicks || !name) return;
    event.preventDefault();
    if (!event.repeat || name === "next" || name === "back") press[name]();
  };
  // Notebook 7 asks the element that is in focus before any around it: so both are marked.
  const shield = (event) => {
    for (const node of [root, event.target ?? root]) {
      if (event.ctrlKey || event.metaKey || event.altKey) node.removeAttribute("data-lm-suppress-shortcuts");
      else node.setAttribute("data-lm-suppress-shortcuts", "true");
    }
  };
  const greet = () => {
    const inside = root.contains(document.activeElement);
    hint.textContent = inside ? "The player has the keyboard: → ← step, Space plays, ? shows all keys." : "Click here, or press Tab until you are here, for the keys.";
  };
  shield({});
  root.addEventListener("keydown", shield, true);
  root.addEventListener("keyup", shield, true);
  root.addEventListener("focusin", shield);
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
      at = live() ? total() : Math.min(total(), looks.length > 1 ? shared(...runs()) + 1 : 1);
      if (view.tree.length > 1) hidden.tree = false;
      if (looks.length > 1 && view.live < 0) side = 0;
    } else if (follows) at = Math.max(at, live() || root.dataset.lived ? total() : at);
    root.dataset.lived = live() ? "yes" : "";
    if (view.ack === waiting && waiting) {
      clearTimeout(patience);
      [waiting, banner.textContent] = [0, view.alarm ?? ""];
      root.setAttribute("aria-busy", "false");
    }
    const before = said.textContent;
    draw();
    if (looks.length && live()) say(view.playing ? undefined : `Step ${at}. Paused.`);
    else if (!before && looks.length) say();
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
  // Whoever types, or walks through a table of runs, keeps the keyboard.
  const writes = () => document.activeElement?.closest("input, textarea, select, [contenteditable='true'], .rl-explorer");
  const take = (tries) => {
    if (!root.isConnected || !root.offsetParent) { if (tries) requestAnimationFrame(() => take(tries - 1)); return; }
    boxes.world.dataset.key = "";
    draw(); // only now its boxes have a height, and can be scrolled
    if (!greeted.has(model) && !writes()) focus();
    greeted.add(model);
  };
  take(120);
  return () => {
    stop_timer();
    clearTimeout(patience);
    model.off("change:view", adopt);
    model.off("change:text", onText);
  };
}

export default { render };
