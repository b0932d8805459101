"""The record of a finished game: everything, so that anybody can play it again.

Rule 1: a record is made of the log alone, and only when its game is over.
Rule 2: its form has a number, `SCHEMA`; `krig schema record` tells it in full.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from typing_extensions import TypedDict

from krig.engine import events as told
from krig.engine.code import GameCode
from krig.engine.game import Game
from krig.engine.rules import Rules
from krig.engine.seats import Seat
from krig.errors import GameNotOver, InvalidRules
from krig.room import events as e
from krig.room.evolve import advance, evolve
from krig.room.facts import Entry, TimeUp
from krig.room.room import Attempt, Phase, Room
from krig.room.statistics import Statistics, statistics

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


class PlayedRecord(TypedDict):
    """What follows from the deal and the flips."""

    rules: dict[str, bool | int | str | None]
    """Resolved for so many players."""
    seed: str | None
    """60 bits, decimal; None: no card was dealt."""
    code: str | None
    """The game code: the same rules, players and cards again."""
    aside: list[str]
    rounds: list[RoundRecord]
    unfinished: list[BattleRecord]
    """What was played of a round that did not end."""
    outcome: OutcomeRecord | None
    statistics: Statistics | None


class Record(PlayedRecord):
    """A finished game."""

    schema: int
    room: str
    game: int
    rules_version: int
    preset: str | None
    players: list[PlayerRecord]
    void_deals: list[DealRecord]
    """The attempts before that were given up, with what they hid."""
    deal: DealRecord
    known_beforehand: bool
    """The game was started from a code, so its deal was no secret."""
    time_struck: tuple[int, int] | None
    """The round and battle in which the agreed time was over."""


def record(entries: Sequence[Entry]) -> Record:
    """Make the record of a chapter's game.

    Raises:
        GameNotOver: the game has no outcome yet.
    """
    room, _ = evolve(None, entries[0])
    told_at: list[tuple[e.Event, int]] = []
    struck: tuple[int, int] | None = None
    for entry in entries[1:]:
        struck = _struck(room, entry) or struck
        room, events = evolve(room, entry)
        told_at += [(event, entry.at) for event in events]
    if room.phase is not Phase.OVER:
        raise GameNotOver
    place, attempt = room.place, room.attempt
    bound = [(s, c) for s in room.taken if (c := place(s).commitment)]
    shown = [(s, n) for s in room.taken if (n := place(s).nonce)]
    players: list[PlayerRecord] = [
        {
            "seat": seat,
            "player": place(seat).player,
            "name": place(seat).name,
            "kind": "bot" if place(seat).is_bot else "human",
        }
        for seat in room.taken
    ]
    rounds, unfinished = rounds_of(told_at)
    return {
        "schema": SCHEMA,
        "room": room.code,
        "game": room.chapter,
        "rules_version": room.rules_version,
        "preset": room.preset,
        "players": players,
        "void_deals": [
            _deal(v.attempt, v.commitments, v.nonces, v.withheld) for v in room.voided
        ],
        "deal": _deal(attempt, bound, shown, attempt.withheld),
        "known_beforehand": room.game_code is not None,
        "time_struck": struck,
        **played(room.rules, room.game, room.seed, rounds, unfinished),
    }


def _struck(room: Room, entry: Entry) -> tuple[int, int] | None:
    """The round and battle in which an entry lets the time be over."""
    for i, fact in enumerate(entry.facts):
        if isinstance(fact, TimeUp):
            before = advance(room, entry.facts[:i], entry.at)[0] if i else room
            game = before.game
            return None if game is None else (game.rounds + 1, game.battle)
    return None


def played(
    rules: Rules,
    game: Game | None,
    seed: int | None,
    rounds: list[RoundRecord],
    unfinished: list[BattleRecord],
) -> PlayedRecord:
    """The part of a record that follows from the deal and the flips.

    Args:
        rules: as agreed.
        game: as it ended; None: no card was dealt.
        seed: of the deal.
        rounds: what was played to its end.
        unfinished: the battles of a round that was not.
    """
    outcome = None if game is None else game.outcome
    if game is None or seed is None or outcome is None:
        return {
            "rules": rules.to_dict(),
            "seed": None,
            "code": None,
            "aside": [],
            "rounds": [],
            "unfinished": [],
            "outcome": None,
            "statistics": None,
        }
    players = len(game.seats)
    start = [(len(rules.deck.cards) - len(game.aside)) // players] * players
    return {
        "rules": game.rules.to_dict(),
        "seed": str(seed),
        "code": _code(game.rules, players, seed),
        "aside": [str(card) for card in game.aside],
        "rounds": rounds,
        "unfinished": unfinished,
        "outcome": {
            "ending": outcome.ending.value,
            "winners": list(outcome.winners),
            "counts": list(outcome.counts),
            "by_shortage": outcome.by_shortage,
        },
        "statistics": statistics(start, rounds, outcome.winners),
    }


def _code(rules: Rules, players: int, seed: int) -> str | None:
    try:
        return str(GameCode(rules, players, seed))
    except InvalidRules:
        return None  # a limit that no code holds


def _deal(
    attempt: Attempt,
    commitments: Sequence[tuple[Seat, str]],
    nonces: Sequence[tuple[Seat, str]],
    withheld: Sequence[Seat],
) -> DealRecord:
    return {
        "id": attempt.game_id,
        "server_commitment": attempt.commitment,
        "server_nonce": attempt.server_nonce,
        "commitments": [(seat, text) for seat, text in commitments],
        "nonces": [(seat, text) for seat, text in nonces],
        "withheld": list(withheld),
    }


def rounds_of(
    told_at: Iterable[tuple[e.Event, int]],
) -> tuple[list[RoundRecord], list[BattleRecord]]:
    """What was played, from what was told and when (ms since 1970).

    Returns:
        The rounds that ended, and the battles of one that did not.
    """
    rounds: list[RoundRecord] = []
    battles, wars = [_battle()], 0
    winner: int | None = None
    pot = 0
    for event, at in told_at:
        match event:
            case e.SeatFlipped(seat, by):
                battles[-1]["flips"].append((seat, by.value))
            case told.StakesLaid(stakes):
                battles[-1]["down"] = [(seat, n) for seat, n in stakes]
            case told.CardsTurned(cards):
                battles[-1]["up"] = [(seat, str(card)) for seat, card in cards]
            case told.WarDeclared():
                battles.append(_battle())
                wars += 1
            case told.PotWon(seat, count, _):
                winner, pot = seat, count
            case told.RoundEnded(number, counts):
                rounds.append(
                    {
                        "round": number,
                        "battles": _fought(battles),
                        "war": wars,
                        "winner": winner,
                        "pot": pot,
                        "counts": [stock + won for stock, won in counts],
                        "at": at,
                    }
                )
                battles, wars, winner, pot = [_battle()], 0, None, 0
            case _:
                pass
    return rounds, _fought(battles)


def _battle() -> BattleRecord:
    return {"down": [], "up": [], "flips": []}


def _fought(battles: Sequence[BattleRecord]) -> list[BattleRecord]:
    """Leave out the battle that a walkover made needless."""
    return [battle for battle in battles if battle["flips"]]
