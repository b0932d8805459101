"""The numbers that `/metrics` shows."""

from prometheus_client import CollectorRegistry, Gauge

from krig import __version__
from krig.transport.crowd import Crowd


def measure(crowd: Crowd) -> CollectorRegistry:
    """Numbers that are worked out when somebody asks for them."""
    registry = CollectorRegistry()
    build = Gauge("krig_build", "The version.", ["version"], registry=registry)
    build.labels(__version__).set(1)
    sockets = Gauge("krig_connections", "Open WebSockets.", registry=registry)
    sockets.set_function(lambda: len(crowd))
    return registry
