// A run as the page shows it. Every text goes in as text; nothing here can become a tag.
export function make(tag, name, ...inside) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  node.append(...inside);
  return node;
}

export function button(words, press, name = "") {
  const node = make("button", name, words);
  node.type = "button";
  node.onclick = press;
  return node;
}

const NAMES = { thought: "Thought", action: "Action", observation: "Observation" };
const ENDS = {
  finished: "It has answered.", step_limit: "It used all its steps without an answer.", cancelled: "Stopped by hand.",
  unreadable: "It wrote nothing that can be read as an act.", repeated: "It repeated itself.",
  context_limit: "Its transcript grew longer than it can read.", error: "The model failed.",
};
const numbered = (kind) => kind === "multihop" || kind === "claims";

export function part(kind, name, words, mine = false) {
  const text = make("span", kind === "action" ? "words act" : "words");
  text.textContent = words;
  const node = make("div", `part ${kind}`, make("b", "", `${name}: `), text);
  if (mine) node.append(make("span", "mine", " (yours)"));
  return node;
}

export function stepView(step, i, method) {
  const found = [], acts = !["cot", "standard"].includes(method); // without acts the answer says it all
  for (const [kind, name] of Object.entries(NAMES))
    if (step[kind] && (acts || kind === "thought")) found.push(part(kind, `${name} ${i}`, step[kind], step.human?.includes(kind)));
  if (step.why) found.push(make("p", "why", `Why? ${step.why}. (The model is not told.)`));
  return found;
}

export function endView(end) {
  const found = [];
  if (end.answer) found.push(part("answer", "Answer", end.answer));
  found.push(make("p", "", ENDS[end.end] ?? end.end, end.error && end.end === "error" ? ` ${end.error}` : ""));
  if (end.gold) found.push(make("p", "", end.right ? "That is right." : `The pages say: ${end.gold}.`));
  return found;
}

export function heading(view, more = "") {
  const about = `${view.method}${view.plain ? ", plain model" : ""}${more}`;
  return make("h3", "", `${numbered(view.kind) && view.kind === "claims" ? "Claim" : "Question"}: ${view.task} `, make("span", "how", `(${about})`));
}

// One run that is under way, or over: `show(view)` after each step, `hear(text)` while it writes.
export class Card {
  constructor(place, { onEdit, onSave }) {
    Object.assign(this, { onEdit, onSave, drawn: 0 });
    this.list = make("ol");
    this.list.setAttribute("aria-live", "polite");
    this.live = make("div", "part live");
    this.live.setAttribute("aria-hidden", "true"); // whole steps are read out, not each token
    this.live.hidden = true;
    this.end = make("div", "end");
    this.end.hidden = true;
    this.node = make("article", "run", this.list, this.live, this.end);
    place.prepend(this.node);
  }

  show(view) {
    if (!this.name) {
      this.name = heading(view, view.edited ? `, changed at step ${view.edited}` : "");
      this.node.prepend(this.name);
    }
    this.view = view;
    for (; this.drawn < view.steps.length; this.drawn++) {
      const step = view.steps[this.drawn];
      this.list.append(make("li", "", ...stepView(step, step.i, view.method)));
    }
    this.live.hidden = !view.ask;
    if (view.ask) this.hear("");
    if (view.end) this.close(view);
  }

  hear(text) {
    if (text) this.live.replaceChildren(make("b", "", this.view.ask.cue), text);
    else this.live.replaceChildren(make("b", "", this.view.ask.cue), make("span", "why", " reading ..."));
  }

  wait(words) {
    this.live.hidden = false;
    this.live.replaceChildren(make("span", "why", words));
  }

  close({ end, steps, method }) {
    const facts = [`${end.calls} call${end.calls === 1 ? "" : "s"}`];
    if (end.tokens_out) facts.push(`${end.tokens_in} tokens read, ${end.tokens_out} written`);
    facts.push(`${end.seconds.toFixed(0)} s`);
    const save = button("Download this run", () => this.onSave(this));
    this.end.replaceChildren(...endView(end), make("p", "small", facts.join(", ")), make("p", "", save));
    this.end.hidden = false;
    if (method === "standard") return;
    for (const [i, item] of [...this.list.children].entries())
      if (steps[i]) item.append(button(`Change step ${steps[i].i}`, ({ target }) => this.edit(item, steps[i], target), "change"));
  }

  edit(item, step, opener) {
    opener.hidden = true;
    const thinks = this.view.method !== "act", acts = this.view.method !== "cot";
    const thought = make("textarea"), action = make("input"), form = make("form", "edit");
    thought.rows = 3;
    thought.value = step.thought;
    action.type = "text";
    action.value = step.action;
    if (thinks) form.append(make("label", "", `Thought ${step.i}`, thought));
    if (acts) form.append(make("label", "", `Action ${step.i}`, thinks ? " (left as it is, the model chooses anew)" : "", action));
    const shut = () => { form.remove(); opener.hidden = false; opener.focus(); };
    const fault = make("p", "wrong");
    fault.setAttribute("role", "alert");
    const send = make("button", "main", "Go on from here");
    form.append(make("p", "row", send, button("Leave it", shut)), fault);
    form.onsubmit = async (event) => {
      event.preventDefault();
      const told = { step: step.i };
      if (thinks && thought.value !== step.thought) told.thought = thought.value;
      if (acts && action.value !== step.action) told.action = action.value;
      if (told.thought === undefined && told.action === undefined) return void (fault.textContent = "Change something first.");
      try {
        await this.onEdit(this, told);
        shut();
      } catch (error) {
        fault.textContent = error.message;
      }
    };
    form.onkeydown = (event) => { if (event.key === "Escape") shut(); };
    item.append(form);
    (thinks ? thought : action).focus();
  }
}
