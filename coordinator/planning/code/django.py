"""Django: `urlpatterns`, from ROOT_URLCONF through every `include`.

Read are the settings (for ROOT_URLCONF alone) and the url files. What a view answers is told from
its name only, since views are not read. Routes of installed packages are not there to be read,
but for the login pages that Django brings; the note about each says so.
"""

import ast
from collections.abc import Iterator

from coordinator.planning.code import paths
from coordinator.planning.code.model import DEEPEST, Project
from coordinator.planning.code.pysource import (
    PyModule,
    PyReader,
    argument,
    called,
    keyword,
    last_name,
)

_ROUTES = frozenset(("path", "re_path", "url"))
_LOGIN = "django.contrib.auth.urls"
_LOGIN_PAGES = ("login", "logout", "password_change", "password_change/done", "password_reset")
_AUTH_VIEWS = frozenset(("LoginView", "LogoutView", "login", "logout", "auth_login", "auth_logout"))
_MOST = 20_000
"""How many entries are read: url files that include each other twice end here."""


def read(project: Project) -> None:
    """Write the routes of a project into its ledger."""
    _Django(project).read()


class _Django:
    def __init__(self, project: Project) -> None:
        self._project = project
        self._ledger = project.ledger
        self._reader = PyReader(project)
        self._language = ""
        self._handled = 0

    def read(self) -> None:
        root = self._root()
        if root is None:
            return
        self._patterns(root, "", (root.file,))

    def _root(self) -> PyModule | None:
        """The module of ROOT_URLCONF, or the url file that stands highest."""
        for name in self._project.names:
            if _is_settings(self._project.inside(name)):
                settings = self._reader.parse(name)
                if settings is not None and "ROOT_URLCONF" in settings.values:
                    self._language = settings.text(settings.values.get("LANGUAGE_CODE")) or "en-us"
                    named = settings.text(settings.values["ROOT_URLCONF"]) or ""
                    if found := self._reader.module(named):
                        return found
                    self._ledger.note(
                        name, 0, f"ROOT_URLCONF is {named}, which is not in the project"
                    )
        files = [n for n in self._project.names if n.rpartition("/")[2] == "urls.py"]
        if not files:
            return None
        highest = min(files, key=lambda name: (name.count("/"), name))
        self._ledger.note(highest, 0, "no ROOT_URLCONF was found; begun here")
        return self._reader.parse(highest)

    def _patterns(self, module: PyModule, prefix: str, met: tuple[str, ...]) -> None:
        for added in _additions(module, "urlpatterns"):
            self._items(module, added, prefix, met)

    def _items(self, module: PyModule, node: ast.AST, prefix: str, met: tuple[str, ...]) -> None:
        for where, item in self._reader.items(module, node):
            self._item(where, item, prefix, met)

    def _item(self, module: PyModule, item: ast.expr, prefix: str, met: tuple[str, ...]) -> None:
        kind = called(item)
        if not isinstance(item, ast.Call) or len(met) > DEEPEST or self._handled > _MOST:
            return
        self._handled += 1
        if kind == "i18n_patterns":
            default = keyword(item, "prefix_default_language")
            bare = isinstance(default, ast.Constant) and default.value is False
            below = prefix if bare else paths.join(prefix, self._language)
            for one in item.args:
                self._items(module, ast.List(elts=[one]), below, met)
        elif kind in _ROUTES:
            self._route(module, item, prefix, met)

    def _route(self, module: PyModule, item: ast.Call, prefix: str, met: tuple[str, ...]) -> None:
        written = module.text(argument(item, 0, "route") or keyword(item, "regex"))
        view = argument(item, 1, "view")
        if written is None or view is None:
            # `_("about/")`: a translated address; its text is the one of the default language.
            first = item.args[0] if item.args else None
            inner = first.args[0] if isinstance(first, ast.Call) and first.args else None
            written = module.text(inner)
        if written is None or view is None:
            self._ledger.note(module.file, item.lineno, paths.NOT_TOLD)
            return
        simple = written if called(item) == "path" else None
        path = angled(simple) if simple is not None else expression(written)
        if path is None:
            self._add(paths.join(prefix, written.strip("^$")), module, item, "Regular expression")
        elif called(view) == "include" and isinstance(view, ast.Call):
            self._include(module, view, paths.join(prefix, path), met)
        else:
            reason = paths.API if _is_router(module, view) else _reason(view)
            self._add(paths.join(prefix, path), module, item, reason)

    def _add(self, path: str, module: PyModule, item: ast.Call, reason: str) -> None:
        self._ledger.add(path, module.file, item.lineno, reason)

    def _include(self, module: PyModule, call: ast.Call, prefix: str, met: tuple[str, ...]) -> None:
        """Follow what `include` names: a module, one with a namespace, a list."""
        target: ast.expr | None = argument(call, 0, "arg")
        if isinstance(target, ast.Tuple) and target.elts:
            target = target.elts[0]
        named = module.text(target)
        if named == _LOGIN:
            for page in _LOGIN_PAGES:
                self._add(
                    paths.join(prefix, page), module, call, "Auth flow" if "log" in page else ""
                )
            self._add(paths.join(prefix, "reset/:uidb64/:token"), module, call, "")
            return
        other = self._reader.module(named) if named else self._module_of(module, target)
        if other is not None:
            if other.file in met:
                self._ledger.note(
                    module.file, call.lineno, f"{other.file} includes itself; left out"
                )
            else:
                self._patterns(other, prefix, (*met, other.file))
        elif _is_router(module, target):
            self._add(prefix, module, call, paths.API)
        elif target is not None and self._is_list(module, target):
            self._items(module, target, prefix, (*met, f"{module.file}:{call.lineno}"))
        else:
            told = named or ast.unparse(target)[:80] if target is not None else "it"
            self._ledger.note(
                module.file, call.lineno, f"{told} is not in the project; its routes are not known"
            )

    def _is_list(self, module: PyModule, target: ast.expr) -> bool:
        place = self._reader.place_of(module, target)
        return isinstance(target, ast.List | ast.BinOp) or (
            place is not None and place[1] in place[0].values
        )

    def _module_of(self, module: PyModule, target: ast.expr | None) -> PyModule | None:
        if not isinstance(target, ast.Name) or target.id not in module.imports:
            return None
        source, wanted = module.imports[target.id]
        return self._reader.module(".".join(part for part in (source, wanted) if part))


