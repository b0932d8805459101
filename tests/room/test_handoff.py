"""A seat moves to another device, once, and only by who was given the code."""

import pytest

from krig.engine.seats import Seat
from krig.errors import (
    GameUnderWay,
    KrigError,
    NobodyThere,
    NoSuchOffer,
    NotOwner,
    NotSeated,
)
from krig.room import commands as c
from krig.room import facts as f
from krig.room.handoff import claim_of
from tests.room.scene import Scene, token

CLAIM = claim_of("KR7F2Q1B")


def refused(scene: Scene, who: str | None, command: c.Command) -> type[KrigError]:
    with pytest.raises(KrigError) as caught:
        scene.judge(who, command)
    return caught.type


def test_a_claim_in_mid_war_takes_the_seat_and_the_old_token_is_dead() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    scene.play_to_a_war()
    table = scene.game
    scene.ask("Kari", c.OfferSeat(Seat(0), CLAIM))
    page = f.Connection("new")
    assert scene.ask("Kari's phone", c.ClaimSeat(CLAIM, page)) == (
        f.SeatClaimed(Seat(0), token("Kari's phone"), page),
    )
    place = scene.place("Kari's phone")
    assert (place.name, place.connection, place.offer) == ("Kari", page, None)
    assert scene.game == table
    assert token("Kari") in scene.room.dead_tokens
    assert refused(scene, "Kari", scene.flip_now()) is NotSeated
    scene.flip("Kari's phone")
    assert scene.game.flipped == (0,)


def test_a_repeated_claim_is_harmless_and_another_finds_no_offer() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    scene.ask("Kari", c.OfferSeat(Seat(0), CLAIM))
    scene.ask("phone", c.ClaimSeat(CLAIM))
    assert scene.ask("phone", c.ClaimSeat(CLAIM)) == ()
    assert refused(scene, "thief", c.ClaimSeat(CLAIM)) is NoSuchOffer
    assert refused(scene, None, c.ClaimSeat(CLAIM)) is NotSeated
    assert refused(scene, "Kari", c.ClaimSeat(CLAIM)) is NotSeated


def test_a_newer_offer_takes_the_place_of_the_older() -> None:
    scene = Scene()
    scene.sit("Kari")
    scene.ask("Kari", c.OfferSeat(Seat(0), CLAIM))
    newer = claim_of("BBBBBBBB")
    scene.ask("Kari", c.OfferSeat(Seat(0), newer))
    assert refused(scene, "phone", c.ClaimSeat(CLAIM)) is NoSuchOffer
    assert scene.ask("phone", c.ClaimSeat(newer))


def test_an_offer_ends_after_two_minutes() -> None:
    scene = Scene()
    scene.sit("Kari")
    scene.ask("Kari", c.OfferSeat(Seat(0), CLAIM))
    end = c.EndOffer(Seat(0), CLAIM)
    assert scene.left(end) == 120_000
    assert scene.ask(None, end) == (f.OfferEnded(Seat(0)),)
    assert refused(scene, "phone", c.ClaimSeat(CLAIM)) is NoSuchOffer
    assert scene.ask(None, end) == ()


def test_only_the_owner_offers_anothers_seat_and_only_an_away_one() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola", bots=1)
    assert refused(scene, "Ola", c.OfferSeat(Seat(0), CLAIM)) is NotOwner
    assert refused(scene, "Kari", c.OfferSeat(Seat(1), CLAIM)) is NobodyThere
    assert refused(scene, "Kari", c.OfferSeat(Seat(2), CLAIM)) is NobodyThere
    scene.go("Ola")
    assert scene.ask("Kari", c.OfferSeat(Seat(1), CLAIM))


def test_nothing_is_handed_on_while_the_deal_waits_for_nonces() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.ask("Kari", c.OfferSeat(Seat(0), CLAIM))
    scene.ready("Kari", "Ola")
    scene.start()
    assert refused(scene, "Ola", c.OfferSeat(Seat(1), CLAIM)) is GameUnderWay
    assert refused(scene, "phone", c.ClaimSeat(CLAIM)) is GameUnderWay


def test_in_the_lobby_the_new_device_is_not_ready_for_it_has_no_nonce() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.ready("Kari", "Ola")
    scene.ask("Kari", c.OfferSeat(Seat(0), CLAIM))
    scene.ask("phone", c.ClaimSeat(CLAIM))
    assert scene.place("phone").commitment is None
    assert scene.place("Ola").commitment is not None
