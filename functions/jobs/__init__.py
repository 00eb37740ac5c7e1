"""What the worker does for each task."""
