"""The record of a game: whoever has it can play it again, and check the deal."""

from dataclasses import replace

import pytest

from krig.engine.cards import Card, Deck
from krig.engine.fairness import commitment, seed_of
from krig.engine.game import new_game
from krig.engine.play import Flip, play
from krig.engine.rules import PRESETS, Rules
from krig.engine.seats import Seat
from krig.engine.shuffle import deal_label, shuffled, shuffler
from krig.errors import GameNotOver
from krig.room import commands as c
from krig.room.record import Record, record
from tests.room.scene import Scene


def finished(scene: Scene, *people: str, bots: int = 0) -> Record:
    scene.begin(*people, bots=bots)
    scene.play_out()
    return record(scene.entries)


@pytest.mark.parametrize(
    ("rules", "people", "bots"),
    [
        pytest.param(PRESETS["krieg_40"], ("Kari", "Ola"), 0, id="krieg-2"),
        pytest.param(PRESETS["krieg_240"], ("Kari",), 1, id="krieg-bot"),
        pytest.param(PRESETS["krig_nettversjon"], ("A", "B", "C"), 0, id="three"),
        pytest.param(PRESETS["krig_klassisk"], ("A", "B", "C"), 1, id="four"),
        pytest.param(
            Rules(deck=Deck.WITH_JOKERS, teams=True), tuple("ABCD"), 0, id="t"
        ),
    ],
)
def test_the_game_can_be_played_again_from_its_nonces_alone(
    rules: Rules, people: tuple[str, ...], bots: int
) -> None:
    told = finished(Scene(rules), *people, bots=bots)
    deal = told["deal"]
    game_id = bytes.fromhex(deal["id"])
    server = bytes.fromhex(deal["server_nonce"])
    assert commitment(game_id, None, server).hex() == deal["server_commitment"]
    nonces = {Seat(seat): bytes.fromhex(text) for seat, text in deal["nonces"]}
    for seat, bound in deal["commitments"]:
        assert commitment(game_id, seat, nonces[Seat(seat)]).hex() == bound
    assert len(nonces) == len(people), "computer players contribute nothing"
    seed = seed_of(game_id, server, nonces)
    assert told["seed"] == str(seed)

    agreed = Rules.from_dict(told["rules"])
    cards = shuffled(seed, deal_label(agreed.deck), agreed.deck.cards)
    game, chance = new_game(agreed, len(told["players"]), cards), shuffler(seed)
    assert [str(card) for card in game.aside] == told["aside"]
    for number, one in enumerate(told["rounds"], 1):
        assert one["round"] == number
        for battle in one["battles"]:
            waiting = game.waiting
            assert sorted(seat for seat, _ in battle["flips"]) == list(waiting)
            assert [Card.parse(card).height for _, card in battle["up"]]
            for seat, _ in battle["flips"]:
                flip = Flip(Seat(seat), game.rounds + 1, game.battle)
                game, _events = play(game, flip, chance)
        assert list(game.counts) == one["counts"]
        assert one["war"] == len(one["battles"]) - 1 or one["winner"] is not None
    assert game.outcome is not None
    assert told["outcome"] == {
        "ending": game.outcome.ending.value,
        "winners": list(game.outcome.winners),
        "counts": list(game.outcome.counts),
        "by_shortage": game.outcome.by_shortage,
    }


def test_there_is_no_record_before_the_end() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    for end in range(1, len(scene.entries) + 1):
        with pytest.raises(GameNotOver):
            record(scene.entries[:end])
    scene.play_out()
    for end in range(1, len(scene.entries)):
        with pytest.raises(GameNotOver):
            record(scene.entries[:end])
    assert record(scene.entries)["room"] == "ABCD"


def test_a_deal_that_was_given_up_stays_in_the_record_with_all_its_nonces() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.ready("Kari", "Ola")
    scene.start()
    bound = scene.place("Ola").commitment
    first, nonce = scene.room.attempt, scene.nonce("Kari")
    scene.reveal("Kari")
    scene.wait(3_000)
    scene.ready("Kari")
    scene.reveal("Kari")
    scene.play_out()
    told = record(scene.entries)
    (void,) = told["void_deals"]
    assert void["id"] == first.game_id
    assert void["server_nonce"] == first.server_nonce
    assert void["nonces"] == [(0, nonce)]
    assert (1, bound) in void["commitments"]
    assert void["withheld"] == told["deal"]["withheld"] == [1]
    assert [seat for seat, _ in told["deal"]["nonces"]] == [0]


def test_who_left_is_in_the_record_and_so_is_who_made_their_flips() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    scene.ask("Ola", c.LeaveSeat())
    scene.play_out()
    told = record(scene.entries)
    assert [p["name"] for p in told["players"]] == ["Kari", "Ola"]
    flips = told["rounds"][-1]["battles"][0]["flips"]
    assert sorted(flips) == [(0, "player"), (1, "autoplay")]


def test_a_game_that_was_abandoned_while_dealing_has_a_record_without_cards() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.ready("Kari", "Ola")
    scene.start()
    scene.ask("Kari", c.LeaveSeat())
    scene.ask("Ola", c.LeaveSeat())
    told = record(scene.entries)
    assert (told["seed"], told["outcome"], told["rounds"]) == (None, None, [])


def test_the_second_game_has_its_own_record() -> None:
    scene = Scene(replace(PRESETS["krieg_40"], round_limit=3))
    finished(scene, "Kari", "Ola")
    first = len(scene.entries)
    scene.next_lobby()
    scene.deal()
    scene.play_out()
    told = record(scene.entries[first:])
    assert told["game"] == 2
    assert len(told["rounds"]) == 3
