"""Whoever is in stays in; a newcomer over a limit is turned away."""

from krig.transport.crowd import Crowd


def test_one_more_than_a_public_address_may_have_is_turned_away() -> None:
    crowd = Crowd(most=100, most_of_one=2)
    assert [crowd.enter("93.184.216.34") for _ in range(3)] == [True, True, False]
    assert crowd.enter("93.184.216.35")


def test_a_family_behind_one_private_address_has_no_limit_of_its_own() -> None:
    crowd = Crowd(most=100, most_of_one=2)
    assert all(crowd.enter("192.168.1.1") for _ in range(50))


def test_a_place_that_was_left_is_free_again() -> None:
    crowd = Crowd(most=1, most_of_one=1)
    assert crowd.enter("::1")
    assert not crowd.enter("::1")
    crowd.leave("::1")
    assert crowd.enter("::1")


async def test_it_is_gone_when_the_last_one_has_left() -> None:
    crowd = Crowd(most=9, most_of_one=9)
    await crowd.is_gone()
    crowd.enter("10.0.0.1")
    crowd.enter("10.0.0.2")
    crowd.leave("10.0.0.1")
    assert len(crowd) == 1
    crowd.leave("10.0.0.2")
    await crowd.is_gone()
