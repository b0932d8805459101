"""A game opened up while it is played on: the only place where cards move.

Rule 1: a card is moved, never made or dropped.
Rule 2: a `Table` lives inside one transition; between two flips there is only a `Game`.
Rule 3: what happens is told in the order in which it happens.
"""

from krig.engine.cards import Card
from krig.engine.events import Event, Reshuffled, SeatOut
from krig.engine.game import CARRIED, Game, Held, Laid
from krig.engine.pot import pot
from krig.engine.rules import Pile
from krig.engine.seats import Seat, seats_of
from krig.engine.shuffle import Shuffle, reshuffle_label, unshuffled


class Table:
    """The piles of a game, the cards between them, and what is told of them.

    Its names are those of `Game`.
    """

    def __init__(self, game: Game, shuffle: Shuffle = unshuffled) -> None:
        self.rules = game.rules
        self.sides = game.sides
        self.aside = game.aside
        self.shuffle = shuffle
        self.events: list[Event] = []

        self.stocks = [held.stock for held in game.seats]
        self.won = [held.won for held in game.seats]
        self.out = [held.out for held in game.seats]
        self.reshuffles = [held.reshuffles for held in game.seats]

        self.rounds = game.rounds
        self.battle = game.battle
        self.laid = list(game.table)
        self.fighting = game.fighting
        self.waiting = game.waiting
        self.shown: list[tuple[int, ...]] = list(game.shown)
        self.orphaned = game.orphaned
        self.shortage = any(
            held.out and heights
            for held, heights in zip(game.seats, game.shown, strict=False)
        )
        """Whether a seat was short of cards for a war of this round."""

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

    def living(self) -> tuple[Seat, ...]:
        """The seats that are not out."""
        return tuple([Seat(seat) for seat, out in enumerate(self.out) if not out])

    def take(self, seat: Seat) -> Card:
        """Take the top card of a seat's stock.

        Only if the stock is used up, the won pile is shuffled first (RULES R22).
        """
        stock = self.stocks[seat] or self._reshuffle(seat)
        self.stocks[seat] = stock[1:]
        return stock[0]

    def _reshuffle(self, seat: Seat) -> tuple[Card, ...]:
        self.reshuffles[seat] += 1
        label = reshuffle_label(seat, self.reshuffles[seat])
        stock = self.shuffle(label, self.won[seat])
        self.won[seat] = ()
        self.events.append(Reshuffled(seat, len(stock)))
        return stock

    def turn_up(self, seat: Seat) -> Card:
        """Turn up a seat's next card."""
        card = self.take(seat)
        self.laid.append(Laid(seat, card, True, self.battle))
        self.shown[seat] += (card.height,)
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
        self.events.append(SeatOut(seat))

    def award(self, winner: Seat) -> int:
        """Give everything on the table to a seat; returns how many cards."""
        rules = self.rules
        cards = pot(
            self.laid,
            winner,
            len(self.stocks),
            rules.order,
            self.rounds + 1,
            self.shuffle,
        )
        match rules.pile:
            case Pile.BOTTOM:
                self.stocks[winner] += cards
            case Pile.TOP:
                self.stocks[winner] = cards + self.stocks[winner]
            case Pile.RESHUFFLE:
                self.won[winner] += cards
        self.laid.clear()
        return len(cards)

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
            own = tuple(laid.card for laid in self.laid if laid.seat == seat)
            self.stocks[seat] = own + self.stocks[seat]
        self.laid.clear()
