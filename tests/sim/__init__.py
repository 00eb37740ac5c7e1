"""The production code on a virtual clock, with seeded members and seeded faults."""
