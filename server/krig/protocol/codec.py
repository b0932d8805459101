"""Text frames to messages and commands; events and views to text frames.

Rule 1: what cannot be read raises a named error and nothing else, whatever was sent.
Rule 2: no error repeats what was sent: it may have been a token.
Rule 3: what is said is built here by naming every field, never by dumping a class.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, assert_never

from pydantic import ValidationError
from pydantic_core import ErrorDetails, to_json

from krig.engine import events as game
from krig.engine.code import LIMITS, GameCode
from krig.engine.rules import PRESETS, Rules
from krig.engine.seats import MOST, Seat
from krig.errors import (
    InvalidMessage,
    InvalidRules,
    InvalidToken,
    KrigError,
    MessageTooBig,
    UnknownMessage,
)
from krig.protocol import messages as wire
from krig.protocol.limits import CATCH_UP_ENTRIES, MESSAGE_BYTES, Limits
from krig.room import commands, events, names
from krig.room.facts import Player, Tempo
from krig.room.handoff import claim_of
from krig.room.view import View

Told = dict[str, object]
"""One of the things that `events` tells, as plain values."""

_LONGEST_SENTENCE: Final = 200
"""Signs of an error's text: some name what was wrong with the rules sent."""

Asked = (
    wire.Sit
    | wire.Leave
    | wire.Ready
    | wire.Name
    | wire.SetRules
    | wire.Bot
    | wire.Kick
    | wire.Start
    | wire.Reveal
    | wire.Flip
    | wire.Auto
    | wire.SetTempo
    | wire.Pause
    | wire.Close
    | wire.Offer
    | wire.Claim
    | wire.Count
)
"""The messages that ask something of the room."""


# From the client -------------------------------------------------------------------


def decode(text: str) -> wire.FromClient:
    """Read one text frame.

    >>> decode('{"type":"flip","game":1,"round":17,"battle":0}').round
    17

    Raises:
        MessageTooBig: it is longer than any message.
        UnknownMessage: its type is none of ours.
        InvalidToken: it is a `hello` with a token that cannot be one.
        InvalidMessage: anything else that is wrong with it.
    """
    if _is_too_big(text):
        raise MessageTooBig(f"A message has at most {MESSAGE_BYTES} bytes.")
    try:
        message = wire.FROM_CLIENT.validate_json(text)
    except ValidationError as error:
        raise _named(error.errors(include_url=False, include_input=False)[0]) from None
    except (ValueError, RecursionError):
        raise InvalidMessage("This is no JSON.") from None
    # Every key brings a colon, so as many colons as keys means that none came twice.
    if text.count(":") != len(message.model_fields_set):
        _refuse_twins(text)
    return message


def _is_too_big(text: str) -> bool:
    if len(text) > MESSAGE_BYTES // 4:
        return len(text.encode(errors="surrogatepass")) > MESSAGE_BYTES
    return False


def _refuse_twins(text: str) -> None:
    """Look again: a parser that takes the last of two equal keys hides the first."""

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(dict(pairs)) < len(pairs):
            raise InvalidMessage("A key stands twice in one object.")
        return dict(pairs)

    json.loads(text, object_pairs_hook=once)


def _named(error: ErrorDetails) -> InvalidMessage | InvalidToken:
    """Say what is wrong, and where, in words of ours."""
    kind, where = error["type"], error["loc"]
    if kind.startswith("union_tag"):
        return UnknownMessage("There is no message of this type.")
    if where[-2:] == ("hello", "token"):
        return InvalidToken("A token is 64 lower-case hexadecimal digits.")
    if kind in ("json_invalid", "string_unicode"):
        return InvalidMessage("This is no JSON.")
    if kind == "extra_forbidden":
        return InvalidMessage(f"{where[0]} has no such field.")
    if len(where) < 2:
        return InvalidMessage("A message is one JSON object.")
    if where[1] == "rules":
        return InvalidMessage("rules: each is true, false, a whole number or a word.")
    return InvalidMessage(f"{where[0]}, {where[1]}: {error['msg']}.")


def command_of(message: Asked) -> commands.PlayerCommand:
    """What a message asks of the room.

    Raises:
        InvalidRules: no such preset, or rules that nobody can play.
    """
    match message:
        case wire.Sit(seat=seat, name=name):
            return commands.TakeSeat(None if seat is None else Seat(seat), name)
        case wire.Leave():
            return commands.LeaveSeat()
        case wire.Ready(game=number, terms=terms, on=on, commitment=commitment):
            return commands.BeReady(number, terms, on, commitment)
        case wire.Name(name=name):
            return commands.ChangeName(name)
        case wire.SetRules(preset=preset, rules=rules, code=code):
            return agreed(preset, rules, code)
        case wire.Bot(seat=seat, on=on):
            return commands.SeatBot(Seat(seat), on)
        case wire.Kick(seat=seat, player=player):
            return commands.Kick(Seat(seat), Player(player))
        case wire.Start(game=number):
            return commands.Start(number)
        case wire.Reveal(game=number, terms=terms, nonce=nonce):
            return commands.Reveal(number, terms, nonce)
        case wire.Flip(game=number, round=of_round, battle=battle):
            return commands.Flip(number, of_round, battle)
        case wire.Auto(on=on):
            return commands.SetAutoplay(on)
        case wire.SetTempo(tempo=tempo, wars=wars):
            return commands.SetTempo(Tempo(tempo), wars)
        case wire.Pause(on=on):
            return commands.Pause(on)
        case wire.Close(on=on):
            return commands.CloseRoom(on)
        case wire.Offer(seat=seat):
            return commands.OfferSeat(Seat(seat))
        case wire.Claim(code=code):
            return commands.ClaimSeat(claim_of(code))
        case wire.Count(game=number):
            return commands.CountCards(number)
        case _:
            assert_never(message)


