"""Duels: two members, one game, from the proposal to the result (P10-P14b)."""
