"""Knockout tournaments of four or eight members (P19-P21)."""
