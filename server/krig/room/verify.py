"""Checks a game's record: whoever has it needs to trust nobody.

Rule 1: nothing of a record is believed that can be recomputed: commitments, seed,
cards, every round, the outcome, the statistics and the code.
Rule 2: the first thing that differs is named by where it stands in the record.

What remains to be believed: names, times, and who made a flip for whom.
"""

from collections.abc import Iterator, Mapping, Sequence

from krig.engine import events as told
from krig.engine.code import GameCode
from krig.engine.fairness import commitment, seed_of
from krig.engine.game import Game, new_game
from krig.engine.outcome import Ending
from krig.engine.play import Flip, abandon, count_off, play, time_up
from krig.engine.rules import Rules
from krig.engine.seats import Seat
from krig.engine.shuffle import Shuffle, deal_label, shuffled, shuffler
from krig.errors import KrigError, RecordDiffers
from krig.room import events as e
from krig.room.facts import RULES_VERSION, FlippedBy
from krig.room.record import SCHEMA, BattleRecord, DealRecord, Record, played, rounds_of


def verify(record: Record) -> None:
    """Recompute a record.

    Raises:
        RecordDiffers: and the first thing that is not as it must be.
    """
    try:
        _recompute(record)
    except RecordDiffers:
        raise
    except (KrigError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise RecordDiffers(f"something cannot be read: {error}") from error


def _recompute(record: Record) -> None:
    _expect("schema", record["schema"], SCHEMA)
    _expect("rules_version", record["rules_version"], RULES_VERSION)
    _check_people(record)
    for i, deal in enumerate(record["void_deals"]):
        _check_deal(f"void_deals[{i}]", deal, deal["withheld"])
    secret = record["seed"] is not None and not record["known_beforehand"]
    bound = [seat for seat, _ in record["deal"]["commitments"]]
    _check_deal("deal", record["deal"], () if secret else bound)
    if record["known_beforehand"]:
        _expect("deal.nonces", list(record["deal"]["nonces"]), [])
    if record["seed"] is None:
        nothing = played(Rules.from_dict(record["rules"]), None, None, [], [])
        _compare("", nothing, record)
        return
    seed = _seed(record)
    _expect("seed", record["seed"], str(seed))
    _compare("", _played_again(record, seed), record)


def _check_people(record: Record) -> None:
    for seat, player in enumerate(record["players"]):
        _expect(f"players[{seat}].seat", player["seat"], seat)
    withheld = set(record["deal"]["withheld"])
    bound = {seat for seat, _ in record["deal"]["commitments"]}
    for player in record["players"]:
        where = f"players[{player['seat']}]"
        if player["kind"] not in ("human", "bot"):
            raise RecordDiffers(f"{where}.kind: {player['kind']} is neither")
        if player["kind"] == "bot" and player["seat"] in bound:
            raise RecordDiffers(f"{where}: a computer player is bound to nothing")
        own_part = player["kind"] == "human" and player["seat"] not in withheld
        if own_part and player["seat"] not in bound:
            raise RecordDiffers(f"{where}: a player had no part in the deal")
    given_up = [seat for deal in record["void_deals"] for seat in deal["withheld"]]
    _expect("deal.withheld", sorted(withheld), sorted(given_up))


def _check_deal(where: str, deal: DealRecord, silent: Sequence[int]) -> None:
    """Every nonce is the one that its commitment was made of, and none is hidden.

    Args:
        where: the deal stands in the record.
        deal: the attempt.
        silent: the seats that need not have revealed.
    """
    game_id = bytes.fromhex(deal["id"])
    server = commitment(game_id, None, bytes.fromhex(deal["server_nonce"])).hex()
    _expect(f"{where}.server_nonce", deal["server_commitment"], server)
    bound = dict(deal["commitments"])
    for i, (seat, nonce) in enumerate(deal["nonces"]):
        made = commitment(game_id, seat, bytes.fromhex(nonce)).hex()
        _expect(f"{where}.nonces[{i}]", bound.get(seat), made)
    shown = [seat for seat, _ in deal["nonces"]]
    hidden = [seat for seat in bound if seat not in shown and seat not in silent]
    _expect(f"{where}.nonces (missing)", hidden, [])


def _seed(record: Record) -> int:
    if record["known_beforehand"]:
        return GameCode.parse(record["code"] or "").seed
    deal = record["deal"]
    nonces = {Seat(seat): bytes.fromhex(nonce) for seat, nonce in deal["nonces"]}
    server = bytes.fromhex(deal["server_nonce"])
    return seed_of(bytes.fromhex(deal["id"]), server, nonces)


def _played_again(record: Record, seed: int) -> Mapping[str, object]:
    """What the flips of the record come to, with the cards of its seed."""
    rules = Rules.from_dict(record["rules"])
    cards = shuffled(seed, deal_label(rules.deck), rules.deck.cards)
    game = new_game(rules, len(record["players"]), cards)
    shuffle = shuffler(seed)
    events: list[tuple[e.Event, int]] = []
    for where, battle, at in _battles(record):
        game = _struck(game, record, is_last=False)
        for i, (seat, by) in enumerate(battle["flips"]):
            flip = Flip(Seat(seat), game.rounds + 1, game.battle)
            game, happened = _pressed(f"{where}.flips[{i}]", game, flip, shuffle)
            if not happened:
                raise RecordDiffers(f"{where}.flips[{i}]: seat {seat} flips twice")
            for event in happened:
                if isinstance(event, told.Flipped):
                    events.append((e.SeatFlipped(event.seat, FlippedBy(by)), at))
                elif not isinstance(event, told.GameEnded):
                    events.append((event, at))
    game = _struck(game, record, is_last=True)
    ended_by_it = game.outcome and game.outcome.ending is Ending.TIME_LIMIT
    if record["time_struck"] and not (game.time_struck or ended_by_it):
        raise RecordDiffers("time_struck: the game was never there")
    game = _ended(game, record)
    return played(rules, game, seed, *rounds_of(events))


def _battles(record: Record) -> Iterator[tuple[str, BattleRecord, int]]:
    """Every battle, where it stands, and when its round was over."""
    for i, one in enumerate(record["rounds"]):
        for k, battle in enumerate(one["battles"]):
            yield f"rounds[{i}].battles[{k}]", battle, one["at"]
    for k, battle in enumerate(record["unfinished"]):
        yield f"unfinished[{k}]", battle, 0


def _pressed(
    where: str, game: Game, flip: Flip, shuffle: Shuffle
) -> tuple[Game, tuple[told.Event, ...]]:
    try:
        return play(game, flip, shuffle)
    except KrigError as error:
        raise RecordDiffers(f"{where}: {error}") from error


def _struck(game: Game, record: Record, *, is_last: bool) -> Game:
    """Let the time be over where the record says that it was.

    If that ends the game, it was behind the last of all flips; if not, it was before
    the last one of its battle.
    """
    now = [game.rounds + 1, game.battle]
    struck = record["time_struck"]
    if struck is None or list(struck) != now or game.outcome is not None:
        return game
    after, _ = time_up(game)
    return after if is_last or after.outcome is None else game


def _ended(game: Game, record: Record) -> Game:
    """End a game as a room may end it that has not ended by itself."""
    ending = record["outcome"] and record["outcome"]["ending"]
    if game.outcome is not None:
        return game
    match ending:
        case Ending.ABANDONED:
            return abandon(game)[0]
        case Ending.ROUND_LIMIT:
            return count_off(game, Ending.ROUND_LIMIT)[0]
        case _:
            raise RecordDiffers("outcome: the game has not ended there")


def _compare(where: str, expected: object, found: object) -> None:
    """Find the first thing of `expected` that `found` does not have so."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key, value in expected.items():
            _compare(f"{where}.{key}".lstrip("."), value, found.get(key))
    elif _is_row(expected) and _is_row(found):
        assert isinstance(expected, Sequence)
        assert isinstance(found, Sequence)
        for i, (one, other) in enumerate(zip(expected, found, strict=False)):
            _compare(f"{where}[{i}]", one, other)
        _expect(f"{where} (how many)", len(found), len(expected))
    else:
        _expect(where, found, expected)


def _is_row(value: object) -> bool:
    return isinstance(value, list | tuple)


def _expect(where: str, found: object, expected: object) -> None:
    if found != expected:
        raise RecordDiffers(f"{where}: {found} is there, {expected} follows")
