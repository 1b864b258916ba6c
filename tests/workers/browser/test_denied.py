"""What ends the session is used once and never again, whatever it is called."""

import asyncio
import threading

import pytest

from contract.action_tree import walk
from contract.jobs import Safety
from contract.login import FieldValue, LoginRecipe, Success
from contract.vocabulary import ActionResult, Outcome
from examples.kit.messages import Request, Response, html, plain, redirect
from examples.kit.routes import Handler, Routes
from examples.kit.server import Server
from tests.support.explorer import Explorer
from tests.workers.browser.outings import outing, walked
from tests.workers.browser.toy import BASE, Door, Maze, Room, button
from workers.browser.brief import Brief
from workers.browser.page_port import Traffic
from workers.browser.policy import Rules
from workers.browser.walk import Walk
from workers.browser.watch import takes_away

PAGE = """<!doctype html><html lang="en"><title>Desk</title><h1>Desk</h1>
<div role="toolbar"><button id="a">Refresh</button><button id="b">Coffee</button>
<button id="c">Count</button></div><p id="out"></p>
<script>
  const out = document.getElementById("out");
  const ask = (path) => async () => {
    out.textContent = await (await fetch(path)).text() + Math.random();
  };
  document.getElementById("a").onclick = ask("/data");
  document.getElementById("b").onclick = ask("/coffee");
  document.getElementById("c").onclick = ask("/data");
</script>"""
LOGIN = """<!doctype html><title>Log in</title><h1>Log in</h1>
<form method="post" action="/login"><input name="user"><input name="word" type="password">
<button type="submit">Log in</button></form>"""
RECIPE = LoginRecipe(
    url="/login",
    fields={"input[name=user]": FieldValue(value="a"), "input[name=word]": FieldValue(value="b")},
    submit="button[type=submit]",
    success=Success(url="/desk"),
)


class Desk:
    """An app whose coffee logs out: the session is gone on the server and so is its cookie."""

    def __init__(self) -> None:
        self.sessions: set[str] = set()
        self.coffees = 0
        self._lock = threading.Lock()
        self.routes = Routes()
        self.routes.add("GET", "/desk", self._inside(html(PAGE)))
        self.routes.add("GET", "/data", self._inside(plain("data")))
        self.routes.add("GET", "/coffee", self._coffee)
        self.routes.add("GET", "/login", lambda _: html(LOGIN))
        self.routes.add("POST", "/login", self._login)

    def _inside(self, response: Response) -> Handler:
        def answer(request: Request) -> Response:
            known = request.cookie("sid") in self.sessions
            return response if known else redirect("/login")

        return answer

    def _coffee(self, request: Request) -> Response:
        self.coffees += 1
        self.sessions.discard(request.cookie("sid"))
        gone = ("Set-Cookie", "sid=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT")
        return Response(body=b"enjoy", headers=(gone,))

    def _login(self, request: Request) -> Response:
        with self._lock:
            name = f"s{len(self.sessions)}-{self.coffees}"
            self.sessions.add(name)
        return redirect("/desk", (("Set-Cookie", f"sid={name}; Path=/; HttpOnly"),))


def test_an_innocent_looking_control_that_logs_out_is_used_once(explorer: Explorer) -> None:
    desk = Desk()
    with Server(desk.routes.answer) as server:
        report = explorer.explore(server.url, "/desk", recipe=RECIPE)

    found = {node.label: node for node in walk(report.action_tree)}
    assert desk.coffees == 1
    assert found["Refresh"].action_result is ActionResult.CONTENT_CHANGED
    assert found["Count"].action_result is ActionResult.CONTENT_CHANGED
    assert report.bugs == ()


def costly(times: int) -> Maze:
    room = Room(
        controls=(button("Coffee"), button("Refresh")),
        doors={"Coffee": Door(changes=1, ends_session=times), "Refresh": Door(changes=1)},
    )
    return {"room": room}


def test_a_session_that_ends_once_may_have_expired() -> None:
    found = walked(costly(1))

    assert found.of("Coffee").draft.action_result is ActionResult.CONTENT_CHANGED
    assert found.atlas.denied == {}


def test_what_ends_it_twice_is_denied() -> None:
    found = walked(costly(9))

    assert found.of("Coffee").draft.outcome is Outcome.AUTH_LOST
    assert list(found.atlas.denied) == ["Coffee"]
    assert found.of("Refresh").draft.action_result is ActionResult.CONTENT_CHANGED


def test_what_takes_the_cookies_along_is_denied_at_once() -> None:
    gone = Traffic(cookies_gone=("sid",))
    maze: Maze = {
        "room": Room(controls=(button("Coffee"),), doors={"Coffee": Door(changes=1, traffic=gone)})
    }

    found = walked(maze)

    assert list(found.atlas.denied) == ["Coffee"]
    assert "fresh context" in found.toy.log


def test_what_another_job_found_is_not_tried_at_all() -> None:
    found = outing(costly(9))
    brief = Brief(route="/maze", base_url=BASE, denied=frozenset({"Coffee"}))
    rules = Rules(Safety(), BASE)
    walk_again = Walk(found.toy, brief, rules, found.atlas, found.journal.write)

    asyncio.run(walk_again.explore())

    assert "press Coffee" not in found.toy.log
    assert found.of("Coffee").draft.outcome is Outcome.AUTH_LOST


@pytest.mark.parametrize(
    ("line", "gone"),
    [
        ("sid=; Path=/", True),
        ('sid=""; Path=/', True),
        ("sid=deleted", True),
        ("sid=x; Max-Age=0", True),
        ("sid=x; max-age=-1; Path=/", True),
        ("sid=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT", True),
        ("sid=x; Max-Age=3600; Expires=Thu, 01 Jan 1970 00:00:00 GMT", False),
        ("sid=x; Path=/; HttpOnly", False),
        ("sid=x; Max-Age=soon", False),
    ],
)
def test_a_cookie_is_gone_without_value_or_time(line: str, gone: bool) -> None:
    assert takes_away(line) is gone
