"""The shuffle vectors: what every port of the game must compute."""

import json
from pathlib import Path
from typing import Any, Final

VECTORS: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "shuffle_vectors.json").read_text("utf-8")
)
SEEDS: Final[list[dict[str, Any]]] = VECTORS["seeds"]
