// The page on which the agent is asked: it loads, hands asks of the Python to the model, and shows.
import { Card, endView, heading, make, button, stepView } from "./card.js";
import { Model, keptFiles, threadsHere } from "./model.js";
import { Python } from "./python.js";

const $ = (id) => document.getElementById(id);
const MB = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
const asked = Number(new URLSearchParams(location.search).get("threads")) || undefined;
const cards = [];
let python, model, about, offers = {}, stopping, busy = false;

// ---------------------------------------------------------------- threads

async function isolate() { // one reload, once: a browser that refuses runs on one thread
  if (globalThis.crossOriginIsolated || !navigator.serviceWorker || sessionStorage.getItem("threads tried")) return false;
  sessionStorage.setItem("threads tried", "1");
  try {
    await navigator.serviceWorker.register("threads.js");
    await navigator.serviceWorker.ready;
  } catch {
    return false;
  }
  location.reload();
  return true;
}

function threadWords() {
  const threads = threadsHere(asked);
  if (threads > 1) return `It may use ${threads} threads here.`;
  if (globalThis.crossOriginIsolated) return "It uses one thread here.";
  return globalThis.isSecureContext
    ? "It uses one thread here: this browser did not allow more."
    : "It uses one thread here: more need an address that begins with https:// or localhost.";
}

// ---------------------------------------------------------------- loading

async function offerToLoad() {
  about = await (await fetch("about.json", { cache: "no-cache" })).json();
  const all = about.files.reduce((sum, file) => sum + file.bytes, 0);
  const { can, lacking } = await keptFiles(about.files);
  const left = lacking.reduce((sum, file) => sum + file.bytes, 0);
  $("sizes").textContent = left
    ? `To load: the model and its four adapters, ${MB(left)}, and Python with the encyclopedia, ${MB(about.python)}. It takes about 0.6 GB of memory.`
    : `The model (${MB(all)}) is kept in this browser; Python and the encyclopedia are ${MB(about.python)}.`;
  const keeps = can ? "This browser keeps the model for the next time." : "This browser keeps nothing at such an address: the model is loaded at each visit.";
  $("place").textContent = `${keeps} ${threadWords()}`;
  $("load").disabled = false;
  $("load").onclick = load;
  if (!left) load();
}

async function load() {
  $("load").disabled = true;
  $("load").hidden = true;
  $("bars").hidden = false;
  const began = performance.now();
  try {
    await Promise.all([loadPython(), loadModel()]);
  } catch (error) {
    $("sizes").textContent = `It could not be loaded: ${error.message}`;
    $("sizes").className = "wrong";
    return;
  }
  const took = ((performance.now() - began) / 1000).toFixed(0);
  $("sizes").textContent = `Ready: loaded in ${took} s, ${model.threads} thread${model.threads === 1 ? "" : "s"}.`;
  $("bars").hidden = true;
  $("go").disabled = false;
  document.body.dataset.ready = took;
}

async function loadPython() {
  python = new Python((note) => ($("python-note").textContent = `${note} ...`));
  await python.ready;
  offers = await python.call("offers");
  $("python-bar").value = 1;
  $("python-note").textContent = "ready";
  fillTries();
}

async function loadModel() {
  const all = about.files.reduce((sum, file) => sum + file.bytes, 0);
  const made = new Model(about, threadsHere(asked));
  const heard = (bytes) => {
    $("model-bar").value = bytes / all;
    $("model-note").textContent = `${MB(bytes)} of ${MB(all)}`;
  };
  await made.load(heard, () => ($("model-note").textContent = "starting ..."));
  $("model-note").textContent = "ready";
  model = made;
}

// ---------------------------------------------------------------- asking

const chosen = (name) => document.querySelector(`input[name="${name}"]:checked`).value;

function fillTries() {
  const rest = (offers[chosen("kind")] ?? []).map((text) => new Option(text, text));
  $("try").replaceChildren(new Option("choose ...", ""), ...rest);
  $("text-name").textContent = chosen("kind") === "claims" ? "Your claim" : "Your question";
}

function say(words, wrong = false) {
  $("status").textContent = words;
  $("status").className = wrong ? "wrong" : "";
}

function running(on) {
  busy = on;
  $("go").disabled = on || !model;
  $("stop").disabled = !on;
  $("all").hidden = !cards.some((card) => card.view?.end);
  if (on) say("It reads and writes ...");
}

