"""The whole club under any order of events, with stores that fail (P13, P16-P18)."""
