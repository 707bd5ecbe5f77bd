// A game to play: a transcript, a line to type in, buttons of what can be done now. One line is under
// way at a time; the kernel answers each with a new view.

const PATIENCE = 8000; // ms without an answer: a banner
const SOON = 400; // ms without an answer: a word beside the line
const make = maker("rl");
const button = (words, press, name = "button") => pressable(make("button", name, words), press);

// The same verb in one row: go to, take, open ... The first word is enough to tell them apart.
function rows(acts) {
  const found = new Map();
  for (const act of acts) {
    const verb = /^[a-z]+(?=[ [])/i.exec(act)?.[0] ?? t("also");
    if (!found.has(verb)) found.set(verb, []);
    found.get(verb).push(act);
  }
  const last = ["go", "examine", t("also")];
  return [...found].sort(([a], [b]) => last.indexOf(a) - last.indexOf(b) || a.localeCompare(b));
}

function render({ model, el }) {
  const still = model.get("still"), typed = [];
  let view = model.get("view"), waiting = 0, timer = null, soon = null, count = 0, back = 0, sure = false, url = "";
  const client = Math.random().toString(36).slice(2);

  const root = make("div", "console"), banner = make("div", "alarm"), task = make("div", "goal");
  const seen = make("div", "seen"), log = make("div", "log"), map = make("img", "map");
  const line = make("form", "line"), field = make("input", "field"), send = make("button", "button", t("do_it"));
  const said = make("div", "said"), can = make("details", "can"), can_name = make("summary"), acts = make("div", "acts");
  const foot = make("div", "foot"), counted = make("span", "counted");
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", t("name"));
  banner.setAttribute("role", "alert");
  banner.hidden = true;
  log.setAttribute("role", "log");
  log.setAttribute("aria-label", t("log"));
  log.tabIndex = 0;
  map.alt = t("map");
  map.hidden = true;
  field.setAttribute("aria-label", t("your_act"));
  field.placeholder = t("act_or", { thought: still.thought });
  field.autocomplete = "off";
  field.spellcheck = false;
  field.maxLength = 500;
  send.type = "submit";
  said.setAttribute("aria-live", "polite");
  can.open = true;
  const again = button(t("begin_again"), () => {
    if (!sure && view.lines.length && !view.over) { sure = true; return draw(); }
    sure = false;
    tell({ reset: true });
    field.focus({ preventScroll: true });
  });
  const larger = button(t("larger_map"), () => {
    const wide = root.classList.toggle("rl-wide");
    larger.setAttribute("aria-pressed", String(wide));
    larger.textContent = t(wide ? "smaller_map" : "larger_map");
    log.scrollTop = log.scrollHeight;
  });
  larger.hidden = true;
  line.append(make("span", "cue", ">"), field, send);
  seen.append(log, map);
  can.append(can_name, acts);
  foot.append(counted, larger, again);
  root.append(banner, task, seen, line, said, can, foot);
  el.append(root);

  const tell = (message) => {
    if (waiting) return false;
    waiting = `${client}-${++count}`;
    root.setAttribute("aria-busy", "true");
    ready();
    soon = setTimeout(() => { said.textContent = t("waits"); }, SOON);
    timer = setTimeout(() => { banner.textContent = t("alarm.silent"); banner.hidden = false; }, still.patience ?? PATIENCE);
    model.send({ ...message, ack: waiting });
    return true;
  };
  // One line at a time: what cannot be done while the game answers does not look as if it could.
  const ready = () => {
    for (const node of [send, again, ...acts.querySelectorAll("button")]) node.disabled = Boolean(waiting) || (node === send && view.over);
  };
  const act = (words) => {
    if (!words.trim() || !tell({ line: words })) return;
    sure = false;
    if (typed[typed.length - 1] !== words) typed.push(words);
    back = 0;
    field.value = "";
  };

  function entry([words, answer, why, thought]) {
    const did = make("div", thought ? "did thought" : "did action", `> ${thought ? "think: " : ""}${words}`);
    const node = make("div", "entry", null, did, make("div", "answer", answer));
    if (why) node.append(make("div", "why", t("why", { why })));
    return node;
  }
  function draw() {
    const thoughts = view.lines.filter((one) => one[3]).length, all = view.lines.length;
    task.textContent = t("task", { task: still.task });
    log.replaceChildren(make("div", "opening", view.opening), ...view.lines.map(entry));
    if (view.over) log.append(make("div", "over", t(view.won ? "won" : "over")));
    log.scrollTop = log.scrollHeight;
    said.textContent = all ? "" : t("how");
    if (view.said && (!all || view.said !== view.lines[all - 1][1])) said.textContent = view.said;
    field.disabled = view.over;
    can.hidden = view.over || !view.acts.length; // in the shop, before a search
    can_name.textContent = t("can", { n: view.acts.length });
    acts.replaceChildren(...rows(view.acts).map(([verb, some]) =>
      make("div", "row", null, make("b", "verb", verb), ...some.map((one) =>
        button(one, () => { act(one); field.focus({ preventScroll: true }); }, "act")))));
    counted.textContent = !all ? t("none_done", { limit: still.limit }) : t("counted", { acts: t("acts", { n: all - thoughts }), thoughts: t("thoughts", { n: thoughts }), limit: still.limit });
    again.textContent = t(sure ? "sure" : "begin_again");
    ready();
  }
  function drawMap() {
    const bytes = model.get("picture");
    if (url) URL.revokeObjectURL(url);
    url = bytes && bytes.byteLength ? URL.createObjectURL(new Blob([bytes], { type: "image/png" })) : "";
    map.hidden = larger.hidden = !url;
    if (url) map.src = url; else map.removeAttribute("src");
    log.scrollTop = log.scrollHeight;
  }

  line.onsubmit = (event) => { event.preventDefault(); act(field.value); };
  field.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by || !typed.length) return;
    event.preventDefault();
    back = Math.max(0, Math.min(typed.length, back + by));
    field.value = back ? typed[typed.length - back] : "";
  });
  guard(root);
  const onView = () => {
    view = model.get("view");
    if (view.ack === waiting) {
      clearTimeout(timer);
      clearTimeout(soon);
      waiting = 0;
      banner.hidden = true;
      root.setAttribute("aria-busy", "false");
    }
    draw();
  };
  model.on("change:view", onView);
  model.on("change:picture", drawMap);
  root.setAttribute("aria-busy", "false");
  draw();
  drawMap();
  return () => {
    clearTimeout(timer);
    clearTimeout(soon);
    if (url) URL.revokeObjectURL(url);
    model.off("change:view", onView);
    model.off("change:picture", drawMap);
  };
}

export default { render };
