"""Puts the parts together: settings, HTTP, the page, the command line."""
