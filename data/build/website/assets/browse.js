// The run browser: a set of recorded runs in a table, and below it one run, or two side by side.

import explorer from "./explorer.js";
import { Model, download, make, sorry } from "./model.js";
import { Player, lines, rows, sets, sight } from "./runs.js";
import { Table } from "./table.js";

const place = document.getElementById("runs"), choose = document.getElementById("set"), about = document.getElementById("about");
const asked = new URLSearchParams(location.search);
let close = null;

class Browser {
  constructor(set, found) {
    this.set = set;
    this.table = new Table(found, () => lines(set));
    this.below = make("div", "below");
    this.below.tabIndex = -1;
    this.link = make("a", "own", "These in a page of their own");
    this.player = new Player(make("div"));
    this.model = new Model({ still: this.table.still(), view: this.table.view() }, (message) => this.heard(message));
    this.turn = Promise.resolve();
  }
  heard(message) { this.turn = this.turn.then(() => this.done(message)); } // one after the other
  async done(message) {
    this.table.start = Number.isInteger(message.start) ? message.start : 0;
    const { start } = this.table;
    try {
      await this.act(message);
    } catch (error) {
      this.table.said = error.message;
    }
    if (message.do === "look" || message.do === "tick") this.table.start = start;
    this.model.set({ view: this.table.view(message.ack) });
  }
  async act(message) {
    const table = this.table;
    const menu = table.found.menus[message.facet] ?? [];
    switch (message.do) {
      case "filter": {
        const only = { ...table.query.only };
        delete only[message.facet];
        if (menu[message.value]) only[message.facet] = menu[message.value][0];
        return table.ask({ only });
      }
      case "search": return table.search(message.text);
      case "sample": return table.ask({ sample: message.n > 0 ? [message.n, message.seed] : null });
      case "sort": return table.ask({ by: message.by, down: message.down });
      case "clear": return table.clear();
      case "tick": return table.tick([message.number], message.on);
      case "tick_shown": return table.tick(table.shown());
      case "untick": return table.tick([...table.ticked], false);
      case "open": return this.show([message.number], `Run ${message.number} is open below`);
      case "compare": {
        const two = [...table.ticked];
        if (two.length !== 2) throw new Error(`${two.length} runs are ticked: tick two to compare them`);
        return this.show(two, `Run ${two[0]} stands below on the left, run ${two[1]} on the right`);
      }
      case "save": return this.save();
    }
  }
  async show(numbers, words) {
    const runs = await Promise.all(numbers.map((number) => sight(this.set, number)));
    this.below.replaceChildren(this.link, this.player.el);
    this.link.href = `player.html?${address(numbers.map((number) => [this.set, number]))}`;
    this.player.open(runs);
    this.table.open = true;
    this.table.said = words;
    if (!document.activeElement?.closest(".rl-explorer")) this.below.scrollIntoView({ block: "nearest" });
  }
  async save() {
    const all = await lines(this.set), chosen = this.table.selection();
    download(`${this.set.replaceAll("/", "-")}.jsonl`, `${chosen.map((number) => all[number - 1]).join("\n")}\n`, "application/jsonl");
    this.table.said = `${chosen.length.toLocaleString("en")} runs are in the file: rl.store.open("....jsonl") opens it`;
  }
}

const address = (runs) => new URLSearchParams(runs.map(([set, number], i) => [i ? "beside" : "run", `${set}:${number}`])).toString();

async function open(set) {
  place.setAttribute("aria-busy", "true");
  try {
    const browser = new Browser(set, await rows(set)), el = make("div");
    close?.();
    place.replaceChildren(el, browser.below);
    close = explorer.render({ model: browser.model, el });
    about.href = `${set}/runs.jsonl`;
    about.hidden = false;
    if (asked.get("set") === set && asked.get("text")) browser.heard({ do: "search", text: asked.get("text") });
  } catch (error) {
    sorry(place, error);
  }
  place.setAttribute("aria-busy", "false");
}

async function start() {
  const found = await sets();
  choose.replaceChildren(...found.map(({ name, title, runs }) => {
    const option = make("option", "", `${title} (${runs})`);
    option.value = name;
    return option;
  }));
  if (found.some(({ name }) => name === asked.get("set"))) choose.value = asked.get("set");
  choose.onchange = () => open(choose.value);
  await open(choose.value);
}

start().catch((error) => sorry(place, error));
