"""Claims: what the sources state, checked next to what computes it, and the ledger of all of them."""
