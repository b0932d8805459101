"""The tree of errors is drawn as it is."""

import re
from collections.abc import Iterator

from krig import errors
from krig.errors import KrigError


def below(kind: type[KrigError]) -> Iterator[type[KrigError]]:
    for it in kind.__subclasses__():
        if it.__module__.startswith("krig."):
            yield it
            yield from below(it)


def test_the_tree_shows_every_error_with_its_code() -> None:
    text = errors.__doc__ or ""
    drawn, branch = {}, ["KrigError"]
    for bars, name, said in re.findall(r"(?m)^    ([│ ]*)[├└]── (\w+) +(.*)$", text):
        depth = len(bars) // 4
        branch[depth + 1 :] = [name]
        drawn[name] = (branch[depth], said)
    found = list(below(KrigError))
    assert {name: over for name, (over, _) in drawn.items()} == {
        it.__name__: it.__mro__[1].__name__ for it in found
    }
    ends = {it.__name__: it.code for it in found if not it.__subclasses__()}
    assert {name: drawn[name][1] for name in ends} == ends
