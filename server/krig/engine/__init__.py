"""The rules of War: pure; no clock, no dice, no I/O."""
