"""Commit and reveal, against the numbers of RULES section 6."""

from krig.engine.fairness import commitment, seed_of
from krig.engine.seats import Seat
from tests.engine.vectors import VECTORS

COMMIT = VECTORS["commit"]
GAME_ID = bytes.fromhex(COMMIT["game_id"])
SERVER_NONCE = bytes.fromhex(COMMIT["server_nonce"])
NONCES = {Seat(i): bytes.fromhex(nonce) for i, nonce in enumerate(COMMIT["nonces"])}


def test_commitments_are_those_of_the_vectors() -> None:
    assert commitment(GAME_ID, None, SERVER_NONCE).hex() == COMMIT["C_server"]
    for seat, nonce in NONCES.items():
        assert commitment(GAME_ID, seat, nonce).hex() == COMMIT["C"][seat]


def test_the_seed_is_that_of_the_vectors_in_whatever_order_nonces_came() -> None:
    backwards = dict(reversed(NONCES.items()))
    assert seed_of(GAME_ID, SERVER_NONCE, NONCES) == int(COMMIT["seed"])
    assert seed_of(GAME_ID, SERVER_NONCE, backwards) == int(COMMIT["seed"])


def test_every_contribution_counts_and_so_does_whose_it_is() -> None:
    one, two = NONCES[Seat(0)], NONCES[Seat(1)]
    seeds = {
        seed_of(GAME_ID, SERVER_NONCE, nonces)
        for nonces in (
            {},
            {Seat(0): one},
            {Seat(1): one},
            {Seat(0): one, Seat(1): two},
            {Seat(0): two, Seat(1): one},
        )
    }
    assert len(seeds) == 5
    assert all(0 <= seed < 2**60 for seed in seeds)


def test_a_commitment_is_bound_to_its_game_and_its_author() -> None:
    nonce = NONCES[Seat(0)]
    commitments = {
        commitment(GAME_ID, 0, nonce),
        commitment(GAME_ID, 1, nonce),
        commitment(GAME_ID, None, nonce),
        commitment(GAME_ID[::-1], 0, nonce),
    }
    assert len(commitments) == 4
