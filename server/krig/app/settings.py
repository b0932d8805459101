"""What whoever runs a server may set: by the environment, some also as arguments."""

from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from krig.protocol.limits import Limits

HOUR: Final = 3_600.0
DAY: Final = 24 * HOUR


class Settings(BaseSettings):
    """Every setting; in the environment `port` is KRIG_PORT."""

    model_config = SettingsConfigDict(
        env_prefix="KRIG_", env_nested_delimiter="__", frozen=True, extra="ignore"
    )

    host: str = "0.0.0.0"
    """The address to listen on; as it is: every one of this machine's."""
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    """0: any free one (for tests: players come back to the port they know)."""
    data: Path = Path("data/krig.sqlite")
    """The SQLite file that holds the rooms."""
    log: str | None = None
    """The URL of a log instead of `data`: `sqlite:///path` or `memory:`."""
    public_url: str | None = None
    """How players reach this server, where that is no address of its own."""
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    """More names that it answers to; a comma between them."""
    public: bool = False
    """The server is out on the internet: abandoned games are kept for 24 h only."""
    trusted_proxies: Annotated[tuple[str, ...], NoDecode] = ()
    """Networks (CIDR) of proxies whose word about addresses is taken; never all."""
    require_origin: bool = False
    """Refuse clients that name no Origin, which browsers always do."""

    metrics_port: Annotated[int, Field(ge=0, le=65535)] | None = None
    """Where `/metrics` is then, with `/healthz` and `/readyz`; as it is: on `port`."""
    control: Path | None = None
    """The socket of `krig rooms`, `close` and `say`; as it is: beside `data`."""
    log_format: Literal["json", "console"] | None = None
    """As it is: for people on a terminal, else JSON."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """`debug` has a line for each connection too."""
    imprint_url: str | None = None
    """Who runs this server; the page links to it."""
    privacy_url: str | None = None
    """What it does with what people type; the page links to it."""

    empty_lobby_minutes: Annotated[float, Field(gt=0)] = 10
    """How long a room is kept in which no game was ever begun."""
    abandoned_game_hours: Annotated[float, Field(gt=0)] | None = None
    """A game that nobody is at; as it is: 30 days, on a public server 24 hours."""
    finished_game_hours: Annotated[float, Field(gt=0)] = 30 * 24
    """A finished game, for its replay."""
    idle_seconds: Annotated[float, Field(gt=0)] = 30
    """A room that nobody is in leaves memory; its file keeps it."""

    limits: Limits = Limits()
    """What clients may do: KRIG_LIMITS__SOCKETS is how many connections there are."""

    @field_validator("allowed_hosts", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(n.strip().lower() for n in value.split(",") if n.strip())
        return value

    @field_validator(
        *("log", "public_url", "metrics_port", "control", "log_format"),
        *("imprint_url", "privacy_url", "abandoned_game_hours"),
        mode="before",
    )
    @classmethod
    def _none_if_empty(cls, value: object) -> object:
        return value or None

    @field_validator("trusted_proxies", mode="before")
    @classmethod
    def _split_networks(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(n.strip() for n in value.split(",") if n.strip())
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for network in value:
            if ip_network(network).prefixlen == 0:
                raise ValueError("whoever is trusted, it is not everybody")
        return value

    @field_validator("public_url")
    @classmethod
    def _is_url(cls, value: str | None) -> str | None:
        if value is None:
            return None
        url = urlsplit(value)
        if (
            url.scheme not in ("http", "https")
            or not url.hostname
            or url.path.strip("/")
        ):
            raise ValueError("it is written like https://krig.example.org")
        return value.rstrip("/")

    @field_validator("imprint_url", "privacy_url")
    @classmethod
    def _is_link(cls, value: str | None) -> str | None:
        if value is not None and urlsplit(value).scheme not in ("http", "https"):
            raise ValueError("it is written like https://example.org/imprint")
        return value

    @property
    def abandoned_seconds(self) -> float:
        """How long a game is kept that nobody is at."""
        if self.abandoned_game_hours is not None:
            return self.abandoned_game_hours * HOUR
        return DAY if self.public else 30 * DAY

    @property
    def where(self) -> str | Path:
        """Which log to open."""
        return self.log if self.log is not None else self.data
