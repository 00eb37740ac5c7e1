"""Seasons: a month's prizes and titles (P18, P26)."""
