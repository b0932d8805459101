"""So many at once, so many a second, and the clock alone fills it."""

from krig.transport.bucket import Bucket


def test_a_burst_goes_through_and_the_next_one_waits() -> None:
    bucket = Bucket(rate=5, burst=20, now=100.0)
    assert [bucket.take(100.0) for _ in range(20)] == [0.0] * 20
    assert bucket.take(100.0) == 0.2


def test_in_the_long_run_the_rate_goes_through() -> None:
    bucket = Bucket(rate=5, burst=20, now=0.0)
    taken = sum(bucket.take(tick / 100) == 0 for tick in range(100 * 100))
    assert taken in range(519, 521)


def test_it_never_holds_more_than_a_burst() -> None:
    bucket = Bucket(rate=5, burst=3, now=0.0)
    assert [bucket.take(1e6) == 0 for _ in range(4)] == [True, True, True, False]


def test_who_waits_as_long_as_told_is_let_through() -> None:
    bucket = Bucket(rate=3, burst=1, now=0.0)
    bucket.take(0.0)
    wait = bucket.take(0.0)
    assert bucket.take(wait - 0.01) > 0
    assert bucket.take(wait) == 0.0
