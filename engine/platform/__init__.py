"""The platform's decisions: members, duels, clocks, notices."""
