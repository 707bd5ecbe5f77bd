// The recorded runs of the site: sets, rows, and single runs, each file asked for when it is needed.

import { Model } from "./model.js";
import player from "./player.js";

const kept = new Map(); // a file -> the promise of what is in it

async function file(path, as = "json") {
  const reply = await fetch(new URL(`../runs/${path}`, import.meta.url));
  if (!reply.ok) throw new Error(`${path} is not there (${reply.status})`);
  return reply[as]();
}

function once(path, as) {
  if (!kept.has(path)) {
    const found = file(path, as);
    kept.set(path, found);
    found.catch(() => kept.delete(path)); // asked again when it is wanted again
  }
  return kept.get(path);
}

export const sets = () => once("sets.json");
export const lines = async (set) => (await once(`${await known(set)}/runs.jsonl`, "text")).split("\n").filter((line) => line.trim());
export const rows = async (set) => once(`${await known(set)}/rows.json`);

// Only the sets of the list are asked for, whatever an address says.
async function known(set) {
  if (!(await sets()).some((one) => one.name === set)) throw new Error("there is no such set of runs");
  return set;
}

// The run with this number, the first is 1, as the player shows it.
export async function sight(set, number) {
  const { starts, of } = await rows(set);
  if (!Number.isInteger(number) || number < 1 || number > of) throw new Error(`there is no run ${number}: the set has ${of}`);
  let piece = starts.length - 1;
  while (starts[piece] > number - 1) piece -= 1;
  const found = await once(`${set}/${piece}.json`);
  return whole(found.runs[number - 1 - starts[piece]], found.pool);
}

// What comes more than once in a file stands in its pool: a number is put back.
function whole(run, pool) {
  const prompt = { ...run.prompt }, world = { ...run.world };
  if ("head" in prompt) prompt.head = pool[prompt.head];
  world.pages = Object.fromEntries(Object.entries(world.pages).map(([title, at]) => [title, pool[at]]));
  world.at = world.at.map((view) => {
    const full = { ...view };
    for (const key of ["receptacles", "buttons"]) if (view[key]?.length) full[key] = view[key].map((at) => pool[at]);
    return full;
  });
  return { ...run, prompt, world };
}

const STILL = { static: true, can_fork: false, why_not: "A recorded run stays as it is: in the live tab, or in a notebook, you can change a thought and go on." };

// The player in an element: open(run), or open(run, other) side by side. hear: what "run N of M" asks.
export class Player {
  constructor(el, hear = () => {}) {
    [this.el, this.hear, this.looked] = [el, hear, 0];
  }
  open(runs, place = { number: 1, of: 1 }, ack = undefined) {
    const tree = runs.map((run) => [-1, `${run.method}, ${run.model}`, ""]);
    const view = { ...place, looks: runs.map((_, i) => i), looked: (this.looked += 1), live: -1, playing: false, tree, ack };
    if (this.model) return this.model.set({ runs, view });
    this.model = new Model({ still: STILL, runs, live: {}, text: "", view }, (message) => this.hear(message));
    player.render({ model: this.model, el: this.el });
  }
  refuse(alarm, ack) { this.model.set({ view: { ...this.model.get("view"), alarm, ack } }); }
}
