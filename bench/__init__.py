"""What things cost: measured, printed, never asserted."""
