"""What `import react_lab` costs in CPU time, beside `import openai`, `import pandas` and Python alone.

    python tests/benchmarks/startup.py

Each in a fresh Python, in turn, ten times. Aim: under 150 ms.
"""

import statistics
import subprocess
import sys

CODE = {"Python alone": "pass"} | {
    f"import {name}": f"import {name}" for name in ("react_lab", "openai", "pandas")
}
CLOCK = "import time; began = time.process_time(); {}; print(time.process_time() - began)"


def cpu(code):
    command = [sys.executable, "-c", CLOCK.format(code)]
    return 1000 * float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main():
    times = {name: [] for name in CODE}
    for _ in range(10):
        for name, code in CODE.items():
            times[name].append(cpu(code))
    middle = {name: statistics.median(found) for name, found in times.items()}
    print(f"{'CPU ms':20}{'median':>9}{'least':>9}{'of openai':>11}")
    for name, found in times.items():
        share = middle[name] / middle["import openai"]
        print(f"{name:20}{middle[name]:9.1f}{min(found):9.1f}{share:11.2f}")


if __name__ == "__main__":
    main()
