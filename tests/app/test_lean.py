"""What is sent says the same as what was written."""

import json
import subprocess
from pathlib import Path

import pytest

from krig.app.lean import lean_style, squeezed, without_comments
from krig.app.static import find_client

COMPARE = Path(__file__).parents[1] / "client" / "same-tree.js"


@pytest.mark.client_tools
def test_what_is_sent_is_read_as_it_was_written() -> None:
    folder = find_client()
    assert folder is not None
    both = {}
    for path in folder.rglob("*.js"):
        written = path.read_text()
        light = squeezed(without_comments(written))
        both[path.relative_to(folder).as_posix()] = (written, light)
        assert "/*" not in light
        assert "// " not in light
        assert "\n " not in light
    told = subprocess.run(
        ["node", COMPARE], input=json.dumps(both), capture_output=True, text=True
    )
    assert (told.returncode, told.stdout, told.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "code",
    [
        pytest.param('t("a ,  b"); // c\n', id="a-text"),
        pytest.param("t(`a = ${b},\\n  c`);", id="a-template"),
        pytest.param('t("krig // ikke\\", sa , hun");', id="an-escaped-quote"),
        pytest.param("const a = /, [/ ]\\/ = /;", id="a-pattern"),
        pytest.param("if (a) {\n  go(a) // no end\n}\n", id="a-comment-that-stays"),
        pytest.param("const a = b / c / d;", id="to-divide"),
        pytest.param("const a = b - -c + +d;", id="two-signs"),
        pytest.param("class A {\n  a = 1;\n  [b] = 2;\n}\n", id="two-fields"),
        pytest.param("const a = b\n  ? c\n  : d.e()\n      .f();\n", id="long-lines"),
    ],
)
@pytest.mark.client_tools
def test_only_room_that_says_nothing_is_left_out(code: str) -> None:
    sent = squeezed(without_comments(code))
    told = subprocess.run(
        ["node", COMPARE],
        input=json.dumps({"it": (code, sent)}),
        capture_output=True,
        text=True,
    )
    assert (told.returncode, told.stdout, told.stderr) == (0, "", "")


def test_a_style_keeps_what_it_says() -> None:
    written = '/* One. */\n\n.a::after {\n  content: "b  c"; /* two */\n}\n'
    assert lean_style(written).strip() == '.a::after {\ncontent: "b  c";\n}'
