"""The laws, under whatever people, the clock and chance come up with."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from krig.engine.battle import stakes_due
from krig.engine.cards import Deck
from krig.engine.rules import Order, Orphan, Rules, Short
from krig.engine.seats import Seat
from krig.errors import KrigError
from krig.log.codec import decode, encode
from krig.protocol.codec import encode_entry, told
from krig.room import commands as c
from krig.room import facts as f
from krig.room.evolve import advance, evolve, fold, number
from krig.room.room import Phase, Room, Stage
from krig.room.view import changed_parts, view
from tests.engine.rigged import rules
from tests.room.reader import read_entry
from tests.room.scene import PACE, Scene, all_cards, token

PEOPLE = ("Kari", "Ola", "Anna", "Max", "Eva")
CARD = re.compile(r'"([2-9TJQKA][shdc]|X[rb])"')

timed = st.sampled_from((None, None, 10))


@st.composite
def house_rules(draw: st.DrawFn) -> Rules:
    """Any rules, a clock's too; most with the small deck, where much happens."""
    agreed = draw(rules(teams=draw(st.sampled_from((False, False, False, True)))))
    limit = draw(timed)
    deck = draw(st.sampled_from((Deck.SKAT, Deck.SKAT, Deck.STANDARD, agreed.deck)))
    return replace(
        agreed,
        deck=deck,
        time_limit=limit,
        round_limit=None if limit else agreed.round_limit,
    )


class Watched(Scene):
    """A room in which every entry is held against the laws."""

    def write(self, room: Room | None, facts: Any) -> Room:
        before = room
        after = super().write(room, facts)
        if before is not None:
            assert after.v == before.v + 1
            self.check(before, after)
        else:
            self.seen = as_json(view(after))
            self.void_nonces: set[str] = set()
        return after

    def check(self, before: Room, after: Room) -> None:
        text = encode_entry([*map(told, self.told), *changed_parts(before, after)])
        shown = as_json(view(after))
        self.seen = read_entry(self.seen, json.loads(text))
        assert self.seen == shown
        if after.game is not None:
            assert all_cards(after.game) == sorted(after.game.rules.deck.cards, key=str)
        self.keep_secrets(before, after, text, json.dumps(shown))

    def keep_secrets(self, before: Room, after: Room, text: str, shown: str) -> None:
        over = after.phase is Phase.OVER
        for who in PEOPLE:
            assert token(who) not in text + shown
        self.void_nonces |= {v.attempt.server_nonce for v in after.voided}
        for room in (before, after):
            nonce = room.attempt.server_nonce
            if nonce and nonce not in self.void_nonces:
                assert nonce not in shown
                assert over or nonce not in text
            if room.seed is not None:
                assert str(room.seed) not in text + shown
        game = after.game
        face_up = (
            {str(laid.card) for laid in game.table if laid.face_up} if game else set()
        )
        assert set(CARD.findall(shown)) <= face_up
        turned = {
            str(card)
            for event in self.told
            if type(event).__name__ == "CardsTurned"
            for _, card in event.cards  # type: ignore[union-attr]
        }
        aside = {str(card) for card in game.aside} if game and over else set()
        assert set(CARD.findall(text)) <= turned | face_up | aside


def as_json(value: object) -> Any:
    return json.loads(json.dumps(value))


# What may be asked, by a number ------------------------------------------------------

Step = tuple[int, int, int]
"""Which kind of step, who, and how."""


def everybody_ready(scene: Scene, _who: str, how: int) -> None:
    if scene.room.phase is Phase.LOBBY and scene.people:
        people = scene.people
        scene.ready(*people)
        if how % 5:
            scene.start()
        if how % 4:
            scene.reveal(*people[how % 4 == 3 :])


def everybody_deals(scene: Scene, _who: str, how: int) -> None:
    if scene.stage is Stage.COMMIT:
        scene.ready(*[p for p in scene.people if scene.seat(p) in scene.room.missing])
    if scene.stage is Stage.REVEAL and scene.room.phase is Phase.DEALING:
        scene.reveal(*[p for p in scene.people if scene.seat(p) in scene.room.missing])


def rounds(scene: Scene, _who: str, how: int) -> None:
    for _ in range(how % 12):
        if scene.room.phase is Phase.PLAYING and scene.room.pause is None:
            scene.press()


def time_passes(scene: Scene, _who: str, how: int) -> None:
    scene.wait((300, 1000, 3000, 15_000, 60_000, 130_000, 600_000)[how % 7])


def ask(make: Callable[[Scene, str, int], c.Command]) -> Callable[..., None]:
    def step(scene: Scene, who: str, how: int) -> None:
        command = make(scene, who, how)
        before = scene.room
        try:
            scene.ask(who, command)
        except KrigError:
            assert scene.room is before
            return
        again(scene, who, command)

    return step


