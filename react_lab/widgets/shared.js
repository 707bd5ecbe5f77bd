// What all widgets share; `widget_model.py` puts it before each one's own part, and before it LANG and
// WORDS: the words of the language that is spoken. Every text goes in as text.

// An element with classes and a text in it: `make("div", "cell now", "a text", ...inside)`.
const maker = (prefix) => (tag, name, text, ...inside) => {
  const node = document.createElement(tag);
  if (name) node.className = name.split(" ").filter(Boolean).map((one) => `${prefix}-${one}`).join(" ");
  if (text !== undefined && text !== null) node.textContent = text;
  node.append(...inside);
  return node;
};

function pressable(node, press, key = "") {
  node.type = "button";
  node.onclick = press;
  if (key) node.setAttribute("aria-keyshortcuts", key);
  return node;
}

// A button that shows its key; a text that changes goes into its last child.
function keyButton(make, words, key, press) {
  const shown = key ? [make("kbd", null, key), make("span", null, ` ${words}`)] : [make("span", null, words)];
  return pressable(make("button", "button", null, ...shown), press, key);
}

// ---------------------------------------------------------------------- words

const thousands = (n) => n.toLocaleString(LANG);

// The words under a key, with what is given in the places of their {names}. `n` is a count.
function t(key, given = {}) {
  const words = WORDS[key], one = Array.isArray(words) ? words[given.n === 1 ? 0 : words.length - 1] : words;
  return one.replace(/\{(\w+)\}/g, (_, name) => (typeof given[name] === "number" && name === "n" ? thousands(given.n) : String(given[name])));
}

// The word for something that has a name of its own; without one, its name.
const word = (table, key) => (Object.hasOwn(WORDS, `${table}.${key}`) ? t(`${table}.${key}`) : key);

// ---------------------------------------------------------------------- the keyboard

const chord = (event) => Boolean(event.ctrlKey || event.metaKey || event.altKey);

// Plain keys never reach the notebook; chords do (Ctrl+S), but for the widget's own. The notebook
// asks for a mark: JupyterLab around the element in focus, Notebook 7 at it. So both have it.
const GUARDED = "data-lm-suppress-shortcuts";
function guard(root, own = () => false) {
  const passes = (event) => chord(event) && !own(event);
  const mark = (event) => {
    for (const node of [root, event.target ?? root]) {
      if (passes(event)) node.removeAttribute(GUARDED);
      else node.setAttribute(GUARDED, "true");
    }
  };
  mark({});
  for (const kind of ["keydown", "keyup", "focusin"]) root.addEventListener(kind, mark, true);
  root.addEventListener("keydown", (event) => { if (goesOn(root, event)) { event.preventDefault(); event.stopImmediatePropagation(); } }, true);
  root.addEventListener("keydown", (event) => { if (!passes(event)) event.stopPropagation(); });
}

// Shift+Enter goes to the next cell: code runs, as without a widget; a text is there to be read.
function goesOn(root, event) {
  const cell = root.closest(".jp-Cell"), writes = event.target.closest("textarea, input, select");
  if (!cell || writes || event.key !== "Enter" || !event.shiftKey || chord(event)) return false;
  const next = [...cell.parentElement.children].find((one) => place(one) === place(cell) + 1);
  const at = next?.querySelector(".jp-InputPrompt");
  if (!at) return false;
  for (const kind of ["mousedown", "mouseup"]) at.dispatchEvent(new MouseEvent(kind, { bubbles: true }));
  if (next.matches(".jp-MarkdownCell")) { next.scrollIntoView({ block: "nearest" }); return true; }
  const { key, code, keyCode, shiftKey } = event;
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, code, keyCode, shiftKey, bubbles: true }));
  return true;
}

// Whether the keyboard is in use elsewhere: by who writes, by a menu, by something in an output, or
// by a reader who is in another cell. Then a widget that appears leaves it there. `root` may take it
// from what stands in its own output.
const TAKES_KEYS = ".cm-editor, input, textarea, select, [contenteditable='true'], .lm-Menu, dialog, .jp-Dialog";
const OUTPUT = ".jp-OutputArea-output";
function inUse(root) {
  const at = document.activeElement, beside = root.closest(OUTPUT)?.contains(at);
  if (!beside && !isAtHand(root)) return true;
  if (!at || at === document.body) return false;
  return Boolean(at.closest(TAKES_KEYS) || (!beside && at.closest(`[${GUARDED}], ${OUTPUT}`)));
}

// Which cell of its notebook it is.
const place = (cell) => Number(cell.dataset.windowedListIndex ?? [...cell.parentElement.children].indexOf(cell));

// Who runs a cell stands in it, or after Shift+Enter in the next one; after Run All in the last.
function isAtHand(root) {
  const cell = root.closest(".jp-Cell"), active = cell?.closest(".jp-Notebook")?.querySelector(".jp-Cell.jp-mod-active");
  if (!cell) return true; // no notebook
  return Boolean(active) && [0, 1].includes(place(active) - place(cell));
}

// Who has the keys sees where it begins: the notebook shows the end of what a cell has put out.
function inSight(root) {
  const page = root.closest(".jp-WindowedPanel-outer, .jp-Notebook");
  if (page && root.getBoundingClientRect().top < page.getBoundingClientRect().top) root.scrollIntoView({ block: "start" });
}

// Once `root` stands in the page, and has a height.
function appeared(root, act) {
  let waits = 0;
  const look = () => { waits = root.isConnected && root.offsetParent ? 0 : requestAnimationFrame(look); if (!waits) act(); };
  look();
  return () => cancelAnimationFrame(waits);
}
