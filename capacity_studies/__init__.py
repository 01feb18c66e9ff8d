"""What the companions and the pages beyond the papers compute: not installed, tested by identities."""
