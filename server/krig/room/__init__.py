"""One room: its seats, its spectators and the game on its table. Pure."""
