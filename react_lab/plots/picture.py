"""A picture and its table twin: what every plot returns."""

from __future__ import annotations

import contextlib
import io
import re
import textwrap
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..data import resolve
from ..display.html import details, inert
from ..languages import say
from ..score import to_csv
from ..support import pd
from ..support.files import write
from ..support.text import inline

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLE = Path(__file__).with_name("plots.mplstyle")
TEX = str.maketrans({
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "→": r"$\rightarrow$",
    "–": "--",
})  # fmt: skip
HTML = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
MARKDOWN = str.maketrans({c: f"\\{c}" for c in "\\`*_[]|$#~@"} | HTML)
# In JupyterLab's dark theme a picture is turned dark; the second turn gives its colours back.
DARK = """<style>
body[data-jp-theme-light="false"] .jp-OutputArea-output.jp-RenderedImage img,
body[data-jp-theme-light="false"] .rl-drawn { filter: invert(0.88) hue-rotate(180deg); }
</style>"""
LETTERS = r"[^\W_]+"
SHOWN = 60  # rows that a picture of a table has room for
CAPTION = "captions"  # the mark of a caption in a figure
BRIEF = 180  # characters: of a longer caption a notebook shows one sentence, and folds the rest
FIRST = re.compile(r"(?:CAREFUL: .+?\. )*.+?[.?](?=\s)", re.S)
LINK = re.compile(r":(?=//)|(?<=www)\.", re.I)  # what Markdown makes a link of by itself


@dataclass(frozen=True, repr=False)
class Picture:
    """A figure, and the same numbers as tables. A notebook shows it as a PNG with its caption.

    tables: by name; a prompted and a fine-tuned one are never merged. notes: what a reader has to
    know and the caption has no room for.
    """

    figure: Figure
    caption: str
    tables: Mapping[str, pd.DataFrame]
    notes: tuple[str, ...] = ()

    @property
    def table(self) -> pd.DataFrame:
        """The table twin; of a picture with several, the first."""
        return next(iter(self.tables.values()))

    @property
    def png(self) -> bytes:
        """For an `ipywidgets.Image` that a slider redraws."""
        with drawing():
            return few_colours(self.figure)

    def rendered(self, form: str, **options: Any) -> bytes:
        stream = io.BytesIO()
        with drawing():
            self.figure.savefig(stream, format=form, **options)
        return stream.getvalue()

    def save(self, path: str | PathLike[str], dpi: int = 300) -> Path:
        """Write it by the name's ending: the picture as .png (dpi is of that), .pdf or .svg, its
        tables as .tex, .md or .csv, where each further table has a file beside the first's.
        """
        path, form = resolve(path), Path(path).suffix.lower().removeprefix(".") or "png"
        if form == "csv":
            for there, df in self.places(path).items():
                to_csv(df, there)
            return path
        if form in (texts := {"tex": self.latex, "md": self.markdown}):
            return write(path, texts[form]() + "\n")
        if form not in (known := self.figure.canvas.get_supported_filetypes()):
            raise ValueError(
                f"{path.name} ends in none of .{', .'.join(sorted({*texts, 'csv', *known}))}"
            )
        return write(path, self.rendered(form, dpi=dpi))

    def places(self, path: Path) -> dict[Path, pd.DataFrame]:
        """Each table's file: that of the second in a.csv is a-itsname.csv."""
        found = dict[Path, pd.DataFrame]()
        for name, df in self.tables.items():
            ending = f"-{'-'.join(re.findall(LETTERS, name))[:60]}" if found else ""
            there = path.with_stem(path.stem + ending)
            while there in found:
                there = there.with_stem(f"{there.stem}_")
            found[there] = df
        return found

    def latex(self) -> str:
        """The table twin for a paper (it wants \\usepackage{booktabs})."""
        return "\n\n".join(latex_of(df, self.caption_of(name)) for name, df in self.tables.items())

    def markdown(self) -> str:
        """The table twin for a README or a notebook."""
        return "\n\n".join(
            f"{for_markdown(self.caption_of(name))}\n\n{markdown_of(df)}"
            for name, df in self.tables.items()
        )

    def caption_of(self, name: str) -> str:
        """Of several tables the first has the whole of it."""
        if len(self.tables) == 1:
            return self.caption
        return f"{name}. {self.caption}" if name == next(iter(self.tables)) else f"{name}."

    def _ipython_display_(self) -> None:
        with drawing(), bare(self.figure):
            put(few_colours(self.figure), repr(self))

    def __repr__(self) -> str:
        return "\n".join([self.caption, *self.notes])


def put(png: bytes, words: str, below: str = "") -> None:
    """Into a notebook: the picture, and below it its caption as text that keeps its size.

    below: what is shown there in place of the words, which then stand for those who see nothing.
    """
    from IPython.display import display

    style = "max-width: 52em; line-height: 1.45; overflow-wrap: anywhere"
    caption = below or words
    first = FIRST.match(caption) if len(caption) > BRIEF else None
    cut = first.end() if first else len(caption)
    rest = details(say("show.more"), inert(caption[cut:].strip())) if cut < len(caption) else ""
    shown = f'{DARK}<div style="{style}">{inert(caption[:cut])}{rest}</div>'
    display({"image/png": png, "text/plain": "A picture; its caption:"}, raw=True)  # type: ignore[no-untyped-call]
    display({"text/html": shown, "text/plain": words}, raw=True)  # type: ignore[no-untyped-call]


@contextlib.contextmanager
def bare(figure: Figure) -> Iterator[None]:
    """The figure without its caption, where that is said in words beside it."""
    captions = [text for text in figure.texts if text.get_gid() == CAPTION]
    for text in captions:
        text.set_visible(False)
    try:
        yield
    finally:
        for text in captions:
            text.set_visible(True)


