"""The one-machine installation: everything in one process, its data in one folder."""
