"""Moderation: acts with a reason, told to those concerned, who may answer once (P29)."""
