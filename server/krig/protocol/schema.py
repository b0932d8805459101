"""The JSON Schema of every message, for other clients and for the client's types."""

from krig.protocol.messages import FROM_CLIENT, FROM_SERVER, PROTOCOL


def schema() -> dict[str, object]:
    """One schema with all models in `$defs`, and what each side sends.

    >>> sorted(schema()["properties"])
    ['from_client', 'from_server']
    """
    (refs, shared) = FROM_CLIENT.json_schemas(
        [
            ("from_client", "validation", FROM_CLIENT),
            ("from_server", "validation", FROM_SERVER),
        ]
    )
    sides = {side: value for (side, _), value in refs.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"krig.{PROTOCOL}",
        "description": "What goes over the wire, in each direction.",
        "type": "object",
        "properties": sides,
        "$defs": shared["$defs"],
    }
