"""Text frames to commands, events to messages. Does no I/O."""
