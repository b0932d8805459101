"""Worked cases of the rules, in JSON files: `python -m krig cases FILE...`.

A case sets up piles, plays some rounds or a whole game, and says what must come out.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from krig.app.case_play import Case, CasePlay, Unplayable, write, written
from krig.engine.cards import Deck
from krig.engine.deal import Way, deal
from krig.errors import KrigError


def run(paths: Iterable[str]) -> int:
    """Run every case of the files and print each difference.

    Returns 1 if there was any difference or a file could not be read, else 0.
    """
    ran, differing, text_only = 0, 0, []
    for path in paths:
        try:
            cases = _read(path)
        except (OSError, ValueError, LookupError) as problem:
            print(f"{path}: cannot be read: {problem!r}")
            differing += 1
            continue
        for case in cases:
            if str(case.get("type")) not in RUNNERS:
                text_only.append(str(case.get("id")))
                continue
            ran += 1
            found = differences(case)
            differing += bool(found)
            for line in found:
                print(f"{case.get('id')} ({case.get('title')}): {line}")
    print(f"{ran} cases run, {differing} differ.")
    if text_only:
        print(f"Not runnable here, being told in words only: {', '.join(text_only)}.")
    return 1 if differing else 0


def _read(path: str) -> list[Case]:
    content = json.loads(Path(path).read_text(encoding="utf-8"))
    cases = content["cases"] if isinstance(content, dict) else content
    if not isinstance(cases, list) or not all(isinstance(c, dict) for c in cases):
        raise ValueError("no list of cases")
    return cases


def differences(case: Case) -> list[str]:
    """What comes out otherwise than the case expects, a line each."""
    try:
        found = RUNNERS[case["type"]](case)
        compared = list(_compare(case["expected"], found))
    except (KrigError, Unplayable) as problem:
        return [f"cannot be played: {problem}"]
    except (AttributeError, LookupError, TypeError, ValueError) as problem:
        return [f"cannot be read: {problem!r}"]
    return [
        f"{name}: expected {_shown(expected)}, got {_shown(got)}"
        for name, expected, got in compared
        if expected != got
    ]


def _compare(
    expected: Mapping[str, Any], found: Mapping[str, Any]
) -> Iterator[tuple[str, Any, Any]]:
    """Pair what is expected with what was found; what is not expected may be so.

    Of a result only the parts that the case names are compared.
    """
    for name, value in expected.items():
        if name not in found:
            print(f"{name!r} is not known here, and was not checked.")
        elif name == "result" and value and found[name]:
            for part, wanted in value.items():
                yield f"result.{part}", wanted, found[name].get(part)
        else:
            yield name, value, found[name]


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _play(case: Case) -> dict[str, Any]:
    """Play as many rounds as the case says, or the game, and tell the last round."""
    play = CasePlay(case)
    run = case["run"]
    rounds = None if run == "game" else run["rounds"]
    while play.game.outcome is None and play.finished != rounds:
        if rounds is None and play.cycle():
            break
        play.round()
    return play.told()


def _deal(case: Case) -> dict[str, Any]:
    """Deal the unshuffled deck."""
    rules = case["preset_or_rules"]
    cards = Deck(rules["deck"]).cards
    dealt = deal(cards, rules["players"], Way(rules["deal"]))
    return {
        "sizes": [len(pile) for pile in dealt.piles],
        "aside": written(dealt.aside),
        "top": [write(pile[0]) for pile in dealt.piles],
        "bottom": [write(pile[-1]) for pile in dealt.piles],
        "piles": [written(pile) for pile in dealt.piles],
    }


RUNNERS: Final[Mapping[str, Callable[[Case], dict[str, Any]]]] = {
    "play": _play,
    "numeric": _play,
    "deal": _deal,
}
"""What can be run, by the type of the case."""
