// The package's own Python, off the page's thread. Messages: {id, told: {do, ...}} -> {id, found | fault}.
const here = new URL(".", import.meta.url).href;
let desk = null;

async function bytes(name) {
  const answer = await fetch(here + name, { cache: "no-cache" }); // a new site is never mixed with an old one
  if (!answer.ok) throw new Error(`${name} is not on this server (${answer.status})`);
  return answer.arrayBuffer();
}

async function start() {
  postMessage({ note: "Python" });
  const { loadPyodide } = await import(`${here}pyodide/pyodide.mjs`);
  const [python, wheel, zip, about] = await Promise.all([
    loadPyodide({ indexURL: `${here}pyodide/` }),
    bytes("msgspec.whl"),
    bytes("react_lab.zip"),
    bytes("about.json"),
  ]);
  postMessage({ note: "react_lab" });
  python.unpackArchive(wheel, "wheel");
  python.unpackArchive(zip, "zip", { extractDir: "/react_lab" });
  python.runPython("import sys; sys.path.insert(0, '/react_lab')");
  desk = python.pyimport("website.tab").Desk(new TextDecoder().decode(about));
}

const ready = start();
ready.then(() => postMessage({ ready: true }), (error) => postMessage({ fault: String(error.message ?? error) }));

self.onmessage = async ({ data: { id, told } }) => {
  try {
    await ready;
    postMessage({ id, found: JSON.parse(desk.handle(JSON.stringify(told))) });
  } catch (error) {
    postMessage({ id, fault: String(error.message ?? error) });
  }
};
