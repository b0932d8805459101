"""A worked case being played, by someone who may look at the face-down cards too.

The words of the case files are mapped to those of the code here, and only here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from krig.engine.cards import Card
from krig.engine.events import (
    CardsTurned,
    Event,
    PotWon,
    RoundVoided,
    SeatOut,
    SeatShort,
    StakesLaid,
    WarDeclared,
)
from krig.engine.game import Game, set_up
from krig.engine.outcome import Ending
from krig.engine.play import fight, time_up
from krig.engine.rules import PRESETS, Pile, Rules, Short
from krig.engine.seats import Seat
from krig.engine.shuffle import reshuffle_label

Case = Mapping[str, Any]
"""A case as the file has it; `meta` in the files tells the fields."""

REASONS: Final = {
    Ending.ALL_CARDS: "last_left",
    Ending.OUT_OF_CARDS: "void",
    Ending.ROUND_LIMIT: "round_limit",
    Ending.TIME_LIMIT: "time",
    Ending.REPETITION: "cycle",
    Ending.ABANDONED: "abandoned",
}
"""The endings in the words of the case files."""

CASE_PRESETS: Final[Mapping[str, Rules]] = {
    **PRESETS,
    "krig_klassisk_lose": replace(PRESETS["krig_klassisk"], short=Short.LOSE),
}

NOT_ENGINE_RULES: Final = {"preset", "players", "teams", "time_up_in_round"}
"""What a case may have among its rules, and the engine is told in another way."""

Told = TypeVar("Told", bound=Event)


class Unplayable(Exception):
    """The case asks for what it does not script."""


@dataclass(frozen=True, slots=True)
class Numbered(Card):
    """A card of a deck whose ranks are whole numbers, as in papers on the game."""

    suit: str = ""

    def __post_init__(self) -> None:
        """Let the number be the height."""
        object.__setattr__(self, "height", int(self.rank))


class CasePlay:
    """A case being played, by someone who may look at the face-down cards too."""

    def __init__(self, case: Case) -> None:
        rules, self._flip_won = _rules(case)
        self._time_up_in_round = _given_rules(case).get("time_up_in_round")
        self._first_round: int = case.get("round_no") or 0
        self._scripts = _scripts(case)
        self._shuffled: dict[str, tuple[Card, ...]] = {}
        self._seen: dict[object, int] = {}
        self._cycle: dict[str, Any] | None = None
        self._begin_round()
        teams = _given_rules(case).get("teams")
        self.game = set_up(
            rules,
            [_read_cards(pile) for pile in case["piles"]],
            won=[_read_cards(pile) for pile in case.get("won") or ()],
            aside=_read_cards(case.get("aside") or ()),
            rounds=self._first_round,
            sides=tuple(tuple(map(Seat, team)) for team in teams or ()) or None,
        )

    @property
    def finished(self) -> int:
        """The rounds finished so far in the case."""
        return self.game.rounds - self._first_round

    def cycle(self) -> bool:
        """Whether the position has been there before; then the case is over."""
        game = self.game
        for_ever = game.rules.may_repeat and self._time_up_in_round is None
        if not for_ever and not self._flip_won:
            return False
        position = tuple((held.stock, held.won) for held in game.seats), game.table
        first = self._seen.setdefault(position, self.finished)
        if first == self.finished:
            return False
        self._cycle = {
            "reason": REASONS[Ending.REPETITION],
            "winners": [],
            "counts": list(game.counts),
            "first": first,
            "period": self.finished - first,
        }
        return True

    def round(self) -> None:
        """Play until the table is clear, everybody flipping at once."""
        self._begin_round()
        finished = self.finished
        while self.game.outcome is None and self.finished == finished:
            self._battle()
        if self._time_up_in_round == self.game.rounds and self.game.outcome is None:
            self._tell(time_up(self.game))

    def _begin_round(self) -> None:
        self._events: list[Event] = []
        self._stakes: list[dict[str, Any]] = []
        self._surrender: dict[str, list[str]] = {}

    def _battle(self) -> None:
        before = self.game
        strikes = self._time_up_in_round == before.rounds + 1
        if strikes and before.battle and not before.time_struck:
            self._tell(time_up(before))
            if self.game.outcome is not None:
                return
        self._shuffled.clear()
        played = fight(self.game, self._shuffle)
        self._look(before, played[1])
        self._tell(played)

    def _tell(self, played: tuple[Game, tuple[Event, ...]]) -> None:
        self.game, events = played
        self._events += events

    def _look(self, before: Game, events: Sequence[Event]) -> None:
        """See which cards were laid face down, by how many cards each seat laid."""
        down: dict[Seat, int] = {}
        up: dict[Seat, Card] = {}
        for event in events:
            match event:
                case StakesLaid(stakes):
                    down = dict(stakes)
                case CardsTurned(cards):
                    up = dict(cards)
                case SeatShort(seat, count) if count:
                    laid = down.get(seat, 0) + (seat in up)
                    left = self._pile(before, seat)[laid:]
                    self._surrender[str(seat)] = written(left)
        if before.battle:
            self._stakes.append(
                {
                    "down": {
                        str(seat): written(
                            self._pile(before, seat)[: down.get(seat, 0)]
                        )
                        for seat in before.fighting
                    },
                    "up": {str(seat): write(card) for seat, card in up.items()},
                }
            )

    def _pile(self, before: Game, seat: Seat) -> tuple[Card, ...]:
        """All cards of a seat in the order in which this battle took them."""
        held = before.seats[seat]
        label = reshuffle_label(seat, held.reshuffles + 1)
        return held.stock + self._shuffled.get(label, held.won)

    def _shuffle(self, label: str, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Shuffle as the case scripts it."""
        kind = label.rpartition("/")[0]
        if self._flip_won and kind.startswith("reshuffle"):
            return cards
        script = self._scripts.get(kind)
        if not script:
            raise Unplayable(f"no shuffle is scripted for {label}")
        scripted = script.pop(0)
        if sorted(map(str, scripted)) != sorted(map(str, cards)):
            raise Unplayable(f"{label} gets {written(cards)}, not what is scripted")
        self._shuffled[label] = scripted
        return scripted

    def told(self) -> dict[str, Any]:
        """All that a case may expect, in its words; of the last round, if several."""
        wars = self._all(WarDeclared)
        pots = self._all(PotWon)
        game, pot = self.game, pots[0] if pots else None
        return {
            "winner": pot and pot.seat,
            "by": pot and str(pot.by),
            "pot": pot and written(self._pot(pot)),
            "wars": len(wars),
            "war_players": [list(war.seats) for war in wars],
            "stakes": self._stakes,
            "surrender": self._surrender,
            "void": bool(self._all(RoundVoided)),
            "eliminated": sorted(event.seat for event in self._all(SeatOut)),
            "rounds_played": self.finished,
            "piles": [written(held.stock) for held in game.seats],
            "won": [written(held.won) for held in game.seats],
            "aside": written(game.aside),
            "carried": written(laid.card for laid in game.table),
            "result": self._cycle or self._result(),
        }

    def _all(self, kind: type[Told]) -> list[Told]:
        return [event for event in self._events if isinstance(event, kind)]

    def _pot(self, pot: PotWon) -> tuple[Card, ...]:
        """The cards of the pot, which lie where the winner has just put them."""
        held = self.game.seats[pot.seat]
        match self.game.rules.pile:
            case Pile.BOTTOM:
                return held.stock[-pot.count :]
            case Pile.TOP:
                return held.stock[: pot.count]
            case Pile.RESHUFFLE:
                return held.won[-pot.count :]

    def _result(self) -> dict[str, Any] | None:
        outcome = self.game.outcome
        if outcome is None:
            return None
        # A seat by itself is a side of its own, by the same number.
        sides = enumerate(self.game.sides)
        winners = [side for side, seats in sides if set(seats) & set(outcome.winners)]
        return {
            "reason": REASONS[outcome.ending],
            "winners": winners,
            "counts": list(outcome.counts),
        }