def again(scene: Scene, who: str, command: c.Command) -> None:
    """A command that is sent once more comes to nothing."""
    try:
        facts = scene.judge(who, command)
    except KrigError:
        return
    assert facts == ()


def go(scene: Scene, who: str, how: int) -> None:
    if scene.room.seat_of(token(who)) is not None:
        page = scene.place(who).connection
        if page is not None:
            scene.ask(None, c.Go(page))


def flip(scene: Scene, _who: str, how: int) -> c.Command:
    game = scene.room.game
    now = (1, 0) if game is None else (game.rounds + 1, game.battle)
    return c.Flip(scene.room.chapter, now[0] + how % 3 - (how % 3 == 2) * 3, now[1])


def reopen(scene: Scene, _who: str, _how: int) -> None:
    scene.ask(None, c.Reopen())


STEPS: tuple[Callable[..., None], ...] = (
    everybody_ready,
    everybody_ready,
    everybody_ready,
    everybody_deals,
    everybody_deals,
    rounds,
    rounds,
    rounds,
    rounds,
    time_passes,
    time_passes,
    ask(lambda s, who, _how: c.TakeSeat(None, who, s.page())),
    ask(lambda s, who, _how: c.TakeSeat(None, who, s.page())),
    ask(lambda s, who, how: c.TakeSeat(Seat(how % 4), who, s.page())),
    ask(lambda _s, _who, _how: c.LeaveSeat()),
    ask(flip),
    ask(flip),
    ask(lambda _s, _who, how: c.SeatBot(Seat(how % 4), how % 3 > 0)),
    ask(lambda _s, _who, how: c.SetAutoplay(bool(how % 2))),
    ask(lambda _s, _who, how: c.HidePage(bool(how % 2))),
    ask(lambda _s, _who, how: c.SetTempo(list(f.Tempo)[how % 3], how % 2 == 0)),
    ask(lambda _s, _who, how: c.Pause(bool(how % 2))),
    ask(lambda s, _who, _how: c.Come(s.page())),
    ask(lambda _s, who, how: c.ChangeName(f"{who}{how % 3}")),
    ask(lambda _s, _who, how: c.Kick(Seat(how % 4), f.Player(how % 5 + 1))),
    ask(lambda _s, _who, how: c.CloseRoom(bool(how % 2))),
    ask(lambda s, _who, how: c.ChangeRules(s.rules, ("krieg_40", None)[how % 2])),
    ask(lambda s, _who, _how: c.Start(s.room.chapter)),
    ask(
        lambda s, _who, how: c.BeReady(
            s.room.chapter, s.room.terms, how % 3 > 0, s.hex(32)
        )
    ),
    go,
    go,
    reopen,
)


def take(scene: Scene, step: Step) -> None:
    kind, who, how = step
    with suppress(KrigError):
        STEPS[kind % len(STEPS)](scene, PEOPLE[who % len(PEOPLE)], how)
    if scene.room.phase is Phase.OVER:
        scene.next_lobby()


steps = st.lists(
    st.tuples(st.integers(0, len(STEPS) - 1), st.integers(0, 4), st.integers(0, 1000)),
    min_size=1,
    max_size=60,
)


def a_story(agreed: Rules, seed: int, path: list[Step]) -> Watched:
    scene = Watched(agreed, seed)
    scene.sit("Kari", "Ola")
    for step in path:
        take(scene, step)
    return scene


stories = st.builds(a_story, house_rules(), st.integers(0, 2**32), steps)


@settings(max_examples=120, deadline=None)
@given(house_rules(), st.integers(0, 2**32), steps)
def test_whatever_happens_every_viewer_sees_what_the_fold_shows_and_nothing_hidden(
    agreed: Rules, seed: int, path: list[Step]
) -> None:
    """The checks are in `Watched`: they look at every entry."""
    a_story(agreed, seed, path)


@settings(max_examples=40, deadline=None)
@given(house_rules(), st.integers(0, 2**32), steps)
def test_any_prefix_of_a_log_as_it_is_stored_folds_and_gives_the_same_room(
    agreed: Rules, seed: int, path: list[Step]
) -> None:
    scene = a_story(agreed, seed, path)
    room: Room | None = None
    stored = [decode(encode(entry)) for entry in scene.entries]
    assert stored == scene.entries
    for entry in stored:
        room, _ = evolve(room, entry)
    assert room == scene.room
    newest = max(
        i
        for i, entry in enumerate(stored)
        if isinstance(entry.facts[0], f.ChapterOpened)
    )
    assert fold(stored[newest:]) == scene.room


