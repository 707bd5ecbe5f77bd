// The player on one recorded run, or on two side by side: player.html?run=SET:NUMBER&beside=SET:NUMBER

import { make, sorry } from "./model.js";
import { Player, rows, sets, sight } from "./runs.js";

const place = document.getElementById("player"), way = document.getElementById("way"), other = document.getElementById("other");
const back = document.getElementById("back");

function named(text) {
  const at = text.lastIndexOf(":");
  return at < 0 ? null : { set: text.slice(0, at), number: Number(text.slice(at + 1)) };
}

// The run that the address names, else the first of the first set; and the one to stand beside it.
async function wanted() {
  const asked = new URLSearchParams(location.search), first = { set: (await sets())[0].name, number: 1 };
  return { run: named(asked.get("run") ?? "") ?? first, beside: named(asked.get("beside") ?? "") };
}

const text = ({ set, number }) => `${set}:${number}`;

class Page {
  constructor() { this.player = new Player(place, (message) => this.heard(message)); }
  async open({ run, beside }, ack) {
    const two = [run, ...(beside ? [beside] : [])], { of } = await rows(run.set);
    const runs = await Promise.all(two.map(({ set, number }) => sight(set, number)));
    this.now = { run, beside };
    this.player.open(runs, { number: run.number, of: beside ? 1 : of }, ack);
    document.title = `${runs[0].task} · react_lab`;
    back.href = `index.html?set=${encodeURIComponent(run.set)}`;
    await this.offer(run);
  }
  async heard(message) {
    if (message.do !== "goto") return;
    try {
      await this.open({ run: { ...this.now.run, number: message.number }, beside: null }, message.ack);
      this.remember();
    } catch (error) {
      this.player.refuse(error.message, message.ack);
    }
  }
  remember() {
    const { run, beside } = this.now, asked = new URLSearchParams({ run: text(run), ...(beside ? { beside: text(beside) } : {}) });
    history.replaceState(null, "", `?${asked}`);
  }
  // Other runs of the same question in this set: a method beside another is what a class looks at.
  async offer(run) {
    const { rows: all, columns } = await rows(run.set), at = (name) => columns.indexOf(name);
    const question = all.find((row) => row[0] === run.number)?.[at("question")];
    const same = all.filter((row) => row[at("question")] === question && row[0] !== run.number);
    const words = (row) => `run ${row[0]}: ${row[at("method")]}, ${row[at("model")]}, ${row[at("grade")]}`;
    const options = same.map((row) => { const one = make("option", "", words(row)); one.value = row[0]; return one; });
    const none = make("option", "", same.length ? "nothing" : "no other run of this question in the set");
    none.value = "";
    other.replaceChildren(none, ...options);
    if (this.now.beside?.set === run.set) other.value = String(this.now.beside.number);
    way.hidden = false;
  }
}

const page = new Page();
other.onchange = () => {
  const { run } = page.now, beside = other.value ? { set: run.set, number: Number(other.value) } : null;
  page.open({ run, beside }).then(() => page.remember(), (error) => sorry(place, error));
};
wanted().then((asked) => page.open(asked)).catch((error) => sorry(place, error));
