"""The records that the client's verifier is tested with: `tests/data/records.json`.

Made anew by `python -m tests.room.records`; a test holds the file to it.
"""

import json
from dataclasses import replace
from pathlib import Path

from krig.engine.cards import Deck
from krig.engine.code import GameCode
from krig.engine.rules import (
    PRESETS,
    MidWar,
    Order,
    Orphan,
    Participants,
    Pile,
    Rules,
    Short,
    Void,
)
from krig.room import commands as c
from krig.room.record import Record, record
from krig.room.room import Stage
from tests.room.scene import Scene

FILE = Path(__file__).parents[1] / "data" / "records.json"


def played(rules: Rules, *people: str, bots: int = 0, seed: int = 0) -> Record:
    """The record of a game that nothing happened to."""
    scene = Scene(rules, seed)
    scene.begin(*people, bots=bots)
    scene.play_out()
    return record(scene.entries)


def struck(rules: Rules, *, mid_war: bool, pressed: bool) -> Record:
    """The record of a game that the clock ended; somebody had pressed, or nobody."""
    scene = Scene(rules)
    scene.begin("Kari", "Ola")
    scene.play_round()
    while mid_war and not scene.game.battle:
        scene.press()
    if pressed:
        scene.flip("Kari")
    scene.ask(None, c.StrikeTime(1))
    scene.play_out()
    return record(scene.entries)


def withheld() -> Record:
    """The record of a game whose first deal one of three withheld from."""
    scene = Scene()
    scene.sit("Kari", "Ola", "Liv")
    scene.ready("Kari", "Ola", "Liv")
    scene.start()
    scene.reveal("Kari", "Liv")
    scene.ask(
        None, c.GiveUpWaiting(scene.room.terms, Stage.REVEAL, "ab" * 16, "cd" * 32)
    )
    scene.ready("Kari", "Liv")
    scene.reveal("Kari", "Liv")
    scene.play_out()
    return record(scene.entries)


def abandoned(rounds: int) -> Record:
    """The record of a game that everybody left; 0 rounds: while it was dealt."""
    scene = Scene(PRESETS["krig_nettversjon"])
    if rounds:
        scene.begin("Kari", "Ola")
    else:
        scene.sit("Kari", "Ola")
        scene.ready("Kari", "Ola")
        scene.start()
    for _ in range(rounds):
        scene.play_round()
    if rounds:
        scene.flip("Kari")
    scene.ask("Kari", c.LeaveSeat())
    scene.ask("Ola", c.LeaveSeat())
    return record(scene.entries)


def again() -> Record:
    """The record of a game whose deal was known, for it was started from a code."""
    code = GameCode(PRESETS["krieg_40"], 2, 42)
    scene = Scene()
    scene.sit("Kari")
    scene.ask("Kari", c.ChangeRules(code.rules, None, str(code)))
    scene.sit("Ola")
    scene.ready("Kari", "Ola")
    scene.start()
    scene.play_out()
    return record(scene.entries)


def repeated() -> Record:
    """The record of a game that came around to where it had been."""
    rules = Rules(
        deck=Deck.SKAT, war_down=1, order=Order.SEAT, participants=Participants.ALL
    )
    return played(rules, "Kari", "Ola", seed=16)


TIMED = Rules(time_limit=10)
SKAT = Rules(deck=Deck.SKAT)
SHORT = replace(PRESETS["krig_klassisk"], round_limit=40)


def records() -> dict[str, Record]:
    """Every record, by what it shows."""
    return {
        "krieg": played(PRESETS["krieg_40"], "Kari", "Ola"),
        "three": played(SHORT, "A", "B", "C"),
        "bots": played(SHORT, "A", "B", bots=2),
        "teams": played(
            Rules(deck=Deck.WITH_JOKERS, teams=True, round_limit=40), *"ABCD"
        ),
        "skat-lose": played(
            replace(SKAT, short=Short.LOSE, match_down=True, void=Void.COUNT), *"ABCD"
        ),
        "skat-last": played(
            replace(
                SKAT,
                short=Short.LAST_STANDS,
                order=Order.LOSER_FIRST,
                orphan=Orphan.CARRY,
                participants=Participants.ALL,
            ),
            *"ABC",
        ),
        "top": played(replace(SKAT, pile=Pile.TOP, war_down=0), "A", "B"),
        "clock": struck(TIMED, mid_war=False, pressed=False),
        "clock-pressed": struck(TIMED, mid_war=False, pressed=True),
        "clock-in-war": struck(TIMED, mid_war=True, pressed=True),
        "clock-gives-back": struck(
            replace(TIMED, time_mid_war=MidWar.RETURN), mid_war=True, pressed=True
        ),
        "withheld": withheld(),
        "abandoned": abandoned(3),
        "undealt": abandoned(0),
        "again": again(),
        "repeated": repeated(),
    }


def written() -> str:
    """The file, a record a line."""
    lines = [
        f"{json.dumps(name)}: {json.dumps(told, separators=(',', ':'))}"
        for name, told in records().items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
