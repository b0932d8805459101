"""A token bucket: so many at once, and so many a second in the long run."""


class Bucket:
    """Fills at `rate` a second up to `burst`; who takes from an empty one waits."""

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self.rate = rate
        self.burst = burst
        self._level = float(burst)
        self._at = now

    def has_one(self, now: float) -> bool:
        """Whether one could be taken."""
        return self._level + (now - self._at) * self.rate >= 1

    def take(self, now: float) -> float:
        """Take one; return 0, or the seconds until one can be taken.

        >>> bucket = Bucket(rate=2, burst=1, now=10)
        >>> bucket.take(10), bucket.take(10), bucket.take(10.5)
        (0.0, 0.5, 0.0)
        """
        self._level = min(self.burst, self._level + (now - self._at) * self.rate)
        self._at = now
        if self._level < 1:
            return (1 - self._level) / self.rate
        self._level -= 1
        return 0.0
