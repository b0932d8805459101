"""War once more, with lists, straight from the rules as they are written down.

It shares no code with the engine: not even what a card is. It plays whole rounds, and
is as slow and as plain as can be.
"""

from collections.abc import Callable, Sequence
from typing import Any

HEIGHTS = "23456789TJQKAX"


class NaiveWar:
    """A game of War; `rules` are by the names that `Rules.to_dict` gives."""

    def __init__(
        self,
        rules: dict[str, Any],
        piles: Sequence[Sequence[str]],
        shuffle: Callable[[str, list[str]], list[str]],
    ) -> None:
        self.rules = rules
        self.shuffle = shuffle
        self.players = len(piles)
        self.draw = [list(pile) for pile in piles]
        self.won: list[list[str]] = [[] for _ in piles]
        self.alive = [bool(pile) for pile in piles]
        self.carried: list[tuple[int, str]] = []
        self.shuffles = [0 for _ in piles]
        self.round_number = 0
        self.ending = ""
        self.winners: list[int] = []

    def total(self, p: int) -> int:
        return len(self.draw[p]) + len(self.won[p])

    def take(self, p: int) -> str:
        if not self.draw[p]:
            self.shuffles[p] += 1
            label = f"reshuffle/{p}/{self.shuffles[p]}"
            self.draw[p] = self.shuffle(label, self.won[p])
            self.won[p] = []
        return self.draw[p].pop(0)

    def play_round(self) -> None:
        rules = self.rules
        need = rules["war_down"] + 1
        self.round_number += 1
        table, self.carried = self.carried, []
        left = [p for p in range(self.players) if self.alive[p]]
        seq: dict[int, list[int]] = {}
        for p in left:
            card = self.take(p)
            table.append((p, card))
            seq[p] = [HEIGHTS.index(card[0])]
        contest, fresh = list(left), True
        winner = None
        while winner is None:
            if not contest:
                alone = len(left) == 1
                empty = rules["orphan"] != "next_highest" and not any(
                    self.total(p) for p in left
                )
                void = rules["orphan"] == "void_end" or empty
                if not left or (void and not alone):
                    self.void(table)
                    return
                if rules["orphan"] != "next_highest" and not alone:
                    if rules["orphan"] == "carry":
                        self.carried = table
                    break
                contest, fresh = list(left), True
            key = {p: seq[p] if fresh else seq[p][-1:] for p in contest}
            fresh = False
            tied = [p for p in contest if key[p] == max(key.values())]
            if len(tied) == 1:
                winner = tied[0]
                break
            war = tied if rules["participants"] == "tied" else contest
            totals = {p: self.total(p) for p in war}
            short: list[int] = []
            if rules["short"] == "lose":
                short = [p for p in war if totals[p] < need]
                most = [p for p in war if totals[p] == max(totals.values()) > 0]
                if rules["all_short"] == "longest" and short == war and len(most) == 1:
                    short = [p for p in war if p not in most]
            elif rules["short"] == "play_have" or not any(totals.values()):
                short = [p for p in war if totals[p] == 0]
            for p in short:
                table += [(p, card) for card in self.draw[p] + self.won[p]]
                self.draw[p], self.won[p], self.alive[p] = [], [], False
                left.remove(p)
            war = [p for p in war if p not in short]
            if len(war) == 1:
                winner = war[0]
                break
            down = {p: min(need - 1, max(totals[p] - 1, 0)) for p in war}
            if rules["match_down"] and war:
                down = dict.fromkeys(war, min(down.values()))
            for p in war:
                table += [(p, self.take(p)) for _ in range(down[p])]
            for p in war:
                if totals[p]:
                    card = self.take(p)
                    table.append((p, card))
                    seq[p].append(HEIGHTS.index(card[0]))
                else:
                    seq[p].append(seq[p][-1])
            contest = war
        if winner is not None:
            self.award(winner, table)
        for p in left:
            if self.total(p) == 0:
                self.alive[p] = False
        self.check()

    def award(self, winner: int, table: list[tuple[int, str]]) -> None:
        clockwise = [(winner + i) % self.players for i in range(self.players)]
        order = self.rules["order"]
        if order == "loser_first":
            clockwise = clockwise[1:] + clockwise[:1]
        elif order == "seat":
            clockwise.sort()
        pot = [card for p in clockwise for q, card in table if p == q]
        if order == "random":
            pot = self.shuffle(f"pot/{self.round_number}", pot)
        if self.rules["pile"] == "bottom":
            self.draw[winner] = self.draw[winner] + pot
        elif self.rules["pile"] == "top":
            self.draw[winner] = pot + self.draw[winner]
        else:
            self.won[winner] = self.won[winner] + pot

    def sides(self) -> list[list[int]]:
        return (
            [[0, 2], [1, 3]]
            if self.rules["teams"]
            else [[p] for p in range(self.players)]
        )

    def check(self) -> None:
        left = [side for side in self.sides() if any(self.alive[p] for p in side)]
        if len(left) == 1:
            self.ending, self.winners = "all_cards", left[0]
        elif self.round_number == self.rules["round_limit"]:
            self.ending, self.winners = "round_limit", self.leaders()

    def void(self, table: list[tuple[int, str]]) -> None:
        for p, card in reversed(table):
            self.draw[p].insert(0, card)
        self.carried = []
        self.ending = "out_of_cards"
        self.winners = self.leaders() if self.rules["void"] == "count" else []

    def leaders(self) -> list[int]:
        sums = [sum(self.total(p) for p in side) for side in self.sides()]
        best = [s for s, n in zip(self.sides(), sums, strict=True) if n == max(sums)]
        return best[0] if len(best) == 1 else []
