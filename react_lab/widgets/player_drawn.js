// What a player draws of a run: a step, the prompt, the world, the runs. Nothing here knows a kernel.

const make = maker("rlp");
const LONG = 600, SHOWN = 400; // characters of an observation that is folded, and of its beginning
const PARTS = ["thought", "action"];
function button(words, press, name = "button", key = "") {
  return pressable(make("button", name, words), press, key);
}

// Into sight, in its box alone: the notebook stays where it is.
function reveal(box, node) {
  const top = node.offsetTop, room = box.clientHeight - node.offsetHeight;
  if (top < box.scrollTop || top + node.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - Math.max(0, room / 2);
}

const part_of = (part, i) => t("parts.numbered", { part: word("parts", part), i });
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
  node.setAttribute("aria-label", t("step", { i }));
  for (const part of PARTS) {
    const gone = step[part] === null && step.human.includes(part);
    if (step[part] === null && !gone) continue;
    const box = drawPart(part, i, gone ? null : step[part], step.human.includes(part) && t(gone ? "taken_out" : "written"));
    if (part === "thought") drawn.thought = drawThought(box, step, act);
    if (act.change) box.head.append(changer(t("change"), t("change_part", { part: part_of(part, i) }), () => act.change(part)));
    node.append(box.node);
  }
  if (act.change && step.thought === null && step.action !== null && !step.human.includes("thought")) {
    node.prepend(changer(t("add_thought"), t("add_before", { part: part_of("action", i) }), () => act.change("thought")));
  }
  if (step.raw !== null) node.append(drawPart("unreadable text", i, step.raw).node);
  for (const mark of step.marks) node.append(make("div", "befell", mark));
  if (step.private) node.append(make("details", "private", null, make("summary", null, part_of("private", i)), make("div", "text", step.private)));
  if (step.observation.length) node.append(drawObservation(step, i, act, drawn));
  return drawn;
}

function changer(words, name, press) {
  const node = button(words, press, "small");
  node.setAttribute("aria-label", name);
  return node;
}

function drawPart(part, i, text, human = "") {
  const head = make("div", "name", null, make("b", null, part_of(part, i)));
  if (human) head.append(make("span", "person", human));
  const node = make("div", `part ${part.split(" ")[0]}${human ? " human" : ""}`, null, head);
  if (text !== null) node.append(make("div", "text", text));
  return { node, head };
}

function drawThought(box, step, act) {
  if (step.from) box.node.append(button(t("draws_on", { part: part_of("observation", step.from[0]) }), () => act.trace(step.from), "trace"));
  if (step.missing) box.node.append(make("div", "missing", t("not_seen", { names: step.missing })));
  return box.node;
}

// In sentences; those that a later thought draws on can be pressed. A long one shows its beginning.
function drawObservation(step, i, act, drawn) {
  const { node } = drawPart("observation", i, ""), text = node.lastChild;
  const whole = step.observation.reduce((sum, [piece]) => sum + piece.length, 0);
  let into = text, length = 0;
  step.observation.forEach(([piece, users], at) => {
    if (whole > LONG && length >= SHOWN && into === text) {
      into = make("details", "more", null, make("summary", null, t("parts.show_all", { n: whole - length })));
      text.append(into);
    }
    const words = users.length ? piece.trimEnd() : piece, gap = piece.slice(words.length); // a button eats a line end
    const one = users.length ? button(words, () => act.pick(at), "sentence used") : make("span", "sentence", words);
    if (users.length) one.title = t("used_later");
    else one.onclick = () => act.pick(at);
    drawn.sentences.push(one);
    into.append(one, gap);
    length += piece.length;
  });
  return node;
}

function drawResult(run) {
  const node = make("section", "result"), facts = make("dl", "facts");
  for (const [name, value] of run.facts) facts.append(make("div", null, null, make("dt", null, name), make("dd", null, value)));
  node.setAttribute("aria-label", t("how_it_ended"));
  if (run.answer !== null) node.append(make("div", "part answer", null, make("div", "name", null, make("b", null, word("parts", "answer"))), make("div", "text", run.answer)));
  if (run.error) node.append(make("div", "befell", run.error));
  node.append(facts, ...drawVotes(run));
  return node;
}

function drawVotes(run) {
  const votes = make("ul", "votes", null, ...run.votes.map(([answer, many]) => make("li", null, t("parts.pair", { name: answer, value: many }))));
  const samples = make("details", null, null, make("summary", null, t("samples", { n: run.samples.length })),
    ...run.samples.map((text, i) => make("div", "part thought", null, make("b", null, t("sample", { i: i + 1 })), make("div", "text", text))));
  return [...(run.votes.length ? [make("b", null, t("votes")), votes] : []), ...(run.samples.length ? [samples] : [])];
}

// ---------------------------------------------------------------------- the prompt

function drawCounts(run, i) {
  const prompt = run.prompt;
  if (prompt.note) return [make("div", "note", prompt.note)];
  const [, , tail, size] = prompt.asks[Math.min(i, prompt.asks.length - 1)], turn = prompt.turns[i - 1];
  const asked = i < run.steps.length || tail;
  const what = asked ? t("asked", { i: i + 1 }) : t("as_it_ended");
  const counts = make("div", "counted", turn ? t("tokens_of_step", { what, n: size, of: thousands(turn[2]), i }) : t("tokens", { what, n: size }));
  return run.context ? [counts, drawGauge(size, run.context)] : [counts]; // unknown: nothing to say
}