def _given_rules(case: Case) -> Mapping[str, Any]:
    """The rules of a case as the file has them, resolved if it resolves them."""
    named = case["preset_or_rules"]
    given = case.get("rules_resolved", named)
    return given if isinstance(given, dict) else {"preset": given}


def _rules(case: Case) -> tuple[Rules, bool]:
    """The rules of a case; and whether the won pile is turned over, unshuffled."""
    given = _given_rules(case)
    preset = given.get("preset", "krig_nettversjon")
    rules = {k: v for k, v in given.items() if k not in NOT_ENGINE_RULES}
    if "cycle" in rules:
        rules["repetition"] = rules.pop("cycle")
    flip_won = rules.get("pile") == "flip"
    if flip_won:
        rules["pile"] = "reshuffle"
    return Rules.from_dict(rules, CASE_PRESETS[preset]), flip_won


def _scripts(case: Case) -> dict[str, list[tuple[Card, ...]]]:
    """The shuffles that a case scripts, in their order, by how their labels begin."""
    scripts = {
        f"reshuffle/{seat}": list(_piles(piles))
        for seat, piles in (case.get("shuffles") or {}).items()
    }
    scripts["pot"] = list(_piles(case.get("pot_shuffles")))
    return scripts


def _piles(scripted: Any) -> Iterator[tuple[Card, ...]]:
    """The piles in a list of them, in a list of one's cards, or by round."""
    if isinstance(scripted, dict):
        for number in sorted(scripted, key=int):
            yield from _piles(scripted[number])
    elif scripted and isinstance(scripted[0], list):
        yield from map(_read_cards, scripted)
    elif scripted:
        yield _read_cards(scripted)


def _read_cards(pile: Iterable[str | int]) -> tuple[Card, ...]:
    return tuple(
        Card.parse(card) if isinstance(card, str) else Numbered(str(card))
        for card in pile
    )


def write(card: Card) -> str:
    """The card as the case files have it."""
    return str(card).upper()


def written(cards: Iterable[Card]) -> list[str]:
    """The cards as the case files have them."""
    return [write(card) for card in cards]
