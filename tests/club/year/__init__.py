"""A year of the club on a virtual clock: members who come and go, and all that they do together (P9, P26)."""
