"""Whole rooms as this Krig stored them: `tests/data/golden/`, kept for ever.

`NAME.jsonl` holds a room's entries, each line the bytes that a log keeps;
`NAME.end.json` where they must lead to, in every later Krig. The files are history and
are not made anew: `python -m tests.log.golden` writes only those that are missing. Who
raises a schema, or the version of the rules, adds rooms of its own kind here.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from krig.engine.cards import Deck
from krig.engine.code import GameCode
from krig.engine.rules import PRESETS, MidWar, Order, Participants, Pile, Rules
from krig.engine.seats import Seat
from krig.log.codec import decode, encode
from krig.room import commands as c
from krig.room import facts as f
from krig.room.evolve import fold
from krig.room.handoff import claim_of
from krig.room.record import record
from krig.room.room import Phase, Stage
from krig.room.view import view
from tests.room.scene import Scene

FOLDER = Path(__file__).parents[1] / "data" / "golden"
CLAIM = claim_of("KR7F2Q1B")


def an_evening_for_two() -> Scene:
    """Krieg 40: a pause, a nap, a lost deadline, a hand-off in a war, a rematch."""
    scene = Scene(PRESETS["krieg_40"], 1)
    scene.sit("Kari", "Ola")
    scene.ask("Ola", c.ChangeName("Åse Ødegård"))
    scene.ask("Kari", c.SetTempo(f.Tempo.SLOW, True))
    scene.deal()
    for who in scene.people:
        scene.go(who)
    scene.wait(130_000)
    for who in scene.people:
        scene.come(who)
    scene.play_round()
    scene.ask("Ola", c.SetTempo(f.Tempo.FAST, False))
    scene.flip("Kari")
    scene.ask("Ola", c.Pause(True))
    scene.wait(20_000)
    scene.ask("Kari", c.Pause(False))
    scene.wait(16_000)
    scene.play_to_a_war()
    scene.ask("Kari", c.OfferSeat(scene.seat("Kari"), CLAIM))
    scene.ask("Kari's tablet", c.ClaimSeat(CLAIM, scene.page()))
    scene.play_round()
    scene.ask("Kari's tablet", c.Pause(True))
    scene.wait(600_000)
    scene.ask(None, c.Reopen())
    scene.play_out()
    scene.next_lobby()
    scene.deal()
    scene.play_out()
    scene.next_lobby()
    scene.ask("Ola", c.LeaveSeat())
    return scene


def three_and_a_broken_deal() -> Scene:
    """Krieg 240: one withholds twice and sits out, one is kicked, one leaves."""
    scene = Scene(PRESETS["krieg_240"], 2)
    scene.sit("Kari", "Ola", "Liv")
    scene.ready("Kari", "Ola")
    scene.ask("Ola", c.BeReady(1, scene.room.terms, False, None))
    scene.ready("Ola", "Liv")
    scene.start()
    scene.reveal("Kari", "Liv")
    scene.ask(None, c.GiveUpWaiting(scene.room.terms, Stage.REVEAL))
    scene.ready("Kari", "Liv")
    scene.reveal("Kari", "Liv")
    for _ in range(30):
        scene.play_round()
    scene.ask("Ola", c.SetAutoplay(True))
    scene.ask("Liv", c.HidePage(True))
    scene.wait(40_000)
    scene.ask("Kari", c.Kick(scene.seat("Liv"), scene.place("Liv").player))
    scene.play_out()
    scene.next_lobby()
    return scene


def four_with_wars() -> Scene:
    """Krig klassisk: two people and two bots, then other rules and another seat."""
    scene = Scene(PRESETS["krig_klassisk"], 3)
    scene.sit("Kari")
    scene.ask("Kari", c.TakeSeat(Seat(3), "Kari", scene.page()))
    scene.sit("Ola")
    scene.ask("Kari", c.SeatBot(Seat(1), True))
    scene.ask("Kari", c.SeatBot(Seat(2), True))
    scene.deal()
    for _ in range(60):
        scene.play_round()
    scene.go("Kari")
    scene.wait(70_000)
    scene.come("Kari")
    scene.play_out()
    scene.next_lobby()
    scene.ask(scene.owner, c.CloseRoom(True))
    scene.ask(scene.owner, c.ChangeRules(PRESETS["krieg_40"], "krieg_40"))
    scene.deal()
    scene.play_out()
    scene.next_lobby()
    return scene


def two_on_the_net() -> Scene:
    """Krig nettversjon: wars, an offer that nobody takes, a history that was cut."""
    scene = Scene(PRESETS["krig_nettversjon"], 4)
    scene.begin("Kari", "Ola")
    scene.play_to_a_war()
    scene.ask("Ola", c.OfferSeat(scene.seat("Ola"), CLAIM))
    scene.wait(130_000)
    scene.ask(None, c.CutHistory("f00dfeed"))
    scene.play_out()
    scene.next_lobby()
    return scene


def teams_against_the_clock() -> Scene:
    """Four in teams with jokers; the time is over in a war, whose cards go back."""
    rules = Rules(
        deck=Deck.WITH_JOKERS,
        teams=True,
        time_limit=10,
        time_mid_war=MidWar.RETURN,
        pile=Pile.TOP,
    )
    scene = Scene(rules, 5)
    scene.begin(*"ABCD")
    scene.play_to_a_war()
    scene.ask(None, c.StrikeTime(1))
    scene.play_out()
    scene.next_lobby()
    return scene


def a_game_dealt_again() -> Scene:
    """A game by its code, whose deal was known; then one that everybody leaves."""
    code = GameCode(PRESETS["krieg_40"], 2, 42)
    scene = Scene(seed=6)
    scene.sit("Kari")
    scene.ask("Kari", c.ChangeRules(code.rules, None, str(code)))
    scene.sit("Ola")
    scene.ready("Kari", "Ola")
    scene.start()
    scene.play_out()
    scene.next_lobby()
    scene.ask("Kari", c.ChangeRules(PRESETS["krig_nettversjon"], "krig_nettversjon"))
    scene.deal()
    for _ in range(3):
        scene.play_round()
    for who in scene.people:
        scene.ask(who, c.LeaveSeat())
    return scene


def around_and_around() -> Scene:
    """A game that came around to where it had been, counted at the owner's word."""
    rules = Rules(
        deck=Deck.SKAT, war_down=1, order=Order.SEAT, participants=Participants.ALL
    )
    scene = Scene(rules, 16)
    scene.begin("Kari", "Ola")
    scene.play_out()
    scene.next_lobby()
    scene.ask("Kari", c.CountCards(1))
    return scene


