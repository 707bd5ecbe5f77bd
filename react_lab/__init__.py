"""react_lab: take apart the ReAct paper (Yao et al., ICLR 2023) in class.

    import react_lab as rl
    run = rl.run("react", rl.tasks.load("multihop")[0], model=...)
    rl.show(run)

To read the code: types, layouts, kinds, prompts, transcript, agent, methods, running.
"""

from typing import TYPE_CHECKING

from .support import names_of

if TYPE_CHECKING:
    from . import data, decoding, envs, finetune, kinds, label, models, plots  # isort: skip
    from . import score, stats, store, tasks, teach, types, widgets  # isort: skip
    from .display import show
    from .evaluation import evaluate
    from .languages import speak
    from .methods import METHODS
    from .replay import prompt_of, resume, rethink
    from .running import run, steps
    from .score import frame, to_csv
    from .widgets.by_hand import Labeller

__version__ = "0.1.0"
__all__ = [
    "METHODS", "Labeller", "data", "decoding", "envs", "evaluate", "finetune", "frame", "kinds",
    "label", "models", "plots", "prompt_of", "resume", "rethink", "run", "score", "show",
    "speak", "stats", "steps", "store", "tasks", "teach", "to_csv", "types", "widgets",
]  # fmt: skip

# where a name lives; a room is entered, and brings its tools, when it is first used
ROOMS = {
    "display": "show", "evaluation": "evaluate", "languages.speech": "speak", "methods": "METHODS",
    "replay": "prompt_of resume rethink", "running": "run steps", "score": "frame to_csv",
    "widgets.by_hand": "Labeller",
}  # fmt: skip
__getattr__, __dir__ = names_of(__name__, __all__, ROOMS)
