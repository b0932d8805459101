"""Commit and reveal: nobody, the server included, can choose the deal.

Rule 1: all commitments are on the table before anyone reveals a nonce.
Rule 2: the seed depends on every nonce, so that one honest seat is enough.

RULES section 6 tells the whole of it.
"""

from collections.abc import Mapping
from hashlib import sha256

from krig.engine.seats import Seat
from krig.engine.shuffle import SEED_BITS

SERVER = 0xFF
"""The byte that stands for the server where a seat's number would stand."""


def commitment(game_id: bytes, who: int | None, nonce: bytes) -> bytes:
    """What a seat, or for `None` the server, publishes before it reveals its nonce.

    The game id has 16 bytes and the nonce 32; the commitment is a SHA-256.
    """
    author = bytes([SERVER if who is None else who])
    return sha256(b"krig-commit-v1\0" + game_id + author + nonce).digest()


def seed_of(game_id: bytes, server_nonce: bytes, nonces: Mapping[Seat, bytes]) -> int:
    """The seed, of 60 bits, that follows from the nonces of all who contributed."""
    digest = sha256(b"krig-seed-v1\0" + game_id + server_nonce)
    for seat in sorted(nonces):
        digest.update(bytes([seat]) + nonces[seat])
    return int.from_bytes(digest.digest()) >> (256 - SEED_BITS)
