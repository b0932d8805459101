"""What is left out of a file when it is sent: a third of what a phone would load.

Only what was written for people: comments, and the room between words that a parser
does not need. No name is changed, and no word.
"""

import re
from typing import Final

SCRIPT_COMMENT: Final = re.compile(
    r"""
      ^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/[ \t]*)?\n  # whole lines, or none
    | (?<=[;{},])\ //\ .*$                              # after code
    | /\*\*\ (?:[^*]|\*(?!/))*\*/\ ?                    # a type, between code
    """,
    re.MULTILINE | re.VERBOSE,
)

SCRIPT_ROOM: Final = re.compile(
    r"""
      (?P<kept>//.*\n | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | `(?:[^`\\]|\\.)*`
        | /(?!\ )(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/)  # a pattern, not a / b
    | [ ]*(?P<sign>[=<>!&|?:,;(){}\[\]*%])[ ]*
    | (?<=[=<>&|?:,;({\[])\n[ ]* | \n[ ]*(?=[)\]}.?:]) | ^[ ]+
    """,
    re.MULTILINE | re.VERBOSE,
)
"""Beside signs; + and - keep theirs, or `a - -b` would mean something else."""

STYLE_COMMENT: Final = re.compile(r"\s*/\*(?:[^*]|\*(?!/))*\*/|^[ \t]+", re.MULTILINE)


def without_comments(code: str) -> str:
    r"""A script without what it tells its reader.

    >>> without_comments("// The pot.\nt(/** @type {Key} */ (pot)); // Once.\n")
    't((pot));\n'
    """
    return SCRIPT_COMMENT.sub("", code)


def squeezed(code: str) -> str:
    r"""A script without comments, and now without the room that says nothing.

    >>> squeezed('  const a = [\n    "b, c",\n    d - -1,\n  ];\n')
    'const a=["b, c",d - -1,];'
    """
    return SCRIPT_ROOM.sub(lambda room: room["kept"] or room["sign"] or "", code)


def lean_style(style: str) -> str:
    r"""A style without comments and indentation.

    >>> lean_style("p {\n  /* A name. */\n  color: red;\n}\n")
    'p {\ncolor: red;\n}\n'
    """
    return STYLE_COMMENT.sub("", style)
