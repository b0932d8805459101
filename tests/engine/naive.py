"""War once more, with lists, straight from the rules as they are written down.

It shares no code with the engine: not even what a card is. It is as plain as can be,
and stops wherever somebody has to flip.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

HEIGHTS = "23456789TJQKAX"


def naive_deal(rules: dict[str, Any], n: int, deck: list[str]) -> list[list[str]]:
    """The piles of so many players, and at last what lies aside."""
    each = len(deck) // n
    dealt, aside = deck[: each * n], deck[each * n :]
    if rules["deal"] == "cut":
        return [dealt[p * each : (p + 1) * each] for p in range(n)] + [aside]
    return [dealt[p::n] for p in range(n)] + [aside]


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
        self.draw = [list(pile) for pile in piles]
        self.won: list[list[str]] = [[] for _ in piles]
        self.out = [not pile for pile in piles]
        self.table: list[tuple[int, str, bool]] = []
        self.discarded: list[str] = []
        self.shuffles = [0 for _ in piles]
        self.rounds = self.battle = self.wars = 0
        self.struck = False
        self.must_flip: list[int] = []
        self.ending = ""
        self.winners: list[int] = []
        self.by_shortage = False
        self.positions: set[str] = set()
        self.repeated = 0
        """The first round after which a position was there again; 0: none was."""
        self.happened: Counter[str] = Counter()
        self.course = self.play()
        next(self.course)

    def all_flipped(self) -> None:
        """Everybody who must has flipped."""
        next(self.course, None)

    def play(self) -> Iterator[None]:
        while not self.ending:
            self.look_back()
            yield from self.play_round()
        self.must_flip = []

    def play_round(self) -> Iterator[None]:
        rules = self.rules
        self.battle, self.by_shortage = 0, False
        left = self.living()
        self.must_flip = left
        yield
        seq: dict[int, list[int]] = {p: [] for p in left}
        for p in left:
            self.turn_up(p, seq)
        fighting, fresh = left, True
        while True:
            last = {p: seq[p] if fresh else seq[p][-1:] for p in fighting}
            fresh = False
            best = [p for p in fighting if last[p] == max(last.values())]
            if len(best) == 1:
                self.award(best[0])
                break
            self.battle += 1
            self.wars += 1
            self.count(best)
            war = best if rules["participants"] == "tied" else fighting
            total = {p: self.total(p) for p in war}
            short = self.short(total)
            self.happened["shortages"] += len(short)
            for p in short:
                rest = self.draw[p] + self.won[p]
                self.table += [(p, card, False) for card in rest]
                self.draw[p], self.won[p], self.out[p] = [], [], True
                self.by_shortage = True
            war = [p for p in war if p not in short]
            if len(war) == 1:
                self.award(war[0])
                break
            if not war:
                left = self.living()
                self.happened["void rounds"] += not left
                self.happened["orphaned pots"] += bool(left)
                rule = rules["orphan"]
                if not left:
                    self.void()
                    return
                if rule == "next_highest" or len(left) == 1:
                    fighting, fresh = left, True
                    continue
                if rule == "void_end" or not any(self.total(p) for p in left):
                    self.void()
                    return
                if rule == "discard":
                    self.discarded += [card for _, card, _ in self.table]
                    self.table = []
                break
            self.must_flip = [p for p in war if total[p]]
            yield
            down = {p: min(rules["war_down"], max(total[p] - 1, 0)) for p in war}
            if rules["match_down"]:
                down = {p: min(down.values()) for p in war}
            for p in war:
                for _ in range(down[p]):
                    self.table.append((p, self.take(p), False))
            for p in war:
                if total[p]:
                    self.turn_up(p, seq)
                else:
                    self.happened["standing last cards"] += 1
                    seq[p].append(seq[p][-1])
            fighting = war
        self.rounds += 1
        for p in range(len(self.out)):
            self.out[p] = self.out[p] or self.total(p) == 0
        sides = [side for side in self.sides() if not all(self.out[p] for p in side)]
        self.battle = 0
        if len(sides) == 1:
            self.end("all_cards", sides[0])
        elif self.rounds == rules["round_limit"]:
            self.end("round_limit", self.leaders())
        elif self.struck:
            self.end("time_limit", self.leaders())

    def short(self, total: dict[int, int]) -> list[int]:
        if self.rules["short"] == "lose":
            short = [p for p in total if total[p] < self.rules["war_down"] + 1]
            most = [p for p in total if total[p] == max(total.values()) > 0]
            if self.rules["all_short"] == "longest" and len(short) == len(total):
                return [p for p in short if [p] != most]
            return short
        if self.rules["short"] == "last_stands" and any(total.values()):
            return []
        return [p for p in total if total[p] == 0]

    def total(self, p: int) -> int:
        return len(self.draw[p]) + len(self.won[p])

    def living(self) -> list[int]:
        return [p for p in range(len(self.out)) if not self.out[p]]

    def take(self, p: int) -> str:
        if not self.draw[p]:
            self.shuffles[p] += 1
            label = f"reshuffle/{p}/{self.shuffles[p]}"
            self.draw[p], self.won[p] = self.shuffle(label, self.won[p]), []
        return self.draw[p].pop(0)

    def turn_up(self, p: int, seq: dict[int, list[int]]) -> None:
        card = self.take(p)
        self.table.append((p, card, True))
        seq[p].append(HEIGHTS.index(card[0]))

    def award(self, winner: int) -> None:
        n = len(self.out)
        turn = [(winner + i) % n for i in range(n)]
        if self.rules["order"] == "loser_first":
            turn = turn[1:] + turn[:1]
        elif self.rules["order"] == "seat":
            turn = list(range(n))
        pot = [card for p in turn for q, card, _ in self.table if p == q]
        if self.rules["order"] == "random":
            pot = self.shuffle(f"pot/{self.rounds + 1}", pot)
        if self.rules["pile"] == "bottom":
            self.draw[winner] = self.draw[winner] + pot
        elif self.rules["pile"] == "top":
            self.draw[winner] = pot + self.draw[winner]
        else:
            self.won[winner] = self.won[winner] + pot
        self.table = []

    def give_back(self) -> None:
        for p, card, _ in reversed(self.table):
            self.draw[p].insert(0, card)
        self.table = []

    def void(self) -> None:
        self.give_back()
        self.rounds += 1
        winners = self.leaders() if self.rules["void"] == "count" else []
        self.end("out_of_cards", winners)

    def time_up(self) -> None:
        if self.battle and self.rules["time_mid_war"] == "finish":
            self.struck = True
            return
        if self.battle:
            self.give_back()
        self.by_shortage = False
        self.end("time_limit", self.leaders())

    def end(self, ending: str, winners: list[int]) -> None:
        decided_by_cards = ending in ("all_cards", "out_of_cards")
        self.by_shortage = self.by_shortage and decided_by_cards
        self.ending, self.winners = ending, winners
        self.battle, self.must_flip = 0, []

    def sides(self) -> list[list[int]]:
        if self.rules["teams"]:
            return [[0, 2], [1, 3]]
        return [[p] for p in range(len(self.out))]

    def leaders(self) -> list[int]:
        sums = [sum(self.total(p) for p in side) for side in self.sides()]
        best = [s for s, n in zip(self.sides(), sums, strict=True) if n == max(sums)]
        return best[0] if len(best) == 1 else []

    # What the course of the game is told by ------------------------------------------

    def count(self, tied: list[int]) -> None:
        self.happened["wars"] += 1
        self.happened["second wars in a round"] += self.battle == 2
        self.happened["third wars in a round"] += self.battle == 3
        self.happened["triple ties"] += len(tied) > 2

    def look_back(self) -> None:
        position = repr((self.draw, self.won, self.table))
        if position in self.positions and not self.repeated:
            self.repeated = self.rounds
        self.positions.add(position)
