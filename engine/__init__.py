"""The rules: pure functions and frozen values; no clock, no randomness, no input or output."""