function newCard(view) {
  $("none").hidden = true;
  const card = new Card($("runs"), { onEdit: change, onSave: (one) => save([one]) });
  cards.push(card);
  card.show(view);
  return card;
}

async function start() {
  const told = { kind: chosen("kind"), text: $("text").value, plain: Boolean($("plain").value) };
  const methods = [chosen("method"), $("beside").value].filter((name, i, all) => name && all.indexOf(name) === i);
  const waiting = [];
  for (const method of methods.toReversed()) waiting.unshift(newCard(await python.call("ask", { ...told, method })));
  waiting[0].node.scrollIntoView({ block: "nearest" });
  await playAll(waiting);
}

async function change(card, told) {
  if (busy) throw new Error("Wait until the other run is over, or stop it.");
  const view = await python.call("edit", { at: card.view.at, ...told });
  const made = newCard(view);
  card.node.after(made.node); // beside what it goes on from
  made.node.scrollIntoView({ block: "nearest" });
  playAll([made]).catch(broke);
}

async function playAll(waiting) {
  running(true);
  stopping = new AbortController();
  for (const card of waiting.slice(1)) card.wait("waits for the one before it ...");
  try {
    for (const card of waiting) await play(card, stopping.signal);
    say(stopping.signal.aborted ? "Stopped." : "Done.");
  } finally {
    running(false);
  }
}

async function play(card, signal) {
  const { at } = card.view;
  card.show(card.view);
  while (card.view.ask) {
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1000;
    try {
      const reply = await model.complete(card.view.ask, (text, timings) => heard(card, text, timings), signal);
      card.show(await python.call("tell", { at, reply }));
    } catch (error) {
      const fault = signal.aborted ? "" : String(error.message ?? error);
      card.show(await python.call("stop", { at, fault, seconds: seconds() }));
    }
  }
}

function heard(card, text, timings) {
  if (card.view.ask) card.hear(text);
  if (!timings?.predicted_n || timings.predicted_n < 8 || !timings.prompt_n) return;
  const read = timings.prompt_ms / timings.prompt_n / 1000, write = timings.predicted_ms / timings.predicted_n / 1000;
  const step = about.typical.read * read + about.typical.written * write;
  const pace = (each) => (1 / each).toFixed(each > 0.2 ? 1 : 0);
  $("speed").textContent = `Here it reads ${pace(read)} and writes ${pace(write)} tokens a second: about ${Math.max(1, Math.round(step))} s a step; react takes 2 to 7 steps.`;
}

async function save(some) {
  const { text } = await python.call("lines", { ats: some.map((card) => card.view.at) });
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  link.download = some.length === 1 ? `run-${some[0].view.end.id}.jsonl` : "runs.jsonl";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const broke = (error) => say(error.message ?? String(error), true);

// ---------------------------------------------------------------- recorded runs

async function showRecorded() {
  const runs = await (await fetch("recorded.json", { cache: "no-cache" })).json();
  $("which").replaceChildren(...runs.map((run, i) => new Option(run.task, i)));
  $("which").onchange = () => replay(runs[Number($("which").value)]);
  replay(runs[0]);
}

function replay(run) {
  const list = make("ol"), last = make("div"), node = make("article", "run", heading(run), list, last);
  let at = 0;
  const next = button("Next step", () => {
    const step = run.steps[at++];
    list.append(make("li", "", ...stepView(step, at)));
    if (at < run.steps.length) return;
    next.remove();
    last.append(...endView(run), ...(run.watch ? [make("p", "", make("b", "", "Look at this: "), run.watch)] : []));
  });
  list.setAttribute("aria-live", "polite");
  node.append(next);
  $("replay").replaceChildren(node);
  next.click();
}

// ---------------------------------------------------------------- the page

for (const radio of document.querySelectorAll('input[name="kind"]')) radio.onchange = fillTries;
$("try").onchange = () => { if ($("try").value) $("text").value = $("try").value; };
$("form").onsubmit = (event) => { event.preventDefault(); if (!$("go").disabled) start().catch(broke); };
$("text").onkeydown = (event) => { if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); $("form").requestSubmit(); } };
$("stop").onclick = () => { stopping?.abort(); $("stop").disabled = true; say("Stopping ..."); };
$("all").onclick = () => save(cards.filter((card) => card.view.end)).catch(broke);

if (!(await isolate())) {
  showRecorded().catch(broke);
  offerToLoad().catch(broke);
}
