"""Errors over HTTP: `application/problem+json` (RFC 9457), with the wire's codes."""

from typing import Any, Final, Literal

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from krig.errors import Invalid, KrigError
from krig.protocol.codec import sentence

STATUS: Final = {
    "no_such_room": 404,
    "no_such_game": 404,
    "game_not_over": 409,
    "foreign_origin": 403,
    "wrong_host": 421,
    "too_many_rooms": 429,
    "too_many_connections": 429,
    "too_fast": 429,
    "busy": 503,
    "storage_unavailable": 503,
    "unknown": 503,
    "draining": 503,
    "newer_schema": 503,
    "quarantined": 503,
}
"""Where it is not 422 for what cannot be read, or 409 for what may not be done now."""

CODES: Final = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    413: "message_too_big",
}
"""Of errors that are not ours but HTTP's."""


class ProblemBody(BaseModel):
    """What an error says of itself."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["about:blank"]
    title: str
    status: int
    code: str = Field(description="never changes, as on the wire")
    detail: str = Field(description="a sentence for people")


class Problem(JSONResponse):
    """An error as the body of an HTTP response."""

    media_type = "application/problem+json"

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        headers: dict[str, str] | None = None,
    ) -> None:
        body = {"type": "about:blank", "title": code, "status": status}
        super().__init__(
            {**body, "code": code, "detail": detail}, status, headers=headers
        )


PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    f"{kind}XX": {
        "description": why,
        "content": {Problem.media_type: {"schema": ProblemBody.model_json_schema()}},
    }
    for kind, why in ((4, "What was asked cannot be."), (5, "Come again later."))
}
"""What any answer may be besides, for the OpenAPI."""


def problem_of(error: KrigError) -> Problem:
    """The response that an error of ours is."""
    status = STATUS.get(error.code, 422 if isinstance(error, Invalid) else 409)
    headers = {"Retry-After": "5"} if status in (429, 503) else None
    return Problem(status, error.code, sentence(error), headers)


def answer_with_problems(app: FastAPI) -> None:
    """Let every error of this application be a problem."""

    @app.exception_handler(KrigError)
    async def ours(_: Request, error: KrigError) -> Problem:
        return problem_of(error)

    @app.exception_handler(RequestValidationError)
    async def unreadable(_: Request, error: RequestValidationError) -> Problem:
        first: dict[str, Any] = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][:3])
        return Problem(422, "bad_request", f"{where}: {first['msg']}."[:200])

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> Problem:
        code = CODES.get(error.status_code, "http_error")
        headers = dict(error.headers) if error.headers else None
        return Problem(error.status_code, code, str(error.detail), headers)

    @app.exception_handler(Exception)
    async def broken(_: Request, __: Exception) -> Problem:
        return Problem(500, "internal", "Something broke here; nothing was changed.")
