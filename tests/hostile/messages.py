"""Messages that a page would send, and what becomes of them when chance has its way.

Everything follows from a seed, so what was found is found again.
"""

import json
from copy import deepcopy
from random import Random
from typing import Any, Final

Json = Any

HEX = "0f" * 32
VALID: Final[tuple[dict[str, Json], ...]] = (
    {"type": "hello", "protocol": 1, "room": "7KQ4M", "token": HEX, "v": 3},
    {"type": "sit", "id": 1, "seat": None, "name": "Kari"},
    {"type": "leave", "id": 2},
    {"type": "ready", "game": 1, "terms": 1, "on": True, "commitment": HEX},
    {"type": "name", "name": "Ola Nordmann"},
    {"type": "rules", "preset": "krieg_40", "rules": {"war_down": 3}},
    {"type": "rules", "code": "K1-0000-0000-0000"},
    {"type": "bot", "seat": 1, "on": True},
    {"type": "kick", "seat": 1, "player": 2},
    {"type": "start", "game": 1},
    {"type": "reveal", "game": 1, "terms": 1, "nonce": HEX},
    {"type": "flip", "game": 1, "round": 17, "battle": 0},
    {"type": "auto", "on": True},
    {"type": "tempo", "tempo": "fast", "wars": False},
    {"type": "pause", "on": False},
    {"type": "close", "on": True},
    {"type": "offer", "seat": 0},
    {"type": "claim", "code": "7KQ4M7KQ"},
    {"type": "count", "game": 1},
    {"type": "resync"},
    {"type": "react", "reaction": 5},
    {"type": "ping"},
    {"type": "pong", "hidden": True},
)

ODD: Final[tuple[Json, ...]] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, -(2**63) - 1, 10**300),
    *(1.0, 0.5, -0.0, 1e308, float("nan"), float("inf"), float("-inf")),
    *("", " ", "\0", "\ud800", "\udfff\ud800", "\u202e", "a\u0301" * 40, "🏳️‍🌈" * 20),
    *(
        HEX,
        HEX,
        "0F" * 32,
        "0f" * 31,
        "x" * 4000,
        "NaN",
        "__proto__",
        "ＫＡＲＩ",
        "\u200b",
        "ß",
    ),
    *([], {}, [[]], {"": {}}, ["7KQ4M"], {"type": "flip"}, [0] * 500),
)

NASTY: Final = (
    "[" * 4096,
    '{"a":' * 600,
    '{"type":' + "[" * 2000 + "]" * 2000 + "}",
    '{"type":"flip","game":NaN,"round":1,"battle":0}',
    '{"type":"flip","game":1e999,"round":1,"battle":0}',
    '{"type":"flip","game":1.0,"round":1,"battle":0}',
    '{"type":"flip","game":true,"round":1,"battle":0}',
    '{"type":"flip","game":1,"game":2,"round":1,"battle":0}',
    '{"type":"sit","name":"\\ud800"}',
    '{"type":"ping","more":1}',
    '{"type":"rules","rules":' + '{"a":' * 500 + "1" + "}" * 501,
    "9" * 4096,
    "-",
    '"',
    "",
)


def message(rng: Random) -> str:
    """One message: valid, nearly so, or not at all."""
    if rng.random() < 0.02:
        return rng.choice(NASTY)
    said = json.loads(json.dumps(rng.choice(VALID)))
    for _ in range(rng.choice((0, 0, 1, 1, 1, 2))):
        _change(said, rng)
    text = json.dumps(said, ensure_ascii=rng.random() < 0.5)
    for _ in range(rng.choice((0, 0, 0, 0, 0, 0, 1, 8))):
        text = _scratch(text, rng)
    return text


def _change(said: dict[str, Json], rng: Random) -> None:
    """Change one field, or what there is of fields."""
    key = rng.choice([*said, "id", "type", "more"])
    match rng.randrange(4):
        case 0:
            said.pop(key, None)
        case 1:
            other = rng.choice(VALID)
            said[rng.choice(list(other))] = deepcopy(rng.choice(list(other.values())))
        case 2 if isinstance(said.get("rules"), dict):
            said["rules"][rng.choice((key, "war_down", "deck"))] = deepcopy(
                rng.choice(ODD)
            )
        case _:
            said[key] = deepcopy(rng.choice(ODD))


def _scratch(text: str, rng: Random) -> str:
    """Change the text itself."""
    at, to = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
    match rng.randrange(5):
        case 0:
            return text[:at] + text[to:]
        case 1:
            return text[:at] + text[at:to] * 2 + text[to:]
        case 2:
            return (
                text[:at]
                + chr(rng.choice((0, 9, 34, 92, 125, 255, 0x202E)))
                + text[at:]
            )
        case 3:
            return (
                text[:to]
                + rng.choice(('{"', "}", ",", ":", "\\u", "1e9", "[[", "//"))
                + text[to:]
            )
        case _:
            return text.replace(rng.choice('":,{}'), rng.choice('":,{}[]'), 1)
