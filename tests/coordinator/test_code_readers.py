"""What the readers of code have to get right beyond the small projects, and what must not hang."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coordinator.planning.code import dispatch, paths
from coordinator.planning.code.django import angled, expression
from coordinator.planning.code.model import Unreadable
from coordinator.planning.code.starlette import braced


class Files:
    """A project in memory."""

    def __init__(self, files: dict[str, str]) -> None:
        self._files = files

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._files))

    def text(self, name: str) -> str:
        if name not in self._files:
            raise Unreadable("it is not there")
        return self._files[name]


def package(name: str) -> str:
    return f'{{"dependencies": {{"{name}": "1"}}}}'


def routes(files: dict[str, str]) -> dict[str, str]:
    """Each declared path with its reason to be left out."""
    return {found.path: found.reason for found in dispatch.read(Files(files)).found}


def react(code: str, **more: str) -> dict[str, str]:
    return routes({"package.json": package("react-router-dom"), "src/routes.tsx": code, **more})


def angular(code: str) -> dict[str, str]:
    return routes({"package.json": package("@angular/router"), "src/app.routes.ts": code})


def vue(code: str) -> dict[str, str]:
    return routes({"package.json": package("vue-router"), "src/router.ts": code})


def test_react_an_older_switch_with_lists_of_paths_and_redirects() -> None:
    found = react(
        "export default () => <HashRouter><Switch>"
        '<Route exact path={["/a", "/b"]} component={A} />'
        '<PrivateRoute path="/c" component={C} />'
        '<Redirect from="/old" to="/a" />'
        "</Switch></HashRouter>"
    )
    assert found == {"/#/a": "", "/#/b": "", "/#/c": "", "/#/old": paths.REDIRECT}


def test_react_the_route_file_of_the_framework_mode() -> None:
    found = react(
        'import { route, index, layout, prefix } from "@react-router/dev/routes";\n'
        'export default [index("home.tsx"), layout("l.tsx", [route("about", "about.tsx")]),'
        ' ...prefix("shop", [index("s.tsx"), route(":id", "i.tsx")])];'
    )
    assert {path for path in found if not paths.has_parameter(path)} == {"/", "/about"}


def test_react_a_base_name_stands_before_every_path() -> None:
    found = react(
        'createBrowserRouter([{ path: "/", element: <A /> }, { path: "x", element: <A /> }],'
        ' { basename: "/app" })'
    )
    assert set(found) == {"/app", "/app/x"}


def test_react_routes_that_hold_others_and_show_nothing_are_no_pages() -> None:
    assert react('<Routes><Route path="a"><Route path="b" element={<B />} /></Route></Routes>') == {
        "/a/b": ""
    }


def test_vue_a_base_and_a_parameter_that_takes_anything() -> None:
    found = vue(
        "new VueRouter({ mode: 'history', base: '/shop', routes: ["
        "{ path: '/cart', component: C, children: [{ path: 'pay', component: P }] },"
        "{ path: '/:rest(.*)', component: N }] })"
    )
    assert found == {"/shop/cart": "", "/shop/cart/pay": "", "/shop/*": paths.WILDCARD}


def test_angular_without_modules() -> None:
    found = angular(
        "export const routes: Routes = [{ path: 'a', component: A },"
        " { path: 'b', loadChildren: () => import('./nowhere') }];\n"
        "bootstrapApplication(App, { providers: [provideRouter(routes, withHashLocation())] });"
    )
    assert found == {"/#/a": ""}


def test_python_factories_and_methods() -> None:
    found = routes(
        {
            "requirements.txt": "flask",
            "app.py": "from flask import Flask, redirect\n"
            "def make():\n    app = Flask(__name__)\n"
            "    @app.route('/a', methods=['POST'])\n    def a(): return ''\n"
            "    @app.route('/b', methods=['POST', 'GET'])\n    def b(): return ''\n"
            "    return app\n",
        }
    )
    assert found == {"/a": "POST only", "/b": ""}


def flask(code: str, **more: str) -> dict[str, str]:
    return routes({"requirements.txt": "flask", "app.py": "from flask import *\n" + code, **more})


def test_python_parts_that_functions_make_and_that_one_branch_sets_to_none() -> None:
    found = flask(
        "try:\n    from extra import bp\nexcept ImportError:\n    bp = None\n"
        "from pkg import make, part\napp = make()\n"
        "app.register_blueprint(bp)\napp.register_blueprint(part(1), url_prefix='/p')\n",
        **{
            "extra.py": "bp = Blueprint('x', __name__, url_prefix='/x')\n"
            "@bp.route('/a')\ndef a(): return ''\n",
            "pkg.py": "def make():\n    site = Flask('s')\n    return site\n"
            "def part(n):\n    b = Blueprint('b', __name__)\n"
            "    @b.route('/c')\n    def c(): return ''\n    return b\n",
        },
    )
    assert found == {"/x/a": "", "/p/c": ""}


def test_python_an_app_that_an_object_holds() -> None:
    found = flask(
        "class Web:\n    app: Flask | None = None\n    def __init__(self):\n"
        "        self.app = Flask('w')\n        self.app.add_url_rule('/a', view_func=self.a)\n"
        "    def a(self): return ''\n"
    )
    assert found == {"/a": ""}


def test_python_an_app_in_a_module_of_its_own_name() -> None:
    code = "from flask import Flask\nx = Flask('x')\n@x.route('/a')\ndef a(): return ''\n"
    assert routes({"shop_tool.py": code}) == {"/a": ""}


def test_aliases_are_those_of_the_typescript_configuration() -> None:
    found = routes(
        {
            "package.json": package("@angular/router"),
            "tsconfig.base.json": '{ /* nx */ "compilerOptions": { "baseUrl": ".", "paths": '
            '{ "@shop/orders": ["libs/orders/src/index.ts"], "@ui/*": ["libs/ui/*"] } } }',
            "src/app.routes.ts": "provideRouter([{ path: 'orders', loadChildren: () =>"
            " import('@shop/orders').then((m) => m.ORDERS) }, ...x]); import { x } from '@ui/x';",
            "libs/orders/src/index.ts": "export * from './orders.routes';",
            "libs/orders/src/orders.routes.ts": "export const ORDERS = [{path: '', component: O}]",
            "libs/ui/x.ts": "export const x = [{ path: 'ui', component: U }];",
        }
    )
    assert found == {"/orders": "", "/ui": ""}


def test_react_groups_and_stars_of_older_versions() -> None:
    found = react(
        '<Switch><Route path={"/(public|personal)?"}><A /></Route>'
        '<Route path="/accounts*"><B /></Route></Switch>'
    )
    assert {paths.openable(path) for path in found} == {"/", "/accounts"}


@pytest.mark.parametrize(
    ("path", "is_page"),
    [
        ("/api/users", False),
        ("/robots.txt", False),
        ("/healthz", False),
        ("/cache/clear", False),
        ("/users/delete-all", False),
        ("/deleted-users", True),
        ("/password-reset", True),
        ("/apiary", True),
    ],
)
def test_some_addresses_are_no_page_to_open(path: str, is_page: bool) -> None:
    assert (paths.address_reason(path) == "") == is_page


@pytest.mark.parametrize(
    ("regex", "path"),
    [
        (r"^users/(?P<pk>\d+)/$", "users/:pk/"),
        (r"^a/([^/(]+)/b/?$", "a/:value/b"),
        (r"^robots\.txt$", "robots.txt"),
        (r"^a|b$", None),
        (r"^(?:a)?b$", None),
        (r"^x.*$", None),
        (r"^((((", None),
    ],
)
def test_expressions_are_paths_if_they_are_no_more(regex: str, path: str | None) -> None:
    assert expression(regex) == path


def test_parameters_in_pointed_and_curly_brackets() -> None:
    assert angled("a/<int:pk>/<path:rest>/<x") == "a/:pk/:rest+/<x"
    assert braced("/a/{id:int}/{rest:path}/{x") == "/a/:id/:rest+/{x"


@pytest.mark.parametrize(
    ("pattern", "opens"),
    [("/a/:b?", "/a"), ("/:lang?/a", "/a"), ("/a/:b*", "/a"), ("/a/:b", None), ("/*", None)],
)
def test_optional_parts_need_no_sample(pattern: str, opens: str | None) -> None:
    assert paths.openable(pattern) == opens


DEEP = 50_000
HOSTILE = {
    "an array in an array": ("src/router.ts", "[" * DEEP),
    "an element in an element": ("src/routes.tsx", "<Route>" * DEEP),
    "routes in routes": (
        "src/router.ts",
        "createRouter({routes: [" + "{path:'a',children:[" * 9_000,
    ),
    "a sum": ("src/router.ts", "createRouter({routes: [{path: 'a'" + "+'a'" * DEEP + "}]})"),
    "lists that hold each other twice": (
        "src/router.ts",
        "createRouter({routes: a0})\n"
        + "".join(f"const a{n} = [...a{n + 1}, ...a{n + 1}]\n" for n in range(50)),
    ),
    "texts that double each other": (
        "src/router.ts",
        "createRouter({routes: [{path: a0}]})\n"
        + "".join(f"const a{n} = `${{a{n + 1}}}${{a{n + 1}}}`\n" for n in range(50)),
    ),
    "a name that is itself": ("src/router.ts", "const a = a\ncreateRouter({routes: a})"),
    "a path of brackets": (
        "src/router.ts",
        "createRouter({routes: [{path: '" + "(" * DEEP + "'}]})",
    ),
    "brackets in Python": ("app.py", "app = " + "(" * DEEP),
    "signs in Python": ("app.py", "app = " + "-" * DEEP + "1"),
    "attributes in Python": ("app.py", "app = a" + ".a" * DEEP),
    "a sum in Python": (
        "app.py",
        "app = Flask('a')\n@app.route('a'" + "+'a'" * DEEP + ")\ndef a(): 0",
    ),
    "blueprints that hold each other": (
        "app.py",
        "app = Flask('a')\nb = Blueprint('b')\nc = Blueprint('c')\napp.register_blueprint(b)\n"
        + "b.register_blueprint(c)\nc.register_blueprint(b)\n" * 9,
    ),
    "urls that include each other": (
        "urls.py",
        "a0 = []\n"
        + "".join(
            f"a{n} = [path('x', include(a{n + 1}))] * 1 + [*a{n + 1}, *a{n + 1}]\n"
            for n in range(50)
        )
        + "urlpatterns = a0 + [path('x', include(a1)), path('y', include(a1))]\n",
    ),
    "an expression for ever": ("urls.py", "urlpatterns = [re_path('" + "(a+" * 9_000 + "', v)]"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_made_to_hang_or_to_crash_does_neither(name: str) -> None:
    file, text = HOSTILE[name]
    files = {
        file: text,
        "package.json": '{"dependencies": {"vue-router": "4", "react-router": "6"}}',
        "requirements.txt": "flask\ndjango\nfastapi\nstarlette\n",
    }
    dispatch.read(Files(files)).outline()


@given(st.text(max_size=60))
@settings(max_examples=100)
def test_any_text_is_read_or_refused(text: str) -> None:
    for name in ("src/router.ts", "src/routes.jsx", "app.py", "urls.py"):
        files = {
            name: text,
            "package.json": package("vue-router"),
            "requirements.txt": "flask\ndjango",
        }
        dispatch.read(Files(files)).outline()
    paths.plain(text)
    expression(text)
    angled(text)
    braced(text)


@given(
    st.sampled_from(["package.json", "pyproject.toml", "requirements.txt"]), st.text(max_size=60)
)
@settings(max_examples=50)
def test_any_manifest_is_read_or_noted(name: str, text: str) -> None:
    dispatch.read(Files({name: text}))
