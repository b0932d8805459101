"""A client without a screen: what it knows follows from what it was told, alone.

Written from the protocol's words, not from the server's code: of one entry the events
of the game come first, and a part replaces what was there.
"""

import json
from collections.abc import Mapping
from typing import Any

Json = Any
"""What came over the wire."""


def read_entry(view: Json, entry: list[Json]) -> Json:
    """The view after one entry, from the view before it."""
    table = view["table"]
    for event in entry:
        play = GAME.get(event["type"])
        if table is not None and play is not None:
            table = play(json.loads(json.dumps(table)), event)
    view = {**view, "table": table}
    for event in entry:
        if event["type"] in ("room", "seats", "table", "last"):
            view[event["type"]] = event[event["type"]]
    return view


def _flipped(table: Json, event: Json) -> Json:
    table["flipped"] = sorted({*table["flipped"], event["seat"]})
    return table


def _reshuffled(table: Json, event: Json) -> Json:
    hand = table["hands"][event["seat"]]
    hand["stock"], hand["won"] = hand["stock"] + event["count"], 0
    return table


def _staked(table: Json, event: Json) -> Json:
    for seat, count in event["stakes"]:
        if count:
            hand = table["hands"][seat]
            hand["stock"] -= count
            hand["laid"].append({"down": count, "up": None})
            table["pot"] += count
    return table


def _turned(table: Json, event: Json) -> Json:
    for seat, card in event["cards"]:
        hand = table["hands"][seat]
        hand["stock"] -= 1
        table["pot"] += 1
        if hand["laid"] and hand["laid"][-1]["up"] is None:
            hand["laid"][-1]["up"] = card
        else:
            hand["laid"].append({"down": 0, "up": card})
    return {**table, "waiting": [], "flipped": []}


def _war(table: Json, event: Json) -> Json:
    war = event["war"]
    return {**table, "fighting": event["seats"], "battle": war, "wars": war}


def _short(table: Json, event: Json) -> Json:
    hand = table["hands"][event["seat"]]
    hand["stock"] = hand["won"] = 0
    if event["count"]:
        hand["laid"].append({"down": event["count"], "up": None})
    table["pot"] += event["count"]
    table["fighting"] = [s for s in table["fighting"] if s != event["seat"]]
    return table


def _cleared(table: Json, _event: Json) -> Json:
    for hand in table["hands"]:
        hand["laid"] = []
    return {**table, "pot": 0}


def _pot_left(table: Json, event: Json) -> Json:
    if event["how"] == "discard":
        return _cleared(table, event)
    for hand in table["hands"]:
        if groups := hand["laid"]:
            ups = [group["up"] for group in groups if group["up"]]
            down = sum(group["down"] for group in groups)
            hand["laid"] = [{"down": down, "up": ups[-1] if ups else None}]
    return table


def _seat_out(table: Json, event: Json) -> Json:
    table["hands"][event["seat"]]["out"] = True
    return table


def _round_ended(table: Json, event: Json) -> Json:
    for hand, (stock, won) in zip(table["hands"], event["counts"], strict=True):
        hand["stock"], hand["won"] = stock, won
    living = [seat for seat, hand in enumerate(table["hands"]) if not hand["out"]]
    return {
        **table,
        "round": event["round"],
        "battle": 0,
        "wars": 0,
        "fighting": living,
        "waiting": [],
        "flipped": [],
    }


def _battle(table: Json, event: Json) -> Json:
    return {
        **table,
        "round": event["round"],
        "battle": event["battle"],
        "wars": event["battle"],
        "waiting": event["waiting"],
        "flipped": [],
    }


def _time_struck(table: Json, _event: Json) -> Json:
    return {**table, "last_round": True}


GAME: Mapping[str, Any] = {
    "flipped": _flipped,
    "reshuffled": _reshuffled,
    "staked": _staked,
    "turned": _turned,
    "war": _war,
    "short": _short,
    "pot_won": _cleared,
    "round_void": _cleared,
    "pot_left": _pot_left,
    "seat_out": _seat_out,
    "round_ended": _round_ended,
    "battle": _battle,
    "time_struck": _time_struck,
}
