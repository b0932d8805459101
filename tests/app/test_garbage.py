"""Garbage is collected in quiet moments, and each pause is measured."""

import gc

from krig.app.garbage import THRESHOLDS, Garbage


def test_what_lives_is_looked_at_once_and_all_is_as_before_in_the_end() -> None:
    before, pauses = gc.get_threshold(), list[float]()
    with Garbage(pauses.append) as garbage:
        assert gc.get_threshold() == THRESHOLDS
        assert gc.get_freeze_count() > 10_000
        assert len(pauses) == 1
        gc.collect()
        quick = pauses[-1]
        garbage.settle()
        assert len(pauses) == 3
        assert quick < pauses[0], "nothing new to look at"
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


def test_what_was_frozen_and_is_garbage_now_goes_in_the_next_quiet_moment() -> None:
    class Thing:
        me: object

    def things() -> int:
        return sum(isinstance(each, Thing) for each in gc.get_objects())

    thing = Thing()
    thing.me = thing
    with Garbage(lambda _: None) as garbage:
        del thing
        gc.collect()
        garbage.settle()
        gc.unfreeze()
        assert things() == 0
