"""Keeps rooms alive: judges, appends, publishes, and minds the clock."""