def _is_settings(path: str) -> bool:
    *folders, name = path.split("/")
    in_folder = bool(folders) and folders[-1] in {"settings", "config", "conf"}
    return name.endswith(".py") and (name.startswith("settings") or in_folder)


def _is_router(module: PyModule, target: ast.expr | None) -> bool:
    """`router.urls` of a router made here that answers programs."""
    if not isinstance(target, ast.Attribute) or target.attr != "urls":
        return False
    made = module.values.get(last_name(target.value))
    return made is not None and called(made).endswith(("Router", "API"))


def _additions(module: PyModule, name: str) -> Iterator[ast.expr]:
    """What the statements at the top of a file put into a list, in order."""
    waiting: list[ast.stmt] = list(reversed(module.tree.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If | ast.Try | ast.With):
            inner = [*node.body, *getattr(node, "orelse", [])]
            waiting.extend(reversed(inner))
            continue
        added = _addition(node, name)
        if added is not None and last_name(added) != name:
            yield added


def _addition(node: ast.stmt, name: str) -> ast.expr | None:
    if isinstance(node, ast.Assign) and name in map(last_name, node.targets):
        return node.value
    if isinstance(node, ast.AugAssign | ast.AnnAssign) and last_name(node.target) == name:
        return node.value
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.value.args:
        function = node.value.func
        if isinstance(function, ast.Attribute) and last_name(function.value) == name:
            one = node.value.args[0]
            return ast.List(elts=[one]) if function.attr == "append" else one
    return None


def _reason(view: ast.expr) -> str:
    """What the name of a view says about what it answers."""
    names: list[str] = []
    while isinstance(view, ast.Call):
        if last_name(view.func) in {"require_POST", "require_http_methods"}:
            return "POST only"
        inner = view.func.value if isinstance(view.func, ast.Attribute) else None
        names += [last_name(view.func), last_name(inner) if inner is not None else ""]
        view = view.args[0] if view.args and last_name(view.func) != "as_view" else ast.Constant(0)
    names.append(last_name(view))
    if "RedirectView" in names:
        return paths.REDIRECT
    if _AUTH_VIEWS & set(names):
        return "Auth flow"
    if {"serve", "sitemap", "static_serve"} & set(names):
        return "File, not a page"
    is_api = any(n.lower().endswith(("apiview", "viewset", "api", "jsonview")) for n in names)
    programs = {"TokenObtainPairView", "TokenRefreshView", "JavaScriptCatalog"}
    return paths.API if is_api or programs & set(names) else ""


def angled(route: str) -> str:
    """`users/<int:pk>/` as `users/:pk`; a `path` converter takes the rest."""
    told = ""
    rest = route
    while "<" in rest:
        before, _, rest = rest.partition("<")
        inner, closing, rest = rest.partition(">")
        if not closing:
            return told + before + "<" + inner
        converter, _, name = inner.rpartition(":")
        mark = "+" if converter.startswith("path") else ""
        told += f"{before}:{paths.word(name.strip())}{mark}"
    return told + rest


def expression(regex: str) -> str | None:
    """A regular expression as a path with parameters; None if it is more than that."""
    told: list[str] = []
    at = 0
    regex = regex.removeprefix("^").removesuffix("$").removesuffix("\\Z").removesuffix("/?")
    while at < len(regex):
        character = regex[at]
        if character == "(":
            end = _closing(regex, at)
            if end is None:
                return None
            told.append(f":{paths.word(_group_name(regex[at:end]))}")
            at = end
        elif character == "\\" and at + 1 < len(regex) and not regex[at + 1].isalnum():
            told.append(regex[at + 1])
            at += 1
        elif character in "[]{}*+?|\\^$.":
            return None
        else:
            told.append(character)
        at += 1
    return "".join(told)


def _group_name(group: str) -> str:
    return group[4:].partition(">")[0] if group.startswith("(?P<") else "value"


def _closing(regex: str, at: int) -> int | None:
    """Where the bracket at `at` closes; None for a group that may be missing or repeat."""
    depth = 0
    in_class = False
    for place in range(at, len(regex)):
        character = regex[place]
        if regex[place - 1] == "\\" and place > at:
            continue
        in_class = character == "[" or (in_class and character != "]")
        if character == "(" and not in_class:
            depth += 1
        elif character == ")" and not in_class:
            depth -= 1
            if not depth:
                return None if regex[place + 1 : place + 2] in {"?", "*", "+", "{"} else place
    return None
