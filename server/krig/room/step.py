"""What folding a fact gives."""

from krig.room.events import Event
from krig.room.room import Room

Step = tuple[Room, tuple[Event, ...]]
"""The room after a fact, and what viewers are told of it, in the order it happened."""
