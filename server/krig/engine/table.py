"""A game opened up while it is played on: the only place where cards move.

Rule 1: a card is moved, never made or dropped.
Rule 2: a `Table` lives inside one transition; between two flips there is only a `Game`.
Rule 3: what happens is told in the order in which it happens.
"""

from itertools import chain

from krig.engine.battle import heights
from krig.engine.cards import Card
from krig.engine.events import Event, Reshuffled, SeatOut
from krig.engine.game import CARRIED, Game, Held, Laid
from krig.engine.pot import clockwise
from krig.engine.rules import Order, Pile
from krig.engine.seats import Seat, seats_of
from krig.engine.shuffle import Shuffle, pot_label, reshuffle_label, unshuffled


class Table:
    """The piles of a game, the cards between them, and what is told of them.

    Its names are those of `Game`.
    """

    def __init__(self, game: Game, shuffle: Shuffle = unshuffled) -> None:
        self.rules = game.rules
        self.height = heights(game.rules)
        self.sides = game.sides
        self.aside = game.aside
        self.shuffle = shuffle
        self.events: list[Event] = []

        self.stocks = [held.stock for held in game.seats]
        self.won = [held.won for held in game.seats]
        self.out = [held.out for held in game.seats]
        self.reshuffles = [held.reshuffles for held in game.seats]
        self.living = tuple([s for s in seats_of(len(self.out)) if not self.out[s]])
        """The seats that are not out."""

        self.rounds = game.rounds
        self.battle = game.battle
        self.laid = list(game.table)
        self.fighting = game.fighting
        self.waiting = game.waiting
        self.shown: list[tuple[int, ...]] = list(game.shown)
        self.orphaned = game.orphaned
        self.shortage = bool(game.battle) and any(
            held.out and heights
            for held, heights in zip(game.seats, game.shown, strict=False)
        )
        """Whether a seat was short of cards for a war of this round."""

        self.wars = game.wars
        self.discarded = game.discarded
        self.time_struck = game.time_struck
        self.trail = game.trail
        self.outcome = game.outcome

    def frozen(self) -> Game:
        """The game as it stands, waiting for the next flips."""
        return Game(
            rules=self.rules,
            sides=self.sides,
            seats=tuple(map(Held, self.stocks, self.won, self.out, self.reshuffles)),
            aside=self.aside,
            rounds=self.rounds,
            battle=self.battle,
            table=tuple(self.laid),
            fighting=self.fighting,
            waiting=self.waiting,
            shown=tuple(self.shown) if self.battle else (),
            orphaned=self.orphaned,
            wars=self.wars,
            discarded=self.discarded,
            time_struck=self.time_struck,
            trail=self.trail,
            outcome=self.outcome,
        )

    def begin_round(self) -> None:
        """Forget what was shown in the round before."""
        self.shown = [()] * len(self.stocks)
        self.shortage = False

    def count(self, seat: Seat) -> int:
        """The cards a seat has left, in its stock and its won pile."""
        return len(self.stocks[seat]) + len(self.won[seat])

    def counts(self) -> tuple[int, ...]:
        """The cards every seat has left."""
        return tuple([self.count(seat) for seat in seats_of(len(self.stocks))])

    def take(self, seat: Seat) -> Card:
        """Take the top card of a seat's stock.

        Only if the stock is used up, the won pile is shuffled first (RULES R22).
        """
        if not self.stocks[seat]:
            self.reshuffle(seat)
        card = self.stocks[seat][0]
        self.stocks[seat] = self.stocks[seat][1:]
        return card

    def reshuffle(self, seat: Seat) -> None:
        """Shuffle a seat's won pile; it is the stock now."""
        self.reshuffles[seat] += 1
        label = reshuffle_label(seat, self.reshuffles[seat])
        self.stocks[seat] = self.shuffle(label, self.won[seat])
        self.won[seat] = ()
        self.events.append(Reshuffled(seat, len(self.stocks[seat])))

    def turn_up(self, seat: Seat) -> Card:
        """Turn up a seat's next card."""
        card = self.take(seat)
        self.laid.append(Laid(seat, card, True, self.battle))
        self.shown[seat] += (self.height(card),)
        return card

    def lay_stakes(self, seat: Seat, count: int) -> None:
        """Lay so many of a seat's cards face down."""
        for _ in range(count):
            self.laid.append(Laid(seat, self.take(seat), False, self.battle))

    def give_up(self, seat: Seat) -> None:
        """Put all that a seat has left into the pot, face down: it is out.

        The stock comes first, then the won pile as it lies.
        """
        rest = self.stocks[seat] + self.won[seat]
        self.laid += [Laid(seat, card, False, self.battle) for card in rest]
        self.stocks[seat] = self.won[seat] = ()
        self.retire(seat)

    def retire(self, seat: Seat) -> None:
        """The seat is out."""
        self.out[seat] = True
        self.living = tuple([other for other in self.living if other != seat])
        self.events.append(SeatOut(seat))

    def award(self, winner: Seat) -> int:
        """Give everything on the table to a seat; returns how many cards."""
        by_seat: list[list[Card]] = [[] for _ in self.stocks]
        for laid in self.laid:
            by_seat[laid.seat].append(laid.card)
        self.laid.clear()
        pot = clockwise(by_seat, winner, self.rules.order)
        return self.gain(winner, tuple(chain.from_iterable(pot)))

    def gain(self, seat: Seat, cards: tuple[Card, ...]) -> int:
        """Put a pot where the rules want it, its first card to be drawn first."""
        if self.rules.order is Order.RANDOM:
            cards = self.shuffle(pot_label(self.rounds + 1), cards)
        match self.rules.pile:
            case Pile.BOTTOM:
                self.stocks[seat] += cards
            case Pile.TOP:
                self.stocks[seat] = cards + self.stocks[seat]
            case Pile.RESHUFFLE:
                self.won[seat] += cards
        return len(cards)

    def _laid_by(self, seat: Seat) -> tuple[Card, ...]:
        return tuple([laid.card for laid in self.laid if laid.seat == seat])

    def carry(self) -> None:
        """Leave everything on the table for the next round."""
        self.laid = [laid._replace(battle=CARRIED) for laid in self.laid]

    def discard(self) -> None:
        """Take everything on the table out of the game."""
        self.discarded += tuple(laid.card for laid in self.laid)
        self.laid.clear()

    def give_back(self) -> None:
        """Give every card on the table back to who laid it, on top, as it was laid."""
        for seat in seats_of(len(self.stocks)):
            self.stocks[seat] = self._laid_by(seat) + self.stocks[seat]
        self.laid.clear()
