// What a lesson asks, in its page: keeps predictions, answers and hints in this browser, says why an
// answer is right, and writes the report that `lesson.report` writes.

import { download } from "./model.js";

const article = document.querySelector("[data-lesson]"), lesson = article.dataset.lesson, KEY = `react_lab lesson ${lesson}`;
const EMPTY = { predictions: {}, chosen: {}, hints: {}, code: {}, tried: {}, by: "" };
let memory = { ...EMPTY };

function recalled() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return Object.fromEntries(Object.entries(EMPTY).map(([name, empty]) => [name, typeof found?.[name] === typeof empty && found[name] ? found[name] : structuredClone(empty)]));
  } catch {
    return structuredClone(EMPTY);
  }
}

// Where the browser keeps nothing, the answers last as long as the page.
function keep() {
  try { localStorage.setItem(KEY, JSON.stringify(memory)); } catch { return " (This browser keeps nothing: do not close the page before you hand in.)"; }
  return "";
}

const all = (kind) => [...document.querySelectorAll(`[data-ask="${kind}"]`)];
const said = (box) => box.querySelector(".said");

// ---------------------------------------------------------------------- predictions
function predictions() {
  for (const box of all("predict")) {
    const { key, question } = box.dataset, radios = [...box.querySelectorAll("input[type=radio]")];
    const before = memory.predictions[key]?.question === question ? String(memory.predictions[key].said) : null;
    for (const radio of radios) radio.checked = radio.value === before;
    said(box).textContent = before === null ? "Your prediction: none yet" : `Your prediction: ${before}`;
    box.querySelector("button").onclick = () => {
      const guess = radios.find((radio) => radio.checked)?.value;
      if (guess === undefined) { said(box).textContent = "Choose one first."; return; }
      memory.predictions[key] = { question, said: guess };
      said(box).textContent = `Your prediction: ${guess}${keep()}`;
      recalls();
    };
  }
}

function recalls() {
  for (const box of all("recall")) {
    const made = memory.predictions[box.dataset.key], came = box.querySelector("p[hidden], p.came");
    came.classList.add("came");
    came.hidden = !made;
    said(box).textContent = made ? `${made.question} You said: ${made.said}` : "You made none. Answer the question above, and look here again.";
  }
}

// ---------------------------------------------------------------------- the quiz
function quiz() {
  const score = document.querySelector(".score");
  const count = () => {
    if (!score) return;
    const boxes = all("choice"), taken = boxes.filter((box) => answer(box)), right = taken.filter((box) => answer(box).classList.contains("right"));
    score.textContent = `Score: ${right.length} right, ${taken.length} of ${boxes.length} answered`;
  };
  for (const box of all("choice")) {
    const radios = [...box.querySelectorAll("input[type=radio]")];
    const show = () => { for (const why of box.querySelectorAll(".why")) why.hidden = Number(why.dataset.option) !== memory.chosen[box.dataset.question]; };
    for (const radio of radios) radio.checked = Number(radio.value) === memory.chosen[box.dataset.question];
    show();
    box.querySelector("button").onclick = () => {
      const chosen = radios.find((radio) => radio.checked);
      if (!chosen) return radios[0].focus();
      memory.chosen[box.dataset.question] = Number(chosen.value);
      keep();
      show();
      count();
    };
  }
  count();
}

// Why the option taken is right or not; nothing where none was taken.
const answer = (box) => box.querySelector(`.why[data-option="${Number(memory.chosen[box.dataset.question] ?? -1)}"]`);

// ---------------------------------------------------------------------- hints
function hints() {
  for (const box of all("help")) {
    for (const hint of box.querySelectorAll("[data-hint]")) hint.firstElementChild.onclick = () => {
      if (hint.open) return;  // it closes: a click comes before what it does
      const { number } = box.dataset;
      memory.hints[number] = Math.max(memory.hints[number] ?? 0, Number(hint.dataset.hint));
      keep();
    };
  }
}

// ---------------------------------------------------------------------- a student's code
const PATIENCE = 15000; // ms that code may take; a page cannot interrupt it, only end its Python
let python = null;

// Python and the package, loaded once a page, when something is first checked.
async function running(note) {
  const { Python } = await import("../live/python.js");
  python ??= new Python((what) => note(`${what} is being loaded, once a page ...`));
  await python.ready;
  return python;
}

async function judged(told, note) {
  let timer;
  try {
    const there = await running(note);
    note("Your code runs ...");
    const late = new Promise((_, failed) => { timer = setTimeout(() => failed(new Error("Your code has not ended after 15 seconds: does its loop end?")), PATIENCE); });
    return await Promise.race([there.call("check", told), late]);
  } catch (error) {
    if (error.name !== "Wrong") { python?.stop(); python = null; } // the next check begins with another one
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function checks() {
  for (const box of all("check")) {
    const { number, answer } = box.dataset, field = box.querySelector("textarea"), [check, anew] = box.querySelectorAll("button");
    const note = (words) => { said(box).textContent = words; };
    field.value = memory.code[number] ?? field.defaultValue;
    field.oninput = () => { memory.code[number] = field.value; keep(); };
    anew.onclick = () => { delete memory.code[number]; keep(); field.value = field.defaultValue; note(""); };
    check.onclick = async () => {
      check.disabled = true;
      const code = field.value;
      try {
        const found = await judged({ lesson, number, code, answer }, note);
        note(found.text);
        if (found.passed !== null) tried(number, found.passed, code);
      } catch (error) {
        note(String(error.message ?? error));
      }
      check.disabled = false;
    };
  }
}

// As the notebook's report counts it: the code that passed stays, else the last one.
function tried(number, passed, code) {
  const before = memory.tried[number] ?? { passed: false, tries: 0, given: "" };
  const given = passed || !before.passed ? code.slice(0, 4000) : before.given;
  memory.tried[number] = { passed: passed || before.passed, tries: before.tries + 1, given };
  keep();
}

// ---------------------------------------------------------------------- the report
function written(by, exercises) {
  const predictions = Object.entries(memory.predictions).map(([key, { question, said }]) => ({ key, question, said: String(said) }));
  const worked = exercises.map((number) => ({ number, passed: false, tries: 0, given: "", ...memory.tried[number], hints: memory.hints[number] ?? 0 }));
  const chosen = all("choice").map((box) => {
    const why = answer(box), text = why ? box.querySelector(`input[value="${why.dataset.option}"] + span`).textContent : "";
    return { question: box.dataset.question, option: text, right: why ? why.classList.contains("right") : null };
  });
  return { lesson, by, predictions, exercises: worked, quiz: chosen, schema: 1 };
}

function reports() {
  for (const box of all("report")) {
    const name = box.querySelector("input"), [save, forget] = box.querySelectorAll("button");
    name.value = memory.by;
    save.onclick = () => {
      const by = name.value.trim().toWellFormed();
      if (!by) { said(box).textContent = "Write your name first."; return name.focus(); }
      memory.by = by;
      keep();
      const file = `${lesson}-${by.replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|-+$/g, "") || "somebody"}.json`;
      download(file, `${JSON.stringify(written(by, JSON.parse(box.dataset.exercises)), null, 1)}\n`);
      const elsewhere = document.querySelector("[data-ask=check]") ? "" : " Exercises with code are checked in the notebook alone.";
      said(box).textContent = `${file} is in your downloads.${elsewhere}`;
    };
    forget.onclick = () => {
      memory = structuredClone(EMPTY);
      localStorage.removeItem(KEY);
      start();
    };
  }
}

function start() {
  for (const act of [predictions, recalls, quiz, hints, checks, reports]) act();
}

memory = recalled();
start();