def agreed(
    preset: str | None, rules: Mapping[str, object] | None, code: str | None
) -> commands.ChangeRules:
    """What is to be played: by a preset, by rules, or by a game code alone.

    Raises:
        InvalidRules: no such preset, or rules that nobody can play.
        InvalidGameCode, NewerVersion: this is no game code.
    """
    if code is None:
        return commands.ChangeRules(agreed_rules(preset, rules), preset)
    if preset is not None or rules is not None:
        raise InvalidRules("A game code holds the rules: name nothing besides.")
    again = GameCode.parse(code)
    return commands.ChangeRules(again.rules, None, str(again))


def agreed_rules(preset: str | None, rules: Mapping[str, object] | None) -> Rules:
    """The rules of a preset, with those changed that are named besides.

    >>> agreed_rules("krieg_40", {"war_down": 3}).round_limit
    40

    Raises:
        InvalidRules: no such preset, or rules that nobody can play.
    """
    if preset is not None and preset not in PRESETS:
        raise InvalidRules(f"The presets are {', '.join(PRESETS)}.")
    if preset is None and rules is None:
        raise InvalidRules("Name a preset, or rules.")
    agreed = Rules.from_dict(rules or {}, None if preset is None else PRESETS[preset])
    if (agreed.round_limit, agreed.time_limit) not in LIMITS:
        raise InvalidRules("A game ends after 40, 100 or 240 rounds, 10, 15 or 20 min.")
    return agreed


# What is told ----------------------------------------------------------------------


def _deal_voided(event: events.DealVoided) -> Told:
    return {
        "id": event.game_id,
        "withheld": event.withheld,
        "server_nonce": event.server_nonce,
        "nonces": event.nonces,
    }


def _turned(event: game.CardsTurned) -> Told:
    return {"cards": [(seat, str(card)) for seat, card in event.cards]}


def _game_over(event: events.GameOver) -> Told:
    outcome = event.outcome
    return {
        "game": event.game,
        "outcome": {
            "ending": outcome.ending,
            "winners": outcome.winners,
            "counts": outcome.counts,
            "by_shortage": outcome.by_shortage,
        },
        "aside": [str(card) for card in event.aside],
        "server_nonce": event.server_nonce,
    }


_Teller = tuple[str, Callable[[Any], Told]]


def _fields(*fields: str) -> Callable[[object], Told]:
    """Tell these fields of an event, as they are."""
    return lambda event: {field: getattr(event, field) for field in fields}


TELLERS: Final[Mapping[type, _Teller]] = {
    events.PlayerSat: ("sat", _fields("seat", "player", "name")),
    events.PlayerLeft: ("left", _fields("seat", "player", "name", "how")),
    events.PlayerMoved: ("moved", _fields("seat", "to")),
    events.PlayerRenamed: ("renamed", _fields("seat", "name")),
    events.ReadyCleared: ("ready_cleared", _fields("why")),
    events.DealVoided: ("deal_voided", _deal_voided),
    events.CardsDealt: ("dealt", _fields("game")),
    events.SeatFlipped: ("flipped", _fields("seat", "by")),
    events.BattleOpened: ("battle", _fields("round", "battle", "waiting")),
    game.TimeStruck: ("time_struck", _fields()),
    events.GameOver: ("game_ended", _game_over),
    events.TablePaused: ("paused", _fields("seat")),
    events.TableResumed: ("resumed", _fields("seat")),
    events.TableSlept: ("slept", _fields()),
    events.TableWoke: ("woke", _fields("seat")),
    events.OwnerChanged: ("owner", _fields("player")),
    game.Reshuffled: ("reshuffled", _fields("seat", "count")),
    game.StakesLaid: ("staked", _fields("stakes")),
    game.CardsTurned: ("turned", _turned),
    game.WarDeclared: ("war", _fields("seats", "war")),
    game.SeatShort: ("short", _fields("seat", "count")),
    game.PotWon: ("pot_won", _fields("seat", "count", "by")),
    game.PotLeft: ("pot_left", _fields("how", "count")),
    game.RoundVoided: ("round_void", _fields()),
    game.SeatOut: ("seat_out", _fields("seat")),
    game.RoundEnded: ("round_ended", _fields("round", "counts")),
}
"""How each event is told: its type on the wire, and what is said of it."""