@settings(max_examples=60, deadline=None)
@given(house_rules(), st.integers(0, 2**32), steps)
def test_whatever_is_due_comes_to_something_when_it_is_asked(
    agreed: Rules, seed: int, path: list[Step]
) -> None:
    scene = Watched(agreed, seed)
    scene.sit("Kari", "Ola")
    for step in path:
        take(scene, step)
        for owed in scene.due():
            assert owed.since <= scene.room.at
            assert scene.judge(None, owed.command), owed


@settings(max_examples=60, deadline=None)
@given(house_rules(), st.integers(0, 2**32), steps, st.randoms(use_true_random=False))
def test_a_writer_who_gathers_an_entry_comes_to_what_readers_of_it_come_to(
    agreed: Rules, seed: int, path: list[Step], luck: Random
) -> None:
    scene = a_story(agreed, seed, path)
    room, entry = None, None
    for entry in scene.entries:
        whole, events = evolve(room, entry)
        parts, more = advance(room, entry.facts, entry.at)
        parts, last = number(parts, entry)
        assert (parts, more + last) == (whole, events)
        room = whole


@settings(max_examples=80, deadline=None)
@given(house_rules(), st.integers(0, 2**32), st.integers(2, 4), st.integers(0, 60))
def test_two_decks_that_differ_only_in_hidden_cards_give_the_same_bytes(
    agreed: Rules, seed: int, players: int, flips: int
) -> None:
    agreed = replace(agreed, teams=False, order=Order.RANDOM, short=Short.PLAY_HAVE)
    scene = Scene(agreed, seed)
    scene.begin(*PEOPLE[:players])
    for _ in range(flips):
        if scene.room.phase is Phase.PLAYING:
            scene.press()
    if scene.room.phase is Phase.OVER:
        return
    other = scene.room._replace(game=with_other_hidden_cards(scene.room, seed))
    assert json.dumps(view(scene.room)) == json.dumps(view(other))
    assert next_battle(scene.room) == next_battle(other)


def with_other_hidden_cards(room: Room, seed: int) -> Any:
    """The same game, but for every card that the next battle does not turn up.

    It is as if two unseen cards had changed places: the heights that matter stay.
    """
    game = room.game
    assert game is not None
    due = dict.fromkeys(game.waiting, 0)
    if game.battle:
        due = stakes_due(game.rules, {s: game.seats[s].count for s in game.fighting})
    piles = [list(held.stock) for held in game.seats]
    hidden = [
        (seat, i)
        for seat, pile in enumerate(piles)
        for i in range(len(pile))
        if seat not in game.waiting or i != due.get(Seat(seat), 0)
    ]
    # A reshuffle would bring up other cards: then nothing is changed.
    if any(due.get(s, 0) >= len(game.seats[s].stock) for s in game.waiting):
        return game
    cards = [piles[seat][i] for seat, i in hidden]
    Random(seed).shuffle(cards)
    for (seat, i), card in zip(hidden, cards, strict=True):
        piles[seat][i] = card
    seats = tuple(
        replace(held, stock=tuple(pile))
        for held, pile in zip(game.seats, piles, strict=True)
    )
    return game._replace(seats=seats, trail=None)


def next_battle(room: Room) -> str:
    game = room.game
    assert game is not None
    left = [seat for seat in game.waiting if seat not in game.flipped]
    facts = tuple(f.Flipped(seat) for seat in left)
    after, events = evolve(room, f.Entry(room.v + 1, room.at, "n", facts))
    if after.phase is Phase.OVER:
        events = tuple(e for e in events if type(e).__name__ != "GameOver")
    return encode_entry([*map(told, events), *changed_parts(room, after)])


def test_the_stories_come_to_wars_voids_pauses_and_second_games() -> None:
    """A property that never gets anywhere proves nothing."""
    met: set[str] = set()
    for seed in range(150):
        luck = Random(seed)
        agreed = Rules(
            deck=Deck.SKAT,
            round_limit=luck.choice((None, 8)),
            orphan=luck.choice(list(Orphan)),
            short=luck.choice(list(Short)),
        )
        path = [
            (luck.randrange(len(STEPS)), luck.randrange(5), luck.randrange(1000))
            for _ in range(40)
        ]
        scene = a_story(agreed, seed, path)
        for entry in scene.entries:
            met |= {type(fact).__name__ for fact in entry.facts}
        met |= {f"chapter {scene.room.chapter}"}
    quiet = {
        "HistoryCut",
        "TimeUp",
        "CardsCounted",
        "SeatOffered",
        "OfferEnded",
        "SeatClaimed",
    }
    assert met >= {kind.__name__ for kind in f.Fact.__args__} - quiet
    assert "chapter 3" in met
    assert PACE.deadline == 15_000
