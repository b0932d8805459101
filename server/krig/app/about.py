"""Whose server this is: what law or courtesy wants a page to link to."""

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel

from krig import __version__
from krig.app.running import Running, running

router = APIRouter(prefix="/api")


class About(BaseModel):
    """The version, and links of whoever runs the server; null: none is set."""

    version: str
    imprint: str | None
    privacy: str | None


@router.get("/about")
async def tell_about(parts: Annotated[Running, Depends(running)]) -> About:
    """Tell the version, and where imprint and privacy notice are."""
    settings = parts.settings
    return About(
        version=__version__,
        imprint=settings.imprint_url,
        privacy=settings.privacy_url,
    )
