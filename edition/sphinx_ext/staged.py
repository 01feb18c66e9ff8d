"""What the edition puts beside the pages as files of JSON: claims, figures, receipt."""

import json
from pathlib import Path

__all__ = ["staged"]


def staged(env, name):
    """Return the content of a file, None where the chapters were not executed by the edition."""
    path = Path(env.srcdir) / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
