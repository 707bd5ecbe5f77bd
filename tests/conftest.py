"""Every test runs with the network cut off: tests, the kernels they start, and their children."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
OFFLINE = HERE / "offline"
sys.path.insert(0, str(HERE))  # helpers beside the tests: texts, stub_server, wiki_server
sys.path.insert(0, str(OFFLINE))
import network_guard  # noqa: E402

network_guard.cut_off()
os.environ["PYTHONPATH"] = os.pathsep.join(
    filter(None, (str(OFFLINE), os.environ.get("PYTHONPATH")))
)
for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):  # no test may find a real key
    os.environ.pop(name, None)
