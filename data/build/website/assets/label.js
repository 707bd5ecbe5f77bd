// The labeller on the shipped set: who labels, blind or not; the file stays in this browser until
// it is downloaded.

import labeller from "./labeller.js";
import { Model, download, sorry } from "./model.js";
import { Session } from "./session.js";

const KEYS = ["sound", "unsound", "label", "step", "note", "defer", "override", "undo", "redo", "next", "back", "filter"];
const place = document.getElementById("labeller"), form = document.getElementById("who"), after = document.getElementById("after");
const by = document.getElementById("by"), blind = document.getElementById("blind"), party = document.getElementById("party"), save = document.getElementById("save");
const forget = document.getElementById("forget"), told = document.getElementById("told");
let session = null, close = null;

// The lines of one person, in this browser.
function file(name) {
  const key = `react_lab labels ${name}`;
  return {
    lines: () => (localStorage.getItem(key) ?? "").split("\n").filter(Boolean),
    add: (line) => localStorage.setItem(key, `${localStorage.getItem(key) ?? ""}${line}\n`),
    text: () => localStorage.getItem(key) ?? "",
    forget: () => localStorage.removeItem(key),
  };
}

function heard(message, model) {
  const said = { ack: message.ack };
  if (KEYS.includes(message.key)) {
    try {
      session[message.key](message.argument ?? undefined);
    } catch (error) {
      said.alarm = `NOT SAVED: ${error.message}`; // this browser's memory is full or forbidden
    }
  }
  model.set({ run: session.sight, view: { ...session.view, ...said } });
}

async function start(event) {
  event?.preventDefault();
  const name = by.value.trim().toWellFormed();
  if (!name) return by.focus();
  const reply = await fetch(new URL("../label/set.json", import.meta.url));
  if (!reply.ok) throw new Error(`set.json is not there (${reply.status})`);
  const set = await reply.json();
  session = new Session(set, file(name), name, blind.checked, undefined, party.checked ? set.party : undefined);
  close?.();
  place.replaceChildren();
  const model = new Model({ still: session.still, run: session.sight, view: session.view }, (message) => heard(message, model));
  by.blur(); // else the keys would stay with the name
  close = labeller.render({ model, el: place });
  after.hidden = false;
  told.textContent = "";
}

form.onsubmit = (event) => { event.preventDefault(); start(event).catch((error) => sorry(place, error)); };
save.onclick = () => {
  download(session.name, session.file.text(), "application/jsonl");
  told.textContent = `${session.name}: put it into labels/ and merge it there, or give it to your teacher.`;
};
forget.onclick = () => {
  if (!confirm(`Forget all labels of ${session.by} in this browser? What was not downloaded is lost.`)) return;
  session.file.forget();
  close?.();
  close = null;
  place.replaceChildren();
  after.hidden = true;
};
