"""The child process that runs the bundled model's server: python -m react_lab.models.serve.

A crash of the C++ server is this process's, not the notebook kernel's. It reads its settings (the
key among them, so that no process list shows it) as one line of stdin, says its address on stdout,
and ends when stdin closes or its parent, the kernel, is gone.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

CONTEXT = 32_768  # tokens that all slots share; one asks for at most 8,192
SLOTS = 21  # the paper's number of samples
NAMED = "SmolLM2-135M-Instruct.Q4_1"
# the model's own template, which would leave out tools without a word, with tools in it
TEMPLATE = Path(__file__).parent / "chat.jinja"
KEPT = 0  # MiB of prompts beside the slots: llama.cpp would give one adapter what another has read


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # stopping a cell stops no server
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    server = serve(json.loads(sys.stdin.readline()))
    sys.stdout.write(json.dumps({"address": str(server.listening_address)}) + "\n")
    sys.stdout.flush()
    sys.stdin.read()
    os._exit(0)  # at once: waiting for replies that nobody will read takes seconds


def end_with(kernel: int) -> None:
    """A worker that the kernel forked may hold our stdin open long after the kernel was killed."""
    while os.getppid() == kernel:  # on Windows it stays: nothing is forked there
        time.sleep(0.25)
    os._exit(0)


def serve(settings: dict[str, Any]) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = settings["weights"]
    params.model_alias = settings["name"]  # else every reply would name a path of this machine
    params.api_keys = [settings["key"]]
    params.port = 0  # any that is free, on this machine alone
    params.n_ctx = CONTEXT
    params.n_parallel = SLOTS
    params.kv_unified = True
    params.cache_ram_mib = KEPT
    params.cpuparams.n_threads = settings["threads"]
    params.lora_init_without_apply = True  # every request names every scale
    params.lora_adapters = [
        xllamacpp.CommonAdapterLoraInfo(adapter, 1.0) for adapter in settings["adapters"]
    ]
    if settings["name"] == NAMED:
        params.chat_template = TEMPLATE.read_text(encoding="utf-8")
    params.verbosity = 0
    return xllamacpp.Server(params)


if __name__ == "__main__":
    main()
