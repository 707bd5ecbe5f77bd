// node replay.mjs FOLDER RUNS SCRIPT DATA OLD...: the core under Pyodide, as the tab starts it, replays recorded runs.
// They are of games and goods that no tab offers any more: the files OLD of the folder DATA.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, runs, script, data, ...old] = process.argv.slice(2);
const pyodide = path.join(folder, "pyodide");
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
const bytes = (file) => new Uint8Array(fs.readFileSync(file));
python.unpackArchive(bytes(path.join(folder, "msgspec.whl")), "wheel");
python.unpackArchive(bytes(path.join(folder, "react_lab.zip")), "zip", { extractDir: "/react_lab" });
python.FS.writeFile("/react_lab/replayed.py", bytes(script));
python.FS.writeFile("/runs.jsonl", bytes(runs));
for (const file of old) python.FS.writeFile(`/react_lab/react_lab/_data/${file}`, bytes(path.join(data, file)));
const found = python.runPython(`
import json, sys
sys.path.insert(0, "/react_lab")
import replayed
said = replayed.replayed(open("/runs.jsonl", encoding="utf-8").read())
from website.tab import Desk
about = {"name": "m", "sha256": "0" * 64, "context": 3840, "adapters": {"react": "1" * 64}}
desk = Desk(json.dumps(about))
asked = desk.handle(json.dumps({"do": "ask", "kind": "multihop", "text": "Who?", "method": "react"}))
cutter = "sentencex" in sys.modules
json.dumps({"said": json.loads(said), "asked": json.loads(asked), "cutter": cutter, "python": sys.version, "platform": sys.platform})
`);
process.stdout.write(found);
