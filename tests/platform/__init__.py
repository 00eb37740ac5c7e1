"""The platform's rules."""
