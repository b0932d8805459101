"""What a host and its connections tell of their work to whoever counts it.

Rule 1: only names, codes and numbers are told, never what somebody chose or must hide.
Rule 2: an observer never waits and never raises.
"""


class Observer:
    """Somebody who is told what happens; this one makes nothing of it."""

    def came_to(self, kind: str, outcome: str, seconds: float) -> None:
        """A command was answered.

        Args:
            kind: the command's name, as `Flip`.
            outcome: `done`, or the code of the error that it was refused with.
            seconds: from its arrival until what follows from it was sent.
        """

    def appended(self, outcome: str, seconds: float) -> None:
        """The log answered an append: `stored`, or the code of its error."""

    def resumed(self, how: str) -> None:
        """A viewer was brought up to date: `in_sync`, `events` or `snapshot`."""

    def refused(self, code: str) -> None:
        """A message was refused before it was a command."""

    def closed(self, code: int) -> None:
        """The server ended a connection with this code."""

    def waited(self, messages: int, signs: int) -> None:
        """So much waited for one viewer."""


NOBODY = Observer()
"""Makes nothing of anything."""
