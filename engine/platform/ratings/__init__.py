"""Ratings: records of every change, standings by month, leaderboards (P15, P16)."""
