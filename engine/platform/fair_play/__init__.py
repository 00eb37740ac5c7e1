"""Fair play: what is noted of a game while it runs, and what that shows once it is over (P27)."""
