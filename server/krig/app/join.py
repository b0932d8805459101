"""Modules joined as they are served: a slow phone asks for two, not for seventy.

What lies in `client/` stays plain modules. The one that the page runs is sent with all
that it imports, each in a block of its own; `later.js` holds what is imported when it
is wanted, all screens but the first.

Rule 1: a module runs once, after those that it imports, as it would by itself.
Rule 2: what is not known for certain is refused, by module and line.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import dirname, normpath
from typing import Final

LATER: Final = "later.js"

ALONE: Final = "lang/"
"""Of these a page wants one, so each is fetched by itself."""

EAGER: Final = "//# allFunctionsCalledOnLoad\n"
"""Most of them are: Chromium compiles what says so while it is still loading."""

FORM: Final = re.compile(
    r"""
      ^import\ (?:(?:\{(?P<names>[^}]*)\}|\*\ as\ (?P<whole>\w+))\ from\ )?
        "(?P<needed>\.[^"]+)";\n
    | ^export\ (?=(?:(?:async\ )?function|class|const)\ (?P<exported>\w+))
    | \bimport\("(?P<wanted>\.[^"]+)"\)
    | (?P<unknown>(?:^export\b|^\S.*\bimport\(|\bimport\b).*)
    """,
    re.MULTILINE | re.VERBOSE,
)
"""How modules speak of each other, as prettier writes it; anything else is unknown. So
is what one might wait for before it has run: that may be in a file that waits for it.
"""

STYLE: Final = re.compile(r'^@import "\./([^"]+)";\n', re.MULTILINE)


class CannotJoin(ValueError):
    """A module says what is not known here: write it otherwise, or teach this file."""


def join(modules: Mapping[str, str], root: str) -> dict[str, str]:
    r"""The joined files by name: the root's, and `later.js` if there is a later.

    Args:
        modules: Every module's text by its path, without comments.
        root: What the page runs.

    Raises:
        CannotJoin: For a form that is not known, what is not there, and a circle.

    >>> files = join(
    ...     {
    ...         "app.js": 'import { go } from "./b/go.js";\n go(import("./c.js"));\n',
    ...         "b/go.js": "export function go() {}\n",
    ...         "c.js": 'import * as way from "./b/go.js";\n',
    ...     },
    ...     "app.js",
    ... )
    >>> print(files["app.js"], end="")
    //# allFunctionsCalledOnLoad
    export const $ = {};
    {
    function go() {}
    $["b/go.js"] = {go};
    }
    {
    const { go } = $["b/go.js"];
     go(import("./later.js").then(() => $["c.js"]));
    $["app.js"] = {};
    }
    >>> print(files["later.js"], end="")
    import { $ } from "./app.js";
    {
    const way = $["b/go.js"];
    $["c.js"] = {};
    }
    """
    plan = _Plan(modules)
    plan.add(root, root)
    for name in plan.order:  # which grows meanwhile
        for target in plan.targets(name, "wanted"):
            if not target.startswith(ALONE):
                plan.add(target, LATER)
    files = {root: f"{EAGER}export const $ = {{}};\n"}
    for name in plan.order:
        files.setdefault(plan.part[name], f'import {{ $ }} from "./{root}";\n')
        files[plan.part[name]] += plan.block(name)
    return files


def join_styles(styles: Mapping[str, str]) -> dict[str, str]:
    r"""The styles, with those that one imports, from beside it, in place.

    >>> join_styles({"all.css": '@import "./a.css";\nb {}\n', "a.css": "a {}\n"})
    {'all.css': 'a {}\nb {}\n', 'a.css': 'a {}\n'}
    """
    return {
        name: STYLE.sub(lambda found: styles[found[1]], text)
        for name, text in styles.items()
    }


@dataclass(frozen=True, slots=True)
class _Plan:
    """Which module goes into which file, and after which others."""

    modules: Mapping[str, str]
    order: list[str] = field(default_factory=list)
    part: dict[str, str] = field(default_factory=dict)
    exports: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, part: str, above: tuple[str, ...] = ()) -> None:
        """Put a module into a file, after all that it needs."""
        if name in above:
            raise CannotJoin(f"{' needs '.join((*above, name))}: a circle.")
        if name in self.part:
            return
        for target in self.targets(name, "needed"):
            self.add(target, part, (*above, name))
        self.order.append(name)
        self.part[name] = part

    def targets(self, name: str, how: str) -> Iterator[str]:
        """The modules that one needs, or wants when the time has come."""
        for form in FORM.finditer(self.modules[name]):
            if form["unknown"]:
                raise CannotJoin(f"{name}: {form['unknown']}")
            if form[how]:
                yield self.target(name, form[how])

    def target(self, name: str, path: str) -> str:
        """The module at a path as another one writes it."""
        target = normpath(f"{dirname(name)}/{path}").lstrip("/")
        if target not in self.modules:
            raise CannotJoin(f"{name}: there is no {path}")
        return target

    def block(self, name: str) -> str:
        """A module as a block, which leaves in `$` what it exports."""
        self.exports[name] = []
        text = FORM.sub(lambda form: self.told(name, form), self.modules[name])
        exports = ", ".join(self.exports[name])
        return f'{{\n{text}$["{name}"] = {{{exports}}};\n}}\n'

    def told(self, name: str, form: re.Match[str]) -> str:
        """What stands in the block for an import or an export."""
        if form["exported"]:
            self.exports[name].append(form["exported"])
            return ""
        target = self.target(name, form["needed"] or form["wanted"])
        if form["wanted"]:
            alone = target.startswith(ALONE)
            then = f'import("./{self.part.get(target)}").then(() => $["{target}"])'
            return f'import("./{target}")' if alone else then
        names = form["names"] or ""
        for one in re.findall(r"(\w+)(?: as \w+)?", names):
            if one not in self.exports[target]:
                raise CannotJoin(f"{name}: {target} exports no {one}")
        if not names and not form["whole"]:
            return ""
        bound = form["whole"] or f"{{{names.replace(' as ', ': ')}}}"
        return f'const {bound} = $["{target}"];\n'
