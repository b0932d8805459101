"""What whoever runs a server may set: by the environment, some also as arguments."""

from ipaddress import ip_network
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from krig.protocol.limits import Limits


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

    limits: Limits = Limits()
    """What clients may do: KRIG_LIMITS__SOCKETS is how many connections there are."""

    @field_validator("allowed_hosts", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(n.strip().lower() for n in value.split(",") if n.strip())
        return value

    @field_validator("log", "public_url", mode="before")
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

    @property
    def where(self) -> str | Path:
        """Which log to open."""
        return self.log if self.log is not None else self.data