def told(event: events.Event) -> Told:
    """Tell an event of the room or the game.

    >>> told(game.WarDeclared((Seat(0), Seat(2)), 1))
    {'type': 'war', 'seats': (0, 2), 'war': 1}
    """
    name, say = TELLERS[type(event)]
    return {"type": name, **say(event)}


# To the client ---------------------------------------------------------------------


def _encode(kind: str, **fields: object) -> str:
    return to_json({"type": kind, **fields}).decode()


def encode_welcome(
    *,
    server: str,
    room: str,
    player: int | None,
    epoch: str,
    v: int,
    sync: Literal["in_sync", "events", "snapshot"],
    now: int,
    deadline_ms: int,
    limits: Limits,
) -> str:
    """Answer `hello`. Times in ms; `now` since 1970."""
    return _encode(
        "welcome",
        protocol=wire.PROTOCOL,
        server=server,
        room=room,
        player=player,
        epoch=epoch,
        v=v,
        sync=sync,
        heartbeat_ms=round(limits.heartbeat_seconds * 1000),
        now=now,
        deadline_ms=deadline_ms,
        limits={
            "message_bytes": MESSAGE_BYTES,
            "commands_per_second": limits.commands_per_second,
            "command_burst": limits.command_burst,
            "name_graphemes": names.MOST_GRAPHEMES,
            "name_bytes": names.MOST_BYTES,
            "seats": MOST,
            "catch_up_entries": CATCH_UP_ENTRIES,
        },
    )


def encode_you(player: int | None) -> str:
    """Tell a viewer who they are now."""
    return _encode("you", player=player)


def encode_snapshot(v: int, view: View) -> str:
    """Tell the whole view at `v`."""
    return _encode("snapshot", v=v, view=view)


def encode_entry(told: Sequence[Told]) -> str:
    """Encode what one entry tells, once for all who will be sent it."""
    return to_json(told).decode()


def join_events(v: int, entries: Sequence[str]) -> str:
    """Tell what happened up to `v`, from entries encoded before.

    >>> join_events(7, ['[{"type":"slept"}]'])
    '{"type":"events","v":7,"entries":[[{"type":"slept"}]]}'
    """
    return f'{{"type":"events","v":{v},"entries":[{",".join(entries)}]}}'


def encode_ack(command_id: int, v: int) -> str:
    """Answer a command: it is done, and part of version `v`."""
    return _encode("ack", id=command_id, v=v)


def encode_error(
    error: KrigError,
    command_id: int | None = None,
    *,
    retry: bool = False,
    retry_after_ms: int | None = None,
) -> str:
    """Answer what was refused.

    >>> from krig.errors import NotOwner
    >>> encode_error(NotOwner(), 7)[:54]
    '{"type":"error","id":7,"code":"not_owner","message":"O'
    """
    return _encode(
        "error",
        id=command_id,
        code=error.code,
        message=sentence(error),
        retry=retry,
        retry_after_ms=retry_after_ms,
    )


def sentence(error: KrigError) -> str:
    """What an error says to people: its own text, or what its class stands for."""
    text = str(error) or (type(error).__doc__ or error.code).partition("\n")[0]
    return text[:_LONGEST_SENTENCE]


def encode_offered(seat: int, code: str, for_ms: int) -> str:
    """Tell who offered a seat the one-time code for it."""
    return _encode("offered", seat=seat, code=code, for_ms=for_ms)


def encode_presence(watchers: int) -> str:
    """Tell how many watch."""
    return _encode("presence", watchers=watchers)


def encode_reaction(player: int | None, reaction: int) -> str:
    """Tell somebody's reaction."""
    return _encode("reaction", player=player, reaction=reaction)


def encode_ping(v: int) -> str:
    """Ask a client whether it is there, and tell the newest version."""
    return _encode("ping", v=v)


def encode_pong(v: int) -> str:
    """Answer a client's `ping`."""
    return _encode("pong", v=v)


def encode_trouble(on: bool) -> str:
    """Tell that the log does not answer, or does again."""
    return _encode("trouble", on=on)


def encode_drain(retry_after_ms: int) -> str:
    """Tell that the server stops, and when to come back."""
    return _encode("drain", retry_after_ms=retry_after_ms)


def encode_notice(text: str) -> str:
    """Tell what whoever runs the server wants everybody to read."""
    return _encode("notice", text=text)


_KINDS: Final = "welcome you ack error offered trouble drain notice"
"""What a snapshot does not say."""

_PERSONAL: Final = tuple(f'{{"type":"{kind}"' for kind in _KINDS.split())


def is_in_a_snapshot(text: str) -> bool:
    """Whether a snapshot says everything that this message says, or nobody needs it.

    >>> is_in_a_snapshot(encode_presence(3)), is_in_a_snapshot(encode_ack(1, 9))
    (True, False)
    """
    return not text.startswith(_PERSONAL)
