"""What it gains a player to be silent when the cards are bad: `make withholding`.

The server and seat 0 play together. They know both their secrets, so that they know
the cards as soon as the other has shown his; if those are bad, seat 0 is silent.

Where a missing secret is left out and nobody told, they have two deals to choose from,
and no record shows it. In Krig the attempt is void and in the record with who withheld,
so a game they won with no such trace they would have won anyhow. Krig's half is played
in real rooms, whose records must hold.
"""

import argparse
import sys
from collections import Counter
from random import Random
from typing import Final

from krig.app.figures import wilson
from krig.engine.fairness import seed_of
from krig.engine.game import new_game
from krig.engine.play import play_out
from krig.engine.rules import PRESETS
from krig.engine.seats import Seat
from krig.engine.shuffle import deal_label, shuffled, shuffler
from krig.room import commands as c
from krig.room.room import Phase, Stage
from tests.room.scene import Scene

RULES: Final = PRESETS["krieg_40"]
CHEAT, HONEST = Seat(0), Seat(1)


def is_won(seed: int) -> bool:
    """Whether seat 0 wins the game of a seed."""
    deck = RULES.deck
    cards = shuffled(seed, deal_label(deck), deck.cards)
    outcome = play_out(new_game(RULES, 2, cards), shuffler(seed)).outcome
    assert outcome is not None
    return outcome.winners == (CHEAT,)


def honest(number: int) -> str:
    """What becomes of a game in which all show what they are bound to."""
    return _told(is_won(seed_of(*_secrets(number))))


def naive(number: int) -> str:
    """What becomes of a game where a missing secret is left out."""
    game_id, server, nonces = _secrets(number)
    if is_won(seed_of(game_id, server, nonces)):
        return "won"
    return _told(is_won(seed_of(game_id, server, {HONEST: nonces[HONEST]})))


def _secrets(number: int) -> tuple[bytes, bytes, dict[Seat, bytes]]:
    chance = Random(number)
    game_id, server = chance.randbytes(16), chance.randbytes(32)
    return game_id, server, {CHEAT: chance.randbytes(32), HONEST: chance.randbytes(32)}


def krig(number: int) -> str:
    """What becomes of a game in a room of Krig's."""
    room = dealt(number).room
    assert room.seed is not None
    told = _told(is_won(room.seed))
    return f"{told}, and the record says who withheld" if room.voided else told


def dealt(number: int) -> Scene:
    """A room in which seat 0 has shown its secret only if it liked the cards."""
    scene = Scene(RULES, seed=number)
    scene.sit("cheat", "honest")
    scene.ready("cheat", "honest")
    scene.start()
    scene.reveal("honest")
    room = scene.look()
    attempt, shown = room.attempt, room.place(HONEST).nonce
    assert shown is not None
    own = bytes.fromhex(scene.nonce("cheat"))
    seed = seed_of(
        bytes.fromhex(attempt.game_id),
        bytes.fromhex(attempt.server_nonce),
        {CHEAT: own, HONEST: bytes.fromhex(shown)},
    )
    if is_won(seed):
        scene.reveal("cheat")
    else:
        late = c.GiveUpWaiting(room.terms, Stage.REVEAL, "", "")
        scene.ask(None, late)  # With a new id, and a new secret of the server's.
        scene.ready("honest")
        scene.reveal("honest")
    assert scene.look().phase is Phase.PLAYING
    return scene


def _told(won: bool) -> str:
    return "won" if won else "not won"


def main() -> int:
    """Play by the three rules, and print how often the two win; 1: they gain unseen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4000)
    games: int = parser.parse_args().games
    unseen = {}
    for rule in (honest, naive, krig):
        ends = Counter(map(rule, range(games)))
        unseen[rule] = ends["won"] / games
        print(f"{rule.__name__}:")
        for what, count in sorted(ends.items()):
            low, high = wilson(count, games)
            print(f"  {what:<44} {count / games:6.1%} [{low:.1%}, {high:.1%}]")
    gain = unseen[krig] - unseen[honest]
    print(f"won unseen, more than by honest play: {gain:+.1%} in Krig")
    return 1 if gain > 4 * (2 * 0.25 / games) ** 0.5 else 0


if __name__ == "__main__":
    sys.exit(main())
