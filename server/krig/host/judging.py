"""What is asked of a table, and the entry that comes of it.

Rule 1: everything that waits becomes one entry, judged in the order it came.
Rule 2: a refusal by what is not stored yet waits until it is: it may be judged again.
Rule 3: nothing is added behind the end of a game but the next chapter, and that is an
entry of its own.
"""

from collections import deque
from dataclasses import dataclass, replace

import structlog

from krig.errors import InternalError, KrigError
from krig.host.audience import Seen
from krig.host.ports import Chance
from krig.protocol import codec
from krig.room import commands as c
from krig.room import facts as f
from krig.room.code import draw_room_code
from krig.room.decide import decide
from krig.room.events import Event
from krig.room.evolve import advance, evolve, number
from krig.room.handoff import CODE_LENGTH, claim_of
from krig.room.room import Phase, Room
from krig.room.view import changed_parts

log = structlog.get_logger()


@dataclass(slots=True, eq=False)
class Ask:
    """A command that waits for its turn."""

    command: c.Command
    token: f.TokenHash | None = None
    seen: Seen | None = None
    command_id: int | None = None
    news: str | None = None
    """What only who asked is told, when it is done."""
    until: float | None = None
    """When it has waited long enough (monotonic s); None: it waits for ever."""

    @property
    def is_ours(self) -> bool:
        """Nobody will ask it again if we do not: who is here, and what is due."""
        return isinstance(self.command, c.HostCommand | c.Come | c.HidePage)


Answer = tuple[Ask, KrigError | None]
"""An ask, and why it is refused; None: it is done."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The next entry, and what will be sent when it is stored."""

    room: Room
    entry: f.Entry
    events: tuple[Event, ...]
    told: str
    """The events, and what they changed, as viewers are sent it."""
    answers: list[Answer]


def complete(ask: Ask, chance: Chance, offer_ms: int) -> None:
    """Add to a viewer's command what only the host knows.

    Args:
        ask: theirs.
        chance: for the one-time code of an offer, told to who offers when it stands.
        offer_ms: how long that code is good for.
    """
    command = ask.command
    if isinstance(command, c.TakeSeat | c.ClaimSeat) and ask.seen is not None:
        ask.command = replace(command, connection=ask.seen.connection)
    elif isinstance(command, c.OfferSeat):
        code = None
        while code is None:
            code = draw_room_code(chance.bytes(2 * CODE_LENGTH), CODE_LENGTH)
        ask.command = replace(command, claim=claim_of(code))
        ask.news = codec.encode_offered(command.seat, code, offer_ms)


def judge(
    room: Room, asks: deque[Ask], at: int, chance: Chance
) -> tuple[list[Answer], Draft | None]:
    """Make one entry of everything that waits.

    Args:
        room: the newest state.
        asks: what waits; what is judged is taken from it.
        at: the time to write down (ms since 1970).
        chance: for the nonce, and for what the host's own commands keep secret.

    Returns:
        What can be answered now, and the entry; None: nothing is to be stored.
    """
    before, facts, events = room, list[f.Fact](), list[Event]()
    now, then = list[Answer](), list[Answer]()
    if asks and room.phase is Phase.OVER:
        asks.appendleft(Ask(c.OpenChapter(room.chapter)))
    while asks:
        opens = isinstance(asks[0].command, c.OpenChapter)
        if facts and (opens or room.phase is Phase.OVER):
            break
        ask = asks.popleft()
        new: f.Facts = ()
        why: KrigError | None = None
        try:
            new = decide(room, ask.token, _with_chance(ask.command, chance))
            if new:
                room, more = advance(room, new, at)
                facts.extend(new)
                events.extend(more)
        except KrigError as error:
            why = error
        except Exception:
            log.exception("judging_failed", room=before.code)
            why = InternalError()
        (then if facts else now).append((ask, why))
        if opens and new:
            break
    if not facts:
        return now, None
    entry = f.Entry(before.v + 1, at, chance.bytes(8).hex(), tuple(facts))
    try:
        room, more = number(room, entry)
        happened = (*events, *more)
        told = _encoded(before, room, happened)
    except Exception:
        log.exception("judging_failed", room=before.code)
        return [*now, *((ask, InternalError()) for ask, _ in then)], None
    return now, Draft(room, entry, happened, told, then)


def drafted(room: Room, entry: f.Entry) -> Draft:
    """What an entry that somebody else has stored comes to."""
    after, events = evolve(room, entry)
    return Draft(after, entry, events, _encoded(room, after, events), [])


def _with_chance(command: c.Command, chance: Chance) -> c.Command:
    """Give the host's own commands the secrets they need."""
    if isinstance(command, c.OpenChapter | c.GiveUpWaiting):
        game_id, nonce = chance.bytes(16), chance.bytes(32)
        return replace(command, game_id=game_id.hex(), server_nonce=nonce.hex())
    return command


def _encoded(before: Room, after: Room, events: tuple[Event, ...]) -> str:
    """What an entry tells, encoded once: what happened, then what changed whole."""
    told = [codec.told(event) for event in events]
    return codec.encode_entry([*told, *changed_parts(before, after)])