ROOMS: dict[str, Callable[[], Scene]] = {
    "krieg-40-two": an_evening_for_two,
    "krieg-240-three": three_and_a_broken_deal,
    "klassisk-four": four_with_wars,
    "nettversjon-two": two_on_the_net,
    "teams-clock": teams_against_the_clock,
    "dealt-again": a_game_dealt_again,
    "around": around_and_around,
}


def stored(name: str) -> list[bytes]:
    """A golden room's entries as they were stored."""
    return (FOLDER / f"{name}.jsonl").read_bytes().splitlines()


def chapters(entries: list[f.Entry]) -> list[list[f.Entry]]:
    """A room's entries, chapter by chapter."""
    found: list[list[f.Entry]] = []
    for entry in entries:
        if isinstance(entry.facts[0], f.ChapterOpened):
            found.append([])
        found[-1].append(entry)
    return found


def end_of(entries: list[f.Entry]) -> list[dict[str, Any]]:
    """Where each chapter leads: what its viewers see at its end, and its record."""
    ends = []
    for chapter in chapters(entries):
        room = fold(chapter)
        ends.append(
            {
                "v": room.v,
                "epoch": room.epoch,
                "tokens": [place and place.token for place in room.seats],
                "dead": sorted(room.dead_tokens),
                "view": view(room),
                "record": record(chapter) if room.phase is Phase.OVER else None,
            }
        )
    plain: list[dict[str, Any]] = json.loads(json.dumps(ends))
    return plain


def write() -> None:
    """Write the files that are not there."""
    FOLDER.mkdir(exist_ok=True)
    for name, play in ROOMS.items():
        path = FOLDER / f"{name}.jsonl"
        if not path.exists():
            path.write_bytes(b"".join(encode(e) + b"\n" for e in play().entries))
            ends = end_of([decode(line) for line in stored(name)])
            text = json.dumps(ends, ensure_ascii=False, separators=(",", ":"))
            (FOLDER / f"{name}.end.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    write()
