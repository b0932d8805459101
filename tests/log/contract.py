"""Every promise of the log's port, for each adapter's tests to inherit."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from krig.engine.seats import Seat
from krig.errors import Conflict, StorageUnavailable
from krig.log.log import Log, LogName
from krig.room.facts import Entry, Flipped

LOBBY = LogName("KRIG", 1)


def entry(v: int = 1, nonce: str = "") -> Entry:
    """An entry to be known again by its version and nonce."""
    return Entry(v=v, at=1000 + v, nonce=nonce, facts=(Flipped(Seat(v % 4)),))


async def fill(log: Log, name: LogName, entries: int, after: int = 0) -> list[int]:
    """Append so many entries; return their versions."""
    versions = []
    for v in range(1, entries + 1):
        after = await log.append(name, after, entry(v))
        versions.append(after)
    return versions


async def append_in_the_end(log: Log, name: LogName, nonce: str) -> None:
    """Append as a host does: on a conflict catch up and try again."""
    while True:
        stored = await log.read(name)
        after = stored[-1][0] if stored else 0
        try:
            await log.append(name, after, entry(len(stored) + 1, nonce))
        except Conflict:
            continue
        return


async def take(
    follower: AsyncIterator[tuple[int, Entry]], count: int
) -> list[tuple[int, Entry]]:
    """The next so many entries that a follower gets."""
    return [await anext(follower) for _ in range(count)]


class RoomLogContract(ABC):
    """The promises; an adapter's test says how its log is opened."""

    @abstractmethod
    def open(self, folder: Path) -> Log:
        """Open a log with nothing in it."""

    @pytest.fixture
    async def log(self, tmp_path: Path) -> AsyncIterator[Log]:
        log = self.open(tmp_path)
        yield log
        await log.aclose()

    # Appending.

    async def test_what_was_appended_is_read_in_order(self, log: Log) -> None:
        versions = await fill(log, LOBBY, 5)
        assert versions == sorted(set(versions))
        assert 0 not in versions
        assert await log.read(LOBBY) == [
            (version, entry(v)) for v, version in enumerate(versions, 1)
        ]

    async def test_reading_begins_behind_a_version(self, log: Log) -> None:
        versions = await fill(log, LOBBY, 5)
        for known, version in enumerate(versions, 1):
            behind = await log.read(LOBBY, version)
            assert [found.v for _, found in behind] == list(range(known + 1, 6))

    async def test_of_a_room_that_is_not_there_nothing_is_read(self, log: Log) -> None:
        assert await log.read(LOBBY) == []

    @pytest.mark.parametrize("known", [0, 1, 2, -1])
    async def test_a_stale_append_is_refused_and_writes_nothing(
        self, log: Log, known: int
    ) -> None:
        versions = [0, *await fill(log, LOBBY, 3)]
        after = versions[known] if known >= 0 else versions[-1] + 1
        before = await log.read(LOBBY)
        with pytest.raises(Conflict):
            await log.append(LOBBY, after, entry(9, "stale"))
        assert await log.read(LOBBY) == before
        await log.append(LOBBY, versions[-1], entry(4))

    async def test_a_room_is_made_once(self, log: Log) -> None:
        await log.append(LOBBY, 0, entry(1, "first"))
        with pytest.raises(Conflict):
            await log.append(LOBBY, 0, entry(1, "second"))
        assert [found.nonce for _, found in await log.read(LOBBY)] == ["first"]

    async def test_a_room_that_is_not_there_is_at_0(self, log: Log) -> None:
        with pytest.raises(Conflict):
            await log.append(LOBBY, 1, entry())
        assert await log.read(LOBBY) == []
        assert await log.newest("KRIG") is None

    async def test_of_many_at_the_same_version_one_wins(self, log: Log) -> None:
        after = 0
        for turn in range(1, 6):
            outcomes = await asyncio.gather(
                *(log.append(LOBBY, after, entry(turn, f"{n}")) for n in range(50)),
                return_exceptions=True,
            )
            won = [n for n, each in enumerate(outcomes) if isinstance(each, int)]
            lost = [each for each in outcomes if isinstance(each, Conflict)]
            assert (len(won), len(lost)) == (1, 49)
            version, stored = (await log.read(LOBBY))[-1]
            assert (version, stored.nonce) == (outcomes[won[0]], f"{won[0]}")
            after = version
        assert len(await log.read(LOBBY)) == 5

    async def test_a_conflict_harms_nobody_who_appends_beside_it(
        self, log: Log
    ) -> None:
        await log.append(LOBBY, 0, entry())
        others = [LogName(f"R{n}", 1) for n in range(20)]
        outcomes = await asyncio.gather(
            *(log.append(name, 0, entry()) for name in others[:10]),
            log.append(LOBBY, 0, entry()),
            *(log.append(name, 0, entry()) for name in others[10:]),
            return_exceptions=True,
        )
        assert [type(each) for each in outcomes] == [int] * 10 + [Conflict] + [int] * 10
        for name in others:
            assert len(await log.read(name)) == 1

    async def test_rooms_and_chapters_do_not_mix(self, log: Log) -> None:
        names = [LogName(code, n) for code in ("A", "AB", "B", "a") for n in (1, 2, 10)]
        versions = dict.fromkeys(names, 0)
        for v in range(1, 8):
            for name in names:
                appended = entry(v, str(name))
                versions[name] = await log.append(name, versions[name], appended)
        for name in names:
            stored = [found for _, found in await log.read(name)]
            assert stored == [entry(v, str(name)) for v in range(1, 8)]

    async def test_a_cancelled_append_is_stored_once_or_not(self, log: Log) -> None:
        names = [LogName(f"R{n}", 1) for n in range(40)]
        tasks = [
            asyncio.ensure_future(log.append(name, 0, entry(1, "first")))
            for name in names
        ]
        for turn, task in enumerate(tasks):
            if turn % 8 == 0:
                await asyncio.sleep(0)
            if turn % 2:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for name, task in zip(names, tasks, strict=True):
            stored = [found.nonce for _, found in await log.read(name)]
            assert stored in ([], ["first"])
            assert task.cancelled() or stored
            if not stored:  # as after `Unknown`: not there, so once more
                await log.append(name, 0, entry(1, "again"))
            assert len(await log.read(name)) == 1

    # Following.

    async def test_a_follower_gets_what_was_and_what_comes(self, log: Log) -> None:
        versions = await fill(log, LOBBY, 3)
        follower = log.follow(LOBBY)
        assert [found.v for _, found in await take(follower, 3)] == [1, 2, 3]
        waiting = asyncio.ensure_future(take(follower, 2))
        after = await log.append(LOBBY, versions[-1], entry(4))
        await log.append(LOBBY, after, entry(5))
        assert [found.v for _, found in await waiting] == [4, 5]

    async def test_a_follower_may_begin_in_the_middle(self, log: Log) -> None:
        versions = await fill(log, LOBBY, 5)
        follower = log.follow(LOBBY, versions[2])
        assert await take(follower, 2) == [
            (versions[3], entry(4)),
            (versions[4], entry(5)),
        ]

    async def test_a_follower_may_begin_before_the_room(self, log: Log) -> None:
        waiting = asyncio.ensure_future(take(log.follow(LOBBY), 2))
        await asyncio.sleep(0)
        await fill(log, LOBBY, 2)
        assert [found.v for _, found in await waiting] == [1, 2]

    async def test_a_follower_gets_its_own_chapter_only(self, log: Log) -> None:
        follower = log.follow(LOBBY)
        await log.append(LOBBY, 0, entry(1, "mine"))
        assert (await anext(follower))[1].nonce == "mine"
        waiting = asyncio.ensure_future(anext(follower))
        await log.append(LogName("KRIG", 2), 0, entry(2, "next chapter"))
        await log.append(LogName("KRIGG", 1), 0, entry(1, "other room"))
        await append_in_the_end(log, LOBBY, "mine too")
        assert (await waiting)[1].nonce == "mine too"

    async def test_followers_miss_nothing_while_many_append(self, log: Log) -> None:
        writers, each = 8, 12
        followers = [asyncio.ensure_future(take(log.follow(LOBBY), writers * each))]

        async def write(writer: int) -> None:
            for turn in range(each):
                await append_in_the_end(log, LOBBY, f"{writer}.{turn}")
                if turn % 4 == writer % 4:  # somebody joins in the midst of it
                    follower = take(log.follow(LOBBY), writers * each)
                    followers.append(asyncio.ensure_future(follower))

        await asyncio.gather(*map(write, range(writers)))
        stored = await log.read(LOBBY)
        assert [found.v for _, found in stored] == list(range(1, writers * each + 1))
        assert len({found.nonce for _, found in stored}) == writers * each
        for heard in await asyncio.gather(*followers):
            assert heard == stored

    async def test_a_slow_follower_misses_nothing(self, log: Log) -> None:
        behind = 300
        (version,) = await fill(log, LOBBY, 1)
        follower = log.follow(LOBBY)
        await anext(follower)
        await fill(log, LOBBY, behind, version)
        heard = [found.v for _, found in await take(follower, behind)]
        assert heard == list(range(1, behind + 1))

    # Rooms.

    async def test_the_newest_chapter_is_that_with_the_highest_number(
        self, log: Log
    ) -> None:
        assert await log.newest("KRIG") is None
        for chapter in (1, 2, 9, 10):
            await log.append(LogName("KRIG", chapter), 0, entry())
            assert await log.newest("KRIG") == LogName("KRIG", chapter)
        await log.append(LogName("KRIH", 99), 0, entry())
        assert await log.newest("KRIG") == LogName("KRIG", 10)

    async def test_the_latest_chapter_comes_with_all_its_entries(
        self, log: Log
    ) -> None:
        assert await log.latest("KRIG") is None
        await fill(log, LOBBY, 3)
        await fill(log, LogName("KRIG", 2), 2)
        await fill(log, LogName("KRIH", 3), 1)
        newest = LogName("KRIG", 2)
        assert await log.latest("KRIG") == (newest, await log.read(newest))
        await log.forget("KRIG")
        assert await log.latest("KRIG") is None

    async def test_every_room_is_listed_once(self, log: Log) -> None:
        assert await log.codes() == []
        for code in ("KRIG", "ABBA", "ØRN"):
            for chapter in (1, 2):
                await fill(log, LogName(code, chapter), 3)
        assert sorted(await log.codes()) == ["ABBA", "KRIG", "ØRN"]

    async def test_the_code_of_a_forgotten_room_is_free(self, log: Log) -> None:
        kept = LogName("KRIH", 1)
        await fill(log, kept, 2)
        for chapter in (1, 2):
            await fill(log, LogName("KRIG", chapter), 3)
        await log.forget("KRIG")
        assert await log.newest("KRIG") is None
        assert await log.codes() == ["KRIH"]
        for chapter in (1, 2):
            assert await log.read(LogName("KRIG", chapter)) == []
        await log.append(LOBBY, 0, entry(1, "new"))
        assert [found.nonce for _, found in await log.read(LOBBY)] == ["new"]
        assert len(await log.read(kept)) == 2

    async def test_forgetting_what_is_not_there_is_no_error(self, log: Log) -> None:
        await log.forget("KRIG")
        assert await log.codes() == []

    async def test_whoever_forgets_and_appends_at_once_does_it_in_order(
        self, log: Log
    ) -> None:
        outcomes = await asyncio.gather(
            log.append(LOBBY, 0, entry(1, "old")),
            log.forget("KRIG"),
            log.append(LOBBY, 0, entry(1, "new")),
            log.append(LOBBY, 0, entry(1, "late")),
            return_exceptions=True,
        )
        assert isinstance(outcomes[3], Conflict)
        assert [found.nonce for _, found in await log.read(LOBBY)] == ["new"]

    async def test_followers_of_a_forgotten_room_come_to_an_end(self, log: Log) -> None:
        await fill(log, LOBBY, 1)
        follower = log.follow(LOBBY)
        await anext(follower)
        await log.forget("KRIG")
        with pytest.raises(StopAsyncIteration):
            await anext(follower)

    # Words.

    async def test_what_is_told_is_heard_from_the_call_on(self, log: Log) -> None:
        await log.tell("KRIG", "too early")
        first, second = log.hear("KRIG"), log.hear("KRIG")
        other = log.hear("KRIH")
        await log.tell("KRIG", "one")
        await log.tell("KRIG", "two")
        await log.tell("KRIH", "else")
        for hearer in (first, second):
            assert [await anext(hearer), await anext(hearer)] == ["one", "two"]
        assert await anext(other) == "else"

    async def test_words_are_not_stored(self, log: Log) -> None:
        await log.tell("KRIG", "hi")
        assert await log.codes() == []

    # Health, and the end.

    async def test_a_healthy_log_says_so_and_nothing_is_stored(self, log: Log) -> None:
        await log.check()
        await log.check()
        assert await log.codes() == []

    async def test_what_was_asked_before_closing_is_done(self, log: Log) -> None:
        names = [LogName(f"R{n}", 1) for n in range(100)]
        appends = [
            asyncio.ensure_future(log.append(name, 0, entry())) for name in names
        ]
        await asyncio.sleep(0)
        await log.aclose()
        assert all(append.done() for append in appends)
        assert len([append.result() for append in appends]) == 100

    async def test_a_closed_log_says_so_and_may_be_closed_again(self, log: Log) -> None:
        await log.aclose()
        for asked in (
            log.append(LOBBY, 0, entry()),
            log.read(LOBBY),
            log.newest("KRIG"),
            log.latest("KRIG"),
            log.codes(),
            log.forget("KRIG"),
            log.check(),
        ):
            with pytest.raises(StorageUnavailable):
                await asked
        await log.aclose()

    async def test_closing_ends_everybody_who_listens(self, log: Log) -> None:
        await fill(log, LOBBY, 1)
        follower, hearer = log.follow(LOBBY), log.hear("KRIG")
        await anext(follower)
        waiting = [
            asyncio.ensure_future(anext(listener, "the end"))
            for listener in (follower, hearer)
        ]
        await log.aclose()
        assert await asyncio.gather(*waiting) == ["the end", "the end"]
        assert await anext(log.follow(LOBBY), "the end") == "the end"
        assert await anext(log.hear("KRIG"), "the end") == "the end"
