"""What a running server says of itself."""

import asyncio
import re

from tests.live.server import HTTP


class Numbers:
    """One answer of `/metrics`."""

    def __init__(self, text: str) -> None:
        self.text = text

    def of(self, name: str, **labels: str) -> float:
        """One of the numbers; what was never counted is 0."""
        for line in self.text.splitlines():
            found = re.fullmatch(rf"{name}(?:\{{(.*)\}})? (\S+)", line)
            if found and all(
                f'{k}="{v}"' in (found[1] or "") for k, v in labels.items()
            ):
                return float(found[2])
        return 0.0


async def ask(url: str) -> Numbers:
    """Ask a server for its numbers, beside the loop that plays."""
    answer = await asyncio.to_thread(HTTP.get, f"{url}/metrics", timeout=20)
    return Numbers(answer.raise_for_status().text)
