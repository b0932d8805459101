"""Krig, the card game War, played together by two to four people at one table."""
