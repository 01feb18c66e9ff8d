"""The probe: a claim's output names the lines that ran before it, no other output does."""

import subprocess
import sys

from capacity_studies.notebook.check import MIME
from edition.verification.fault_probe import KEY, _mark, meet


def message(mime):
    return {"content": {"data": {mime: {}}, "metadata": {}}}


def test_only_claims_are_marked():
    meet("here")
    assert _mark(message(MIME))["content"]["metadata"][KEY] == ["here"]
    assert _mark(message("text/plain"))["content"]["metadata"] == {}


def test_outside_of_a_notebook_a_probe_does_nothing():
    code = "from edition.verification.fault_probe import meet; meet('a'); meet('a'); print('went on')"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "went on\n"
