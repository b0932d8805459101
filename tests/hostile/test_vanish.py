"""Who vanishes without a word is gone in time; `make hostile` waits as long as it takes
with the limits as they are, and for the kernel alone.
"""

import socket

import pytest

from krig.app.serve import DEAD_PEER_MS, bind
from tests.hostile.vanish import apart, why_not


@pytest.mark.slow
def test_who_vanishes_without_a_word_is_gone_in_time_and_others_play_on() -> None:
    if why := why_not():
        pytest.skip(f"VANISHED PEERS WERE LEFT OUT: {why}")
    done = apart("quick")
    print(done.stdout)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="not Linux")
def test_the_kernel_gives_up_a_peer_that_takes_nothing() -> None:
    with (
        bind("127.0.0.1", 0) as listener,
        socket.create_connection(listener.getsockname()),
    ):
        accepted, _ = listener.accept()
        with accepted:
            option = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert option == DEAD_PEER_MS
