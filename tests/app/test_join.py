"""Joined modules do what they do alone, and what is not understood is refused."""

import re
import subprocess
from pathlib import Path

import pytest

from krig.app.join import CannotJoin, join, join_styles
from krig.app.lean import without_comments
from krig.app.static import find_client

NOT_OF_THE_PAGE = {"mini.js"}

WRITTEN = {
    "app.js": """\
import "./side.js";
import { add, Sum as Total } from "./lib/sum.js";
import * as words from "./words.js";
const total = new Total(await add(1, 2));
async function main() {
  const { twice } = await import("./lib/twice.js");
  const { nb } = await import("./lang/nb.js");
  const again = await import("./lib/sum.js");
  console.log(total.of(), words.name(), twice(3), nb, again.Sum === Total);
}
void main();
""",
    "side.js": 'console.log("first");\n',
    "words.js": """\
import { add } from "./lib/sum.js";
let said = 0;
export const name = () => `a${(said = add(said, 1))}`;
""",
    "lib/sum.js": """\
console.log("once");
export async function later() {}
export function add(a, b) {
return a + b;
}
export class Sum {
constructor(n) {
this.n = n;
}
of() {
return this.n;
}
}
""",
    "lib/twice.js": """\
import {
add as plus,
} from "./sum.js";
import { name } from "../words.js";
const total = name();
export function twice(n) {
return `${plus(n, n)} ${total}`;
}
""",
    "lang/nb.js": 'export const nb = "hei";\n',
    "stray.js": "export default 1;\n",
}


def in_node(folder: Path, files: dict[str, str]) -> str:
    """What these modules print."""
    for name, text in ({"package.json": '{"type": "module"}'} | files).items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(text)
    told = subprocess.run(["node", folder / "app.js"], capture_output=True, text=True)
    return told.stdout + told.stderr


@pytest.mark.client_tools
def test_joined_modules_do_what_they_do_alone(tmp_path: Path) -> None:
    alone = in_node(tmp_path / "alone", WRITTEN)
    joined = join(WRITTEN, "app.js")
    assert set(joined) == {"app.js", "later.js"}
    sent = joined | {"lang/nb.js": WRITTEN["lang/nb.js"]}
    assert in_node(tmp_path / "joined", sent) == alone
    assert alone == "first\nonce\n3 a2 6 a1 hei true\n"


def test_the_whole_client_is_joined_and_each_module_is_in_one_place() -> None:
    folder = find_client()
    assert folder is not None
    modules = {
        path.relative_to(folder).as_posix(): without_comments(path.read_text())
        for path in folder.rglob("*.js")
    }
    files = join(modules, "app.js")
    assert set(files) == {"app.js", "later.js"}
    blocks = re.findall(r'^\$\["([^"]+)"\] = ', "".join(files.values()), re.MULTILINE)
    own = {name for name in modules if not name.startswith("lang/")}
    assert sorted(blocks) == sorted(own - NOT_OF_THE_PAGE)
    here = re.findall(r'^\$\["([^"]+)"\] = ', files["app.js"], re.MULTILINE)
    assert {"table/table.js", "screens/home.js"} <= set(here)
    assert not {"screens/end.js", "screens/rules.js", "verify.js"} & set(here)


@pytest.mark.parametrize(
    "line",
    [
        "export let n = 1;",
        "export default 1;",
        "export { a };",
        'export { a } from "./b.js";',
        'export * from "./b.js";',
        "export function* all() {}",
        "export const { a, b } = c;",
        'import b from "./b.js";',
        'import b, { a } from "./b.js";',
        'import { a } from "./b.js"; // no, two things on a line',
        'import { a } from "elsewhere";',
        "const at = import.meta.url;",
        "  const b = await import(`./${name}.js`);",
        'const b = await import("./b.js");',
        'void import("./b.js").then(go);',
    ],
)
def test_what_is_not_known_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(CannotJoin) as refused:
        join({"app.js": f"{line}\n", "b.js": "export const a = 1;\n"}, "app.js")
    said = str(refused.value).removeprefix("app.js: ")
    assert line.endswith(said)
    assert re.match("export|.*import", said)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('import { no } from "./b.js";', "app.js: b.js exports no no"),
        ('import { a } from "./c.js";', "app.js: there is no ./c.js"),
        ('  go(import("./c.js"));', "app.js: there is no ./c.js"),
        ('import "./d.js";', "app.js needs d.js needs e.js needs d.js: a circle."),
    ],
)
def test_what_would_not_run_is_refused(line: str, why: str) -> None:
    modules = {
        "app.js": f"{line}\n",
        "b.js": "export const a = 1;\n",
        "d.js": 'import "./e.js";\n',
        "e.js": 'import "./d.js";\n',
    }
    with pytest.raises(CannotJoin, match=f"^{re.escape(why)}$"):
        join(modules, "app.js")


def test_a_style_holds_those_that_it_imports_in_their_order() -> None:
    styles = {"a.css": "a {}\n", "b.css": "b {}\n"}
    both = {"all.css": '@import "./b.css";\n@import "./a.css";\nc {}\n'}
    assert join_styles(styles | both)["all.css"] == "b {}\na {}\nc {}\n"
