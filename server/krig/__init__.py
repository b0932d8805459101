"""Krig, the card game War, played together by two to four people at one table."""

__version__ = "0.1.0"
