// What a widget of ours asks of anywidget's model, without a kernel: values, events, messages.

export class Model {
  constructor(values, hear = () => {}) {
    this.values = { ...values };
    this.hear = hear; // what is done with a message: the kernel's part
    this.listeners = new Map();
  }
  get(name) { return this.values[name]; }
  set(given, value) {
    const more = typeof given === "string" ? { [given]: value } : given;
    Object.assign(this.values, more); // all of them first, as one message of a kernel is
    for (const name of Object.keys(more)) this.emit(`change:${name}`);
  }
  on(name, act) { this.listeners.set(name, [...(this.listeners.get(name) ?? []), act]); }
  off(name, act) { this.listeners.set(name, (this.listeners.get(name) ?? []).filter((one) => one !== act)); }
  emit(name, ...more) { for (const act of this.listeners.get(name) ?? []) act(...more); }
  send(message) { queueMicrotask(() => this.hear(message)); }
  save_changes() {}
}

// An element with a class, a text and what is in it: every text goes in as text.
export function make(tag, name, text, ...inside) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text !== undefined && text !== null) node.textContent = text;
  node.append(...inside);
  return node;
}

// Takes a file out of the page, without a server.
export function download(name, text, type = "application/json") {
  const link = make("a"), url = URL.createObjectURL(new Blob([text], { type }));
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// A sentence in place of what could not be shown.
export function sorry(place, error) {
  place.replaceChildren(make("p", "alarm", `This could not be loaded: ${error.message}. Is the folder whole, and does a web server show it?`));
  place.firstChild.setAttribute("role", "alert");
}
