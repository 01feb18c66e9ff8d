"""The book as PDF: XeLaTeX typesets what the LaTeX builder wrote."""

import os
import re
import shutil
import subprocess
from pathlib import Path

__all__ = ["PACKAGES", "SCREEN_ONLY", "check_tex", "typeset"]

SCREEN_ONLY = {
    "chapters/api",
    "chapters/beyond/explorer",
    "chapters/hurried",
    "chapters/receipt",
}  # with the pages below them

PROGRAMS = {"xelatex": "texlive-xetex", "latexmk": "latexmk"}
FILES = {
    "fontspec.sty": "texlive-latex-recommended",
    "newunicodechar.sty": "texlive-latex-extra",
    "pzdr.tfm": "texlive-fonts-recommended",
    "FreeSerif.otf": "fonts-freefont-otf",
}
PACKAGES = " ".join(dict.fromkeys((PROGRAMS | FILES).values()))  # Debian's names
COMPLAINTS = re.compile(r"^(! .*|Missing character: .*|LaTeX Warning: (?:Hyper )?[Rr]eference .* undefined.*)$", re.M)


def check_tex():
    """Refuse to begin where TeX or a part of it is missing."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if not missing:
        missing = [name for name in FILES if subprocess.run(["kpsewhich", name], stdout=subprocess.DEVNULL).returncode]
    if missing:
        raise RuntimeError(
            f"the PDF needs XeLaTeX; not found here: {', '.join(missing)}; "
            f"on Debian: apt install --no-install-recommends {PACKAGES}"
        )


def typeset(folder):
    """Typeset the one LaTeX document in `folder` and return the path of the PDF.

    With ``SOURCE_DATE_EPOCH`` in the environment, the same document gives the same file.
    """
    (document,) = (path for path in Path(folder).glob("*.tex"))
    command = ["latexmk", "-xelatex", "-interaction=nonstopmode", "-halt-on-error", "-quiet", document.name]
    environment = os.environ | {"FORCE_SOURCE_DATE": "1", "max_print_line": "1000"}
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    log = document.with_suffix(".log")
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    complaints = list(dict.fromkeys(COMPLAINTS.findall(text)))
    if done.returncode or complaints:
        raise RuntimeError("\n".join(["the PDF could not be typeset:", *complaints, f"the whole log: {log}"]))
    return document.with_suffix(".pdf")
