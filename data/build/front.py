"""The picture on the README's first screen: Table 1 and Figure 2 with the stored runs.

python data/build/front.py
"""

from __future__ import annotations

import io
from pathlib import Path

import react_lab as rl
from react_lab import data

__all__ = ["main", "picture"]

DPI = 100
LEGS = "tuned"  # prompted, the bundled model is right next to never


def picture() -> bytes:
    """Both drawn, one below the other, as a PNG of few colours."""
    from PIL import Image

    stored = sorted(data.folder("runs", "comparison").glob(f"*-{LEGS}.jsonl"), reverse=True)
    df = rl.frame([run for path in stored for run in rl.store.open(path)])
    drawn = [rl.plots.table1(df), rl.plots.figure2(df)]
    drawn[1].figure.set_figwidth(drawn[0].figure.get_figwidth())
    pngs = [each.rendered("png", dpi=DPI) for each in drawn]
    parts = [Image.open(io.BytesIO(png)) for png in pngs]
    size = max(part.width for part in parts), sum(part.height for part in parts)
    whole = Image.new("RGB", size, "white")
    top = 0
    for part in parts:
        whole.paste(part, (0, top))
        top += part.height
    stream = io.BytesIO()
    whole.quantize(64).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def main() -> None:
    path = (data.project() or Path.cwd()) / "notebooks" / "pictures" / "table1_figure2.png"
    path.write_bytes(picture())
    print(path.name)


if __name__ == "__main__":
    main()
