// The bundled model in this tab: llama.cpp in WebAssembly. It answers what the Python asks.
import { LoggerWithoutDebug, Wllama } from "./wllama/wllama.js";

const SHELF = "react_lab weights";
const keyOf = (file) => new URL(`${file.url}?${file.sha256.slice(0, 16)}`, import.meta.url).href;

async function shelf() {
  try {
    return await globalThis.caches?.open(SHELF); // none on a plain http address
  } catch {
    return undefined; // forbidden: loaded at every visit
  }
}

export async function keptFiles(files) {
  const store = await shelf();
  if (!store) return { can: false, lacking: files };
  const found = await Promise.all(files.map((file) => store.match(keyOf(file))));
  return { can: true, lacking: files.filter((_, i) => !found[i]) };
}

// Bytes held by this page, read as wllama reads a Blob. A Blob is kept by the browser, and Chromium
// loses those of a page that has just loaded itself anew for its threads.
class Held {
  constructor(bytes) {
    Object.assign(this, { bytes, size: bytes.length });
  }
  slice(from, to) {
    return new Held(this.bytes.subarray(from, to));
  }
  async arrayBuffer() {
    return this.bytes.slice().buffer; // a copy: it is given away to the worker
  }
  stream() {
    return new Response(this.bytes).body;
  }
}

async function heldOf(file, store, onBytes) {
  const kept = await store?.match(keyOf(file));
  const bytes = kept && new Uint8Array(await kept.arrayBuffer());
  if (bytes?.length === file.bytes) return onBytes(bytes.length), new Held(bytes);
  const answer = await fetch(keyOf(file));
  if (!answer.ok) throw new Error(`${file.url} is not on this server (${answer.status})`);
  const come = new Uint8Array(file.bytes), reader = answer.body.getReader();
  let had = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (had + part.value.length <= come.length) come.set(part.value, had);
    onBytes((had += part.value.length));
  }
  if (had !== file.bytes) throw new Error(`${had} instead of ${file.bytes} bytes of ${file.url} came: reload the page`);
  return new Held(come);
}

async function allOf(files, onBytes) {
  const store = await shelf(), had = files.map(() => 0), all = [];
  const heard = (i) => (bytes) => onBytes((had[i] = bytes, had.reduce((a, b) => a + b)));
  for (const [i, file] of files.entries()) all.push(await heldOf(file, store, heard(i)));
  return all;
}

// After the start, so that nobody waits for it. On a full disk the model is loaded at every visit.
async function keep(files, all) {
  const store = await shelf(), keys = files.map(keyOf);
  for (const old of (await store?.keys()) ?? []) if (!keys.includes(old.url)) await store.delete(old);
  for (const [i, key] of keys.entries())
    if (store && !(await store.match(key))) await store.put(key, new Response(all[i].bytes));
}

export function threadsHere(asked) {
  const most = globalThis.crossOriginIsolated ? Math.max(1, Math.min(8, navigator.hardwareConcurrency || 1)) : 1;
  return asked ? Math.max(1, Math.min(asked, most)) : most;
}

export class Model {
  constructor(about, threads) {
    Object.assign(this, { about, threads, busy: Promise.resolve() });
  }

  async load(onBytes, onNote) {
    const all = await allOf(this.about.files, onBytes);
    onNote();
    this.llama = new Wllama({ default: new URL("wllama/wllama.wasm", import.meta.url).href },
      { logger: LoggerWithoutDebug, suppressNativeLog: true, allowOffline: true });
    this.llama.setCompat(null); // its other builds would come from elsewhere
    const place = (i) => `models/model-${String(i + 1).padStart(5, "0")}-of-${String(all.length).padStart(5, "0")}.gguf`;
    await this.llama.loadModel(all, {
      n_ctx: this.about.reads, n_parallel: 1, n_gpu_layers: 0, n_threads: this.threads, n_batch: 64, warmup: false,
      lora_adapters: all.slice(1).map((_, i) => ({ path: place(i + 1) })),
      lora_init_without_apply: true, // each request names every adapter's scale
    });
    this.threads = this.llama.getNumThreads() || 1;
    this.kept = keep(this.about.files, all).catch(() => {});
  }

  // {text, why, tokens_in, tokens_out, seconds, settings}. An aborted one rejects at once; the next waits.
  async complete(ask, onText, signal) {
    await this.busy;
    signal.throwIfAborted();
    const began = performance.now();
    let text = "", why = "stop", usage, timings;
    const onData = (part) => {
      const [choice] = part.choices ?? [];
      text += choice?.text ?? "";
      why = choice?.finish_reason === "length" ? "length" : why;
      usage = part.usage ?? usage;
      timings = part.timings ?? timings;
      if (!signal.aborted) onText(text, timings);
    };
    const { prompt, stop, max_tokens, temperature, scales } = ask;
    const lora = scales.map((scale, id) => ({ id, scale }));
    const work = this.llama.createCompletion({ prompt, stop, max_tokens, temperature, lora, cache_prompt: true,
      timings_per_token: true, stream: true, onData, abortSignal: signal });
    this.busy = work.catch(() => {});
    await Promise.race([work, new Promise((_, stopped) => signal.addEventListener("abort", () => stopped(signal.reason)))]);
    const settings = { api: "wllama", temperature, stop_sent: stop.length > 0, threads: this.threads };
    return { text, why, tokens_in: usage?.prompt_tokens ?? null, tokens_out: usage?.completion_tokens ?? null,
      seconds: (performance.now() - began) / 1000, settings };
  }
}
