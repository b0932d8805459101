"""A round: from the first flip until the table is clear, however many wars it takes.

Told for one battle at a time, from the last press for it to the wait for the next
(RULES section 3, "The round, formally").
"""

from krig.engine.battle import best_of_waiting, highest, short_seats, stakes_due
from krig.engine.events import (
    By,
    CardsTurned,
    GameEnded,
    PotLeft,
    PotWon,
    RoundEnded,
    RoundVoided,
    SeatShort,
    StakesLaid,
    WarDeclared,
)
from krig.engine.game import Trail
from krig.engine.outcome import Ending, Outcome, leaders
from krig.engine.pot import clockwise
from krig.engine.rules import Orphan, Participants, Void
from krig.engine.seats import Seat
from krig.engine.table import Table


def fight(table: Table) -> None:
    """Turn up the cards of this battle, and settle it up to the next flips."""
    if table.battle:
        _lay_stakes(table)
    else:
        table.begin_round()
    _turn_up(table)
    _settle(table, highest(table.fighting, table.shown))


def skip_plain_rounds(table: Table, patience: float) -> None:
    """Play rounds untold, up to one in which more happens than that the highest wins.

    Or up to the round that is the last one there is `patience` for.

    `fight` would do the same, at a third of the speed: this is for simulations.
    """
    stocks, won, seats = table.stocks, table.won, table.living
    order, height = table.rules.order, table.height
    last = min(table.rules.round_limit or patience, patience)
    while not (table.laid or table.time_struck or table.outcome):
        for seat in seats:
            if not stocks[seat]:
                table.reshuffle(seat)
        cards = [stocks[seat][0] for seat in seats]
        heights = list(map(height, cards))
        top = max(heights)
        best = heights.index(top)
        if heights.count(top) > 1 or table.rounds + 1 >= last:
            return
        for seat in seats:
            if len(stocks[seat]) == 1 and not won[seat] and seat != seats[best]:
                return
        for seat in seats:
            stocks[seat] = stocks[seat][1:]
        table.gain(seats[best], tuple(clockwise(cards, best, order)))
        table.rounds += 1
        if table.trail:
            _follow_trail(table, table.trail)


def _lay_stakes(table: Table) -> None:
    due = stakes_due(table.rules, {seat: table.count(seat) for seat in table.fighting})
    for seat in table.waiting:
        table.lay_stakes(seat, due[seat])
    table.events.append(StakesLaid(tuple((s, due[s]) for s in table.waiting)))


def _turn_up(table: Table) -> None:
    turned = tuple([(seat, table.turn_up(seat)) for seat in table.waiting])
    table.events.append(CardsTurned(turned))
    if len(turned) < len(table.fighting):
        for seat in table.fighting:
            if seat not in table.waiting:  # Its last card stands (Short.LAST_STANDS).
                table.shown[seat] += table.shown[seat][-1:]


def _settle(table: Table, best: tuple[Seat, ...]) -> None:
    """Give the pot to the best seat; if they are several, it is war."""
    if len(best) == 1:
        _win(table, best[0], By.ORPHAN if table.orphaned else By.HIGH)
        return
    if table.rules.participants is Participants.TIED:
        table.fighting = best
    table.battle += 1
    table.wars += 1
    table.events.append(WarDeclared(table.fighting, table.battle))
    _drop_short_seats(table)
    match table.fighting:
        case ():
            _orphan(table)
        case (seat,):
            _win(table, seat, By.ORPHAN if table.orphaned else By.WALKOVER)
        case _:
            table.waiting = tuple(s for s in table.fighting if table.count(s))


def _drop_short_seats(table: Table) -> None:
    counts = {seat: table.count(seat) for seat in table.fighting}
    short = short_seats(table.rules, counts)
    for seat in short:
        table.events.append(SeatShort(seat, counts[seat]))
        table.give_up(seat)
        table.shortage = True
    table.fighting = tuple(seat for seat in table.fighting if seat not in short)


def _orphan(table: Table) -> None:
    """Everyone in the war is out: the pot falls to those who had waited, if any."""
    living, orphan = table.living, table.rules.orphan
    if not living:
        _void(table)
    elif len(living) == 1 or orphan is Orphan.NEXT_HIGHEST:
        # One who waited alone takes it under every orphan rule (RULES R9).
        table.orphaned = True
        table.fighting = living
        _settle(table, best_of_waiting(living, table.shown))
    elif orphan is Orphan.VOID_END or not any(map(table.count, living)):
        _void(table)
    else:
        table.events.append(PotLeft(orphan, len(table.laid)))
        if orphan is Orphan.CARRY:
            table.carry()
        else:
            table.discard()
        _end_round(table)


def _win(table: Table, winner: Seat, by: By) -> None:
    count = table.award(winner)
    table.events.append(PotWon(winner, count, by))
    _end_round(table)


def _void(table: Table) -> None:
    """Nobody is left to take the pot: who laid a card has it back, the game ends."""
    give_back(table)
    _close(table)
    by_count = table.rules.void is Void.COUNT
    winners = leaders(table.counts(), table.sides) if by_count else ()
    end(table, Ending.OUT_OF_CARDS, winners, table.shortage)


def _end_round(table: Table) -> None:
    """Clear the table, and see whether the game is over (RULES R14)."""
    stocks, won = table.stocks, table.won
    emptied = [seat for seat in table.living if not stocks[seat] and not won[seat]]
    for seat in emptied:
        table.retire(seat)
    _close(table)
    if emptied or table.shortage:
        left = [side for side in table.sides if not all(table.out[s] for s in side)]
        if len(left) == 1:
            end(table, Ending.ALL_CARDS, left[0], table.shortage)
            return
    if table.rounds == table.rules.round_limit:
        count_off(table, Ending.ROUND_LIMIT)
    elif table.time_struck:
        count_off(table, Ending.TIME_LIMIT)
    elif table.trail:
        _follow_trail(table, table.trail)


def _close(table: Table) -> None:
    """Count the round as finished; every seat not out flips for the next one."""
    table.rounds += 1
    table.battle = 0
    table.orphaned = False
    table.fighting = table.waiting = table.living
    counts = tuple(zip(map(len, table.stocks), map(len, table.won), strict=True))
    table.events.append(RoundEnded(table.rounds, counts))


def _follow_trail(table: Table, trail: Trail) -> None:
    """End the game if the position has been there before (RULES R2)."""
    position = tuple(table.stocks), tuple(table.laid)
    if position == trail.kept:
        end(table, Ending.REPETITION, ())
    else:
        table.trail = trail.walked(position)


def give_back(table: Table) -> None:
    """Make the round void: every card on the table goes back to who laid it."""
    table.give_back()
    table.events.append(RoundVoided())


def count_off(table: Table, ending: Ending) -> None:
    """End the game: whoever has the most cards wins, and a shared lead is a draw."""
    end(table, ending, leaders(table.counts(), table.sides))


def end(
    table: Table, ending: Ending, winners: tuple[Seat, ...], by_shortage: bool = False
) -> None:
    """End the game; what lay aside is shown."""
    table.battle = 0
    table.fighting = table.waiting = ()
    table.outcome = Outcome(ending, winners, table.counts(), by_shortage)
    table.events.append(GameEnded(table.outcome, table.aside))
