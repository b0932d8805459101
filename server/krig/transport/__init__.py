"""Moves frames between sockets and tables: connections and their limits."""
