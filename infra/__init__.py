"""The outside world: stores, queues, mail, pages, the clock and the secrets."""
