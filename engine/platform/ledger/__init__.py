"""Credits: a double-entry ledger (P17, P18)."""