def few_colours(
    figure: Figure, most: int = 64, way: str = "MEDIANCUT", small: bool = False, **options: Any
) -> bytes:
    """A figure as a PNG of a third of the bytes: `most` colours, not one of them dotted.

    way: how Pillow chooses the colours. small: take longer, for fewer bytes. options: of savefig.
    """
    from PIL import Image

    drawn, few = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="tiff", **options)  # quicker than png, and as exact
    method, plain = Image.Quantize[way], Image.Dither.NONE
    picture = Image.open(drawn).convert("RGB").quantize(most, method, dither=plain)
    picture.save(few, "png", optimize=small)
    return few.getvalue()


@contextlib.contextmanager
def drawing() -> Iterator[None]:
    """Our style, for as long as something is drawn; the user's own is left as it was."""
    from matplotlib import rc_context, style

    with rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # a letter that the font lacks becomes a box
        style.use(STYLE)
        yield


@contextlib.contextmanager
def sheet(
    caption: str, columns: int, width: float, height: float, rows: int = 1, **options: Any
) -> Iterator[tuple[Figure, list[Axes]]]:
    """A figure to draw on, in our style; when that is done its caption, if any, is written below.

    It belongs to nobody's pyplot: nothing is shown twice, nothing piles up.
    """
    from matplotlib.figure import Figure

    with drawing():
        figure = Figure(figsize=(width, height))
        yield figure, list(figure.subplots(rows, columns, squeeze=False, **options).flat)
        if caption:
            written(figure, caption)


def written(figure: Figure, caption: str, size: float = 11.5) -> None:
    """The caption, below the picture, so that it goes wherever the picture goes."""
    whole = caption.replace(" = ", "\u00a0=\u00a0").replace("p < ", "p\u00a0<\u00a0")  # on one line
    wide = int(figure.get_figwidth() * 72 / (size * 0.56))
    fill = textwrap.TextWrapper(wide, break_on_hyphens=False).fill
    lines = "\n".join(map(fill, whole.split("\n")))
    figure.text(0.01, -0.03, lines, va="top", fontsize=size, color="#444444", gid=CAPTION)


def plain(text: object, most: int = 48) -> str:
    """A name from outside, made fit for a label: one line, nothing hidden in it, not too long."""
    line = inline(text)
    return line if len(line) <= most else f"{line[: most - 1]}…"


def table(df: pd.DataFrame, caption: str = "") -> Picture:
    """Any frame as a picture, to be saved under any ending: `rl.plots.table(df).save("a.tex")`."""
    named = [name is not None for name in df.index.names]
    df = df.reset_index() if any(named) else df
    rows = [[plain(cell) for cell in row] for row in cells(df[:SHOWN])]
    wide = [max(map(len, column)) + 2 for column in zip(*rows, strict=True)]
    right = ["right" if df[name].dtype.kind in "fiu" else "left" for name in df.columns]
    left_out = f" (the first {SHOWN} of {len(df)} rows)" if len(df) > SHOWN else ""
    size = max(6, 0.11 * sum(wide)), 0.32 * len(rows)
    with sheet(caption + left_out, 1, *size) as (figure, [ax]):
        ax.set_axis_off()
        for y, row in enumerate(rows):
            for x, (cell, side) in enumerate(zip(row, right, strict=True)):
                at = sum(wide[: x + (side == "right")]) / sum(wide)
                bold = "normal" if y else "bold"
                ax.text(at, 1 - (y + 0.5) / len(rows), cell, ha=side, va="center", weight=bold)
        ax.axhline(1 - 1 / len(rows), color="#222222", lw=1)
    return Picture(figure, caption, {"table": df})


def cells(df: pd.DataFrame) -> list[list[str]]:
    """The heads, then rows of words; a column of numbers has as many decimals throughout."""
    columns = [[cell_text(value, decimals(df[name])) for value in df[name]] for name in df.columns]
    return [[*map(str, df.columns)], *map(list, zip(*columns, strict=True))]


def decimals(column: pd.Series[Any]) -> int:
    """As many as its numbers need, two at most."""
    if column.dtype.kind != "f":
        return 0
    numbers = column.dropna()
    return next((digits for digits in (0, 1) if (numbers.round(digits) == numbers).all()), 2)


def cell_text(value: Any, digits: int) -> str:
    """A cell in words: a missing one is a dash."""
    if pd.isna(value):
        return "–"
    return f"{value:.{digits}f}" if isinstance(value, float) else plain(value, 200)


def for_markdown(text: str) -> str:
    return LINK.sub(r"\\\g<0>", text.translate(MARKDOWN))


def latex_of(df: pd.DataFrame, caption: str) -> str:
    head, *body = (" & ".join(cell.translate(TEX) for cell in row) + r" \\" for row in cells(df))
    form = "".join("r" if df[name].dtype.kind in "fiu" else "l" for name in df.columns)
    return "\n".join([
        r"\begin{table}", r"\centering", rf"\caption{{{caption.translate(TEX)}}}",
        rf"\begin{{tabular}}{{{form}}}", r"\toprule", head, r"\midrule", *body, r"\bottomrule",
        r"\end{tabular}", r"\end{table}",
    ])  # fmt: skip


def markdown_of(df: pd.DataFrame) -> str:
    ruler = ["---:" if df[name].dtype.kind in "fiu" else "---" for name in df.columns]
    head, *body = ([for_markdown(cell) for cell in row] for row in cells(df))
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ruler, *body])
