"""react_lab: take apart the ReAct paper (Yao et al., ICLR 2023) in class.

    import react_lab as rl
    run = rl.run("react", rl.tasks.load("multihop")[0], model=...)
    rl.show(run)

To read the code: types, layouts, kinds, prompts, transcript, agent, methods, in this order.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import (
        data,
        decoding,
        envs,
        finetune,
        kinds,
        label,
        models,
        plots,
        score,
        stats,
        store,
        tasks,
        teach,
        types,
        widgets,
    )
    from .asked import prompt_of
    from .display import show
    from .edits import rethink
    from .evaluation import evaluate
    from .lab import resume, run, steps
    from .languages import speak
    from .methods import METHODS
    from .score import frame, to_csv
    from .widgets.labeller import Labeller

__version__ = "0.1.0"
__all__ = [
    "METHODS", "Labeller", "data", "decoding", "envs", "evaluate", "finetune", "frame", "kinds",
    "label", "models", "plots", "prompt_of", "resume", "rethink", "run", "score", "show",
    "speak", "stats", "steps", "store", "tasks", "teach", "to_csv", "types", "widgets",
]  # fmt: skip

ROOMS = {  # where a name lives; a room is entered, and brings its tools, when it is first used
    "METHODS": "methods",
    "Labeller": "widgets.labeller",
    "evaluate": "evaluation",
    "frame": "score",
    "prompt_of": "asked",
    "rethink": "edits",
    "resume": "lab",
    "run": "lab",
    "show": "display",
    "speak": "languages.speech",
    "steps": "lab",
    "to_csv": "score",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"react_lab has no {name!r}; it has: {', '.join(__all__)}")
    if name in ROOMS:
        return getattr(importlib.import_module(f".{ROOMS[name]}", __name__), name)
    return importlib.import_module(f".{name}", __name__)


def __dir__() -> list[str]:
    return __all__
