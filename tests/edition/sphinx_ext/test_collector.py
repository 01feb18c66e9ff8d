"""While pages are built, garbage is searched for more rarely, and found."""

import subprocess
import sys


def test_a_process_that_ends_is_not_searched():
    cycle = """
class Cycle:
    def __init__(self):
        self.itself = self

    def __del__(self):
        print("found")

kept = Cycle()
"""
    rarely = "from edition.sphinx_ext.collector import search_rarely; search_rarely()"
    commands = ([sys.executable, "-c", code] for code in (cycle, rarely + cycle))
    said = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for command in commands]
    assert said == ["found\n", ""]
