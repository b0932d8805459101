"""The append-only record of rooms, behind one port."""
