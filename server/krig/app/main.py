"""The application, for any ASGI server: `uvicorn krig.app.main:app`.

It plays as it does under `krig serve`, but when it stops uvicorn closes every socket
with 1012, where `krig serve` says when to come back.
"""

from krig.app.compose import create_app

app = create_app()
