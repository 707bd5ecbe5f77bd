// The page's side of the Python worker: `await python.call("ask", {...})`.
// The worker begins as a blob, so that it lives under this page's Content-Security-Policy.
const url = new URL("python-worker.js", import.meta.url).href;

// A page that takes no address of a script from a text gets one that this file has made.
const made = globalThis.trustedTypes?.createPolicy("react_lab", { createScriptURL: (url) => url }) ?? { createScriptURL: (url) => url };

export class Python {
  constructor(onNote = () => {}) {
    const start = new Blob([`import ${JSON.stringify(url)};`], { type: "text/javascript" });
    this.worker = new Worker(made.createScriptURL(URL.createObjectURL(start)), { type: "module" });
    this.waiting = new Map();
    this.last = 0;
    this.ready = new Promise((done, failed) => {
      this.worker.onerror = (event) => failed(new Error(event.message || "Python could not start"));
      this.worker.onmessage = ({ data }) => {
        if (data.id !== undefined) this.heard(data);
        else if (data.ready) done();
        else if (data.fault) failed(new Error(data.fault));
        else onNote(data.note);
      };
    });
  }

  heard({ id, found, fault }) {
    const { done, failed } = this.waiting.get(id);
    this.waiting.delete(id);
    if (fault !== undefined) failed(new Error(fault));
    else if (found?.wrong) failed(new Wrong(found.wrong));
    else done(found);
  }

  stop() { this.worker.terminate(); }

  call(what, told = {}) {
    const id = ++this.last;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      this.worker.postMessage({ id, told: { do: what, ...told } });
    });
  }
}

export class Wrong extends Error { name = "Wrong"; } // what the person did, in a sentence
