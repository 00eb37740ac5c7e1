"""Letters: who gets one, whether it is still true, and what it says."""
