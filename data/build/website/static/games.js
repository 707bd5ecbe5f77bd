// Games and shopping goals by hand: the notebook's console, with the Python of this tab as its kernel.
import { Python } from "./python.js";
import console from "./console.js";

const $ = (id) => document.getElementById(id);
const [kind, split] = document.body.dataset.game === "shop" ? ["shop", "dev"] : ["household", "unseen"];
const python = new Python((note) => ($("status").textContent = `Loading ${note} and the game, 15 MB ...`));
let close = () => {};

class Front { // what the console takes for its notebook
  constructor(still, view) {
    Object.assign(this, { still: { ...still, patience: 60_000 }, view, picture: null, heard: {} });
  }
  get(name) { return this[name]; }
  on(name, hear) { this.heard[name] = hear; }
  off(name) { delete this.heard[name]; }
  async send(message) {
    try {
      this.view = await python.call("act", message);
    } catch (error) {
      this.view = { ...this.view, said: error.message, ack: message.ack };
    }
    this.heard["change:view"]?.();
    told(this.view);
  }
}

function told(view) {
  $("download").hidden = !view.lines.length;
  const score = view.reward === null ? "" : ` Reward: ${Number(view.reward.toFixed(2))} of 1.`;
  $("status").textContent = view.over ? `It is over.${score}` : "";
}

async function play() {
  const { still, view } = await python.call("play", { kind, split, id: $("which").value });
  close();
  $("game").replaceChildren();
  close = console.render({ model: new Front(still, view), el: $("game") });
  told(view);
}

async function save() {
  const { text } = await python.call("played");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  link.download = `by-hand-${$("which").value}.jsonl`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const broke = (error) => { $("status").textContent = error.message; };

try {
  await python.ready;
  $("status").textContent = "";
  const games = await python.call("games", { kind, split });
  $("which").replaceChildren(...games.map(({ id, text }) => new Option(`${id}: ${text}`, id)));
  $("which").disabled = false;
  $("which").onchange = () => play().catch(broke);
  $("download").onclick = () => save().catch(broke);
  await play();
  document.body.dataset.ready = "yes";
} catch (error) {
  broke(error);
}
