"""Doctrines: rules chosen from lists that play a side from its view (F27–F30)."""
