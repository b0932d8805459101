"""Game codes: what they hold, how they are typed, and what is wrong with them."""

from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from krig.engine.code import LETTERS, LIMITS, GameCode
from krig.engine.rules import PRESETS, Rules
from krig.errors import InvalidGameCode, InvalidRules, NewerVersion
from tests.engine import rigged
from tests.engine.vectors import SEEDS, VECTORS

CODE = VECTORS["commit"]["code_krieg_40"]

every_vector = pytest.mark.parametrize(
    ("preset", "players", "seed", "written"),
    [
        (*key.split("/"), vector["seed"], written)
        for vector in SEEDS
        for key, written in vector["codes"].items()
    ],
)


@every_vector
def test_codes_are_those_of_the_vectors(
    preset: str, players: str, seed: str, written: str
) -> None:
    code = GameCode(PRESETS[preset], int(players), int(seed))
    assert str(code) == written
    assert GameCode.parse(written) == code


def test_the_code_of_a_fair_deal_is_that_of_the_vectors() -> None:
    code = GameCode(PRESETS["krieg_40"], 2, int(VECTORS["commit"]["seed"]))
    assert str(code) == CODE


@given(
    rules=rigged.rules(),
    limits=st.sampled_from(LIMITS),
    players=st.integers(2, 4),
    seed=st.integers(0, 2**60 - 1),
)
def test_a_code_read_from_what_was_written_is_the_same_code(
    rules: Rules, limits: tuple[int | None, int | None], players: int, seed: int
) -> None:
    rounds, minutes = limits
    code = GameCode(
        replace(rules, round_limit=rounds, time_limit=minutes), players, seed
    )
    assert GameCode.parse(str(code)) == code


@pytest.mark.parametrize(
    "typed",
    [
        CODE.lower(),
        CODE.replace("0", "O").replace("1", "I"),
        CODE.replace("1", "l"),
        CODE.replace("-", " "),
        CODE.replace("-", ""),
        f"  {CODE}\n",
    ],
    ids=["small", "O-and-I", "l", "blanks", "no-dashes", "pasted"],
)
def test_a_code_may_be_typed_in_many_ways(typed: str) -> None:
    assert str(GameCode.parse(typed)) == CODE


def test_every_wrong_letter_is_noticed() -> None:
    letters = CODE.replace("-", "")
    for place, right in enumerate(letters):
        for wrong in set(LETTERS) - {right}:
            with pytest.raises(InvalidGameCode):
                GameCode.parse(letters[:place] + wrong + letters[place + 1 :])


def test_every_swap_of_neighbours_is_noticed() -> None:
    letters = CODE.replace("-", "")
    for i, (one, other) in enumerate(pairwise(letters)):
        if one != other:
            with pytest.raises(InvalidGameCode):
                GameCode.parse(letters[:i] + other + one + letters[i + 2 :])


@pytest.mark.parametrize(
    "text", ["", CODE[:-1], CODE + "0", CODE[:-1] + "U", "ø" * 20, "٣" * 20], ids=repr
)
def test_what_has_not_twenty_letters_is_no_code(text: str) -> None:
    with pytest.raises(InvalidGameCode):
        GameCode.parse(text)


def signed(letters: str) -> str:
    """Eighteen letters and their checksum, reckoned once more."""
    number = 0
    for letter in letters:
        number = number * 32 + LETTERS.index(letter)
    high, low = divmod(number % 1021, 32)
    return letters + LETTERS[high] + LETTERS[low]


def bits(players: int, deck: int, rest: int = 0, limit: int = 0) -> str:
    """The first eighteen letters of a code with these bits and the seed 0."""
    number = players << 23 | deck << 21 | rest << 6 | limit << 3
    digits = [number >> shift & 31 for shift in (20, 15, 10, 5, 0)]
    return "1" + "".join(LETTERS[digit] for digit in digits) + "0" * 12


def test_the_checksum_reckoned_here_is_that_of_the_codes() -> None:
    assert signed(CODE.replace("-", "")[:18]) == CODE.replace("-", "")


@pytest.mark.parametrize(
    "letters",
    ["2" + CODE.replace("-", "")[1:18], bits(3, 0), bits(0, 3), bits(0, 0, limit=7)],
    ids=["version", "players", "deck", "limit"],
)
def test_a_code_with_something_new_in_it_is_from_a_newer_version(letters: str) -> None:
    with pytest.raises(NewerVersion):
        GameCode.parse(signed(letters))


def test_a_code_with_teams_of_two_players_is_no_code() -> None:
    teams = 1 << 6
    with pytest.raises(InvalidGameCode, match="four"):
        GameCode.parse(signed(bits(0, 0, rest=teams >> 6)))


def test_a_limit_that_no_code_holds_is_refused() -> None:
    with pytest.raises(InvalidRules):
        GameCode(Rules(round_limit=41), 2, 0)


@dataclass(frozen=True)
class LaterRules(Rules):
    """With a rule that came after the codes had been given out."""

    jokers: str = "high"


def test_a_rule_that_no_code_holds_is_refused_by_name_unless_unset() -> None:
    assert GameCode.parse(str(GameCode(LaterRules(), 2, 7))).seed == 7
    with pytest.raises(InvalidRules, match="does not hold jokers"):
        GameCode(LaterRules(jokers="as_aces"), 2, 7)


@pytest.mark.parametrize("seed", [-1, 2**60])
def test_a_seed_has_sixty_bits(seed: int) -> None:
    with pytest.raises(InvalidGameCode):
        GameCode(Rules(), 2, seed)
