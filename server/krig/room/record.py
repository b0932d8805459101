"""The record of a finished game: everything, so that anybody can play it again.

Rule 1: a record is made of the log alone, and only when its game is over.
"""

from collections.abc import Sequence
from typing import Final

from typing_extensions import TypedDict

from krig.engine import events as told
from krig.engine.fairness import commitment
from krig.engine.seats import Seat
from krig.errors import GameNotOver
from krig.room import events as e
from krig.room.evolve import evolve
from krig.room.facts import Entry
from krig.room.room import Attempt, Phase, Room

SCHEMA: Final = 1


class PlayerRecord(TypedDict):
    """Who played on a seat."""

    seat: int
    player: int
    name: str
    kind: str


class DealRecord(TypedDict):
    """An attempt at a fair deal, with everything that was hidden."""

    id: str
    server_commitment: str
    server_nonce: str
    commitments: list[tuple[int, str]]
    nonces: list[tuple[int, str]]
    withheld: list[int]


class BattleRecord(TypedDict):
    """One battle: who laid how many face down, and turned up what."""

    down: list[tuple[int, int]]
    up: list[tuple[int, str]]
    flips: list[tuple[int, str]]
    """Who pressed in what order, and who made the flip."""


class RoundRecord(TypedDict):
    """One round."""

    round: int
    battles: list[BattleRecord]
    war: int
    """Wars fought in it."""
    winner: int | None
    pot: int
    counts: list[int]
    at: int
    """When the table was clear (ms since 1970)."""


class OutcomeRecord(TypedDict):
    """Who won and why."""

    ending: str
    winners: list[int]
    counts: list[int]
    by_shortage: bool


class Record(TypedDict):
    """A finished game."""

    schema: int
    room: str
    game: int
    rules_version: int
    rules: dict[str, bool | int | str | None]
    preset: str | None
    players: list[PlayerRecord]
    void_deals: list[DealRecord]
    deal: DealRecord
    seed: str | None
    """60 bits, decimal; None: no card was dealt."""
    aside: list[str]
    rounds: list[RoundRecord]
    outcome: OutcomeRecord | None


def record(entries: Sequence[Entry]) -> Record:
    """Make the record of a chapter's game.

    Raises:
        GameNotOver: the game has no outcome yet.
    """
    room, _ = evolve(None, entries[0])
    states: list[tuple[Room, Entry, tuple[e.Event, ...]]] = []
    for entry in entries[1:]:
        room, events = evolve(room, entry)
        states.append((room, entry, events))
    if room.phase is not Phase.OVER:
        raise GameNotOver
    game = room.game
    outcome = None if game is None else game.outcome
    return {
        "schema": SCHEMA,
        "room": room.code,
        "game": room.chapter,
        "rules_version": room.rules_version,
        "rules": (room.rules if game is None else game.rules).to_dict(),
        "preset": room.preset,
        "players": [
            {
                "seat": seat,
                "player": room.place(seat).player,
                "name": room.place(seat).name,
                "kind": "bot" if room.place(seat).is_bot else "human",
            }
            for seat in room.taken
        ],
        "void_deals": [
            _deal(v.attempt, v.commitments, v.nonces, v.withheld) for v in room.voided
        ],
        "deal": _deal(
            room.attempt,
            [(s, c) for s in room.taken if (c := room.place(s).commitment)],
            [(s, n) for s in room.taken if (n := room.place(s).nonce)],
            room.attempt.withheld,
        ),
        "seed": None if room.seed is None else str(room.seed),
        "aside": [] if game is None else [str(card) for card in game.aside],
        "rounds": _rounds(states),
        "outcome": None
        if outcome is None
        else {
            "ending": outcome.ending.value,
            "winners": list(outcome.winners),
            "counts": list(outcome.counts),
            "by_shortage": outcome.by_shortage,
        },
    }


def _deal(
    attempt: Attempt,
    commitments: Sequence[tuple[Seat, str]],
    nonces: Sequence[tuple[Seat, str]],
    withheld: Sequence[Seat],
) -> DealRecord:
    nonce = bytes.fromhex(attempt.server_nonce)
    return {
        "id": attempt.game_id,
        "server_commitment": commitment(
            bytes.fromhex(attempt.game_id), None, nonce
        ).hex(),
        "server_nonce": attempt.server_nonce,
        "commitments": [(seat, text) for seat, text in commitments],
        "nonces": [(seat, text) for seat, text in nonces],
        "withheld": list(withheld),
    }


def _rounds(
    states: Sequence[tuple[Room, Entry, tuple[e.Event, ...]]],
) -> list[RoundRecord]:
    rounds: list[RoundRecord] = []
    battles = [_battle()]
    winner: int | None = None
    pot = 0
    for _, entry, events in states:
        for event in events:
            match event:
                case e.SeatFlipped(seat, by):
                    battles[-1]["flips"].append((seat, by.value))
                case told.StakesLaid(stakes):
                    battles[-1]["down"] = [(seat, n) for seat, n in stakes]
                case told.CardsTurned(cards):
                    battles[-1]["up"] = [(seat, str(card)) for seat, card in cards]
                case told.WarDeclared():
                    battles.append(_battle())
                case told.PotWon(seat, count, _):
                    winner, pot = seat, count
                case told.RoundEnded(number, counts):
                    rounds.append(
                        {
                            "round": number,
                            "battles": [b for b in battles if b["up"] or b["flips"]],
                            "war": len(battles) - 1,
                            "winner": winner,
                            "pot": pot,
                            "counts": [stock + won for stock, won in counts],
                            "at": entry.at,
                        }
                    )
                    battles, winner, pot = [_battle()], None, 0
                case _:
                    pass
    return rounds


def _battle() -> BattleRecord:
    return {"down": [], "up": [], "flips": []}
