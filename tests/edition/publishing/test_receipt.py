"""The receipt of a build: what it took, how its claims came out, with what it was made."""

import json
from hashlib import sha256


def test_the_receipt_counts_claims_hashes_the_lock_and_names_what_was_used(html, site_root):
    receipt = json.loads((html / "receipt.json").read_text())
    assert receipt["claims"]["holds with a correction"] == 1
    assert receipt["processor"]
    assert receipt["packages"] == ["numpy 2.0", "scipy 1.16"]
    assert receipt["lock"] == f"sha256:{sha256((site_root / 'requirements.txt').read_bytes()).hexdigest()}"