// As the model sees it after step i, before the next one; what step i added is marked.
function drawPrompt(run, i, text) {
  const prompt = run.prompt, nodes = [];
  if (prompt.note) return [];
  const [out, gone, tail] = prompt.asks[Math.min(i, prompt.asks.length - 1)];
  if (prompt.head) nodes.push(make("details", "head", null, make("summary", null, t("instruction", { n: prompt.head_tokens })), make("pre", null, prompt.head)));
  const page = make("pre", "prompt", prompt.opening);
  if (out || gone) nodes.push(make("div", "note", gone ? t("steps_left", { n: gone }) : t("observations_left")));
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
  const share = Math.round((100 * size) / context), node = make("div", "gauge"), bar = make("progress");
  bar.max = context;
  bar.value = Math.min(size, context);
  bar.setAttribute("aria-label", t("context_used"));
  node.append(bar, t("gauge", { share, n: context }));
  return node;
}

// ---------------------------------------------------------------------- the world

function drawWorld(run, i) {
  const world = run.world, view = world.at[Math.min(i, world.at.length - 1)];
  const careful = world.note ? [make("div", "note", t(view ? "careful" : "no_world", { why: world.note }))] : [];
  if (!view) return careful;
  return [...careful, ...{ page: drawPage, house: drawHouse, shop: drawShop }[world.kind](view, world.pages)];
}

function drawPage(view, pages) {
  if (!view.title) return [make("div", "note", t("no_page"))];
  const list = make("ol", "page"), now = view.holding[view.read - 1];
  (pages[view.title] ?? []).forEach((sentence, i) => {
    const held = view.holding.includes(i), row = make("li", `${i < 5 ? "first" : ""} ${held ? "held" : ""} ${i === now ? "now" : ""}`.trim().replace(/ +/g, " "), sentence);
    if (i === now) { row.setAttribute("aria-current", "true"); row.prepend(make("b", null, "→ ")); }
    list.append(row);
  });
  const where = !view.keyword ? t("search_gives") : t(view.holding.length ? "lookup" : "lookup_none", { keyword: view.keyword, at: view.read, of: view.holding.length });
  return [make("h4", null, view.title), make("div", "counted", where), list];
}

function drawHouse(view) {
  const grid = make("div", "house"), marks = (thing) => (view.done[thing] ? t("done", { what: view.done[thing].join(t("parts.comma")) }) : "");
  for (const place of view.receptacles) {
    const here = place.name === view.at, door = { true: t("open"), false: t("closed") }[String(place.open)] ?? "";
    const inside = place.contents === null ? (place.open === false ? "" : t("not_looked")) : place.contents.map((thing) => thing + marks(thing)).join(t("parts.comma")) || t("empty");
    grid.append(make("div", `place${here ? " here" : ""}${place.contents === null ? " unseen" : ""}`, null,
      make("b", null, place.name), door, ...(here ? [make("span", "person", t("here"))] : []), make("div", null, inside)));
  }
  const where = view.at ? t("is_at", { place: view.at }) : t("in_the_middle");
  const holds = view.held ? t("holds", { thing: view.held + marks(view.held) }) : t("holds_nothing");
  return [make("div", "counted", t("player_in_house", { where, holds })), grid];
}

function drawShop(view) {
  const page = view.page === "results" ? t("results", { number: view.number }) : word("pages", view.page);
  const rows = [["page", page], ["searched", view.query], ["product", view.product],
    ["options", Object.entries(view.chosen).map(([name, value]) => t("parts.pair", { name, value })).join(t("parts.comma"))],
    ["looked_at", view.visited.join(t("parts.comma"))], ["reward", view.score === null ? "" : `${view.score}${t("parts.comma")}${view.because}`]];
  const facts = make("dl", "facts");
  for (const [name, value] of rows) if (value) facts.append(make("div", null, null, make("dt", null, t(`shop.${name}`)), make("dd", null, String(value))));
  const clicks = (view.buttons ?? []).map((words) => make("li", null, words));
  return [facts, ...(clicks.length ? [make("div", "counted", t("can_click")), make("ul", "clicks", null, ...clicks)] : [])];
}

// ---------------------------------------------------------------------- the runs, and who goes on from whom

function drawTree(rows, looks, show) {
  const lists = rows.map(() => make("ul")), top = make("ul", "tree");
  rows.forEach(([parent, words, did], at) => {
    const one = button(t("run", { i: at + 1 }), () => show([at]), "button"), inSight = looks.includes(at);
    one.setAttribute("aria-pressed", String(inSight));
    const other = button(t("beside"), () => show([looks[0], at]), "small");
    other.setAttribute("aria-label", t("run_beside", { i: at + 1, j: looks[0] + 1 }));
    const item = make("li", null, null, one, inSight ? "" : other, make("span", null, ` ${did ? t("parts.pair", { name: words, value: did }) : words} `), lists[at]);
    (parent < 0 ? top : lists[parent]).append(item);
  });
  return top;
}

