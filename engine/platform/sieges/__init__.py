"""Sieges: games of many seats with texts, from the announcement to the story's end (T1-T17, P21b)."""
