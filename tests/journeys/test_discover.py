"""Finding routes: with a browser, from a list, and on the way to the first run."""

from coordinator.errors import ExitCode
from coordinator.records import route_map
from tests.journeys.stage import App, Place


def test_the_routes_of_the_shop_are_found_behind_its_login(
    shop: App, login: str, place: Place
) -> None:
    done = place.run("discover", shop.url, "--login", login, "-c", "1")
    assert done.code == ExitCode.OK, done
    target = place.folder / "ROUTE_MAP.md"
    found = route_map.load(target)
    assert found.source == "browser"
    assert {"/", "/products", "/orders", "/customers", "/settings/users"} <= set(found.names())
    assert not {"/login", "/logout"} & set(found.names())
    assert f"{len(found.routes)} routes" in done.out
    assert "mazewave explore" in done.out
    again = target.with_name("again.md")
    route_map.save(again, found)
    assert again.read_text() == target.read_text()
    assert place.leftovers() == []
    assert not (place.folder / ".mazewave/broker").exists()


def test_a_list_becomes_a_map_that_is_read_back_the_same(place: Place) -> None:
    (place.folder / "list.txt").write_text("# mine\n/orders/\n/orders/1\n/orders/2\n/login\n")
    done = place.run("discover", "http://shop.test", "--from-list", "list.txt")
    assert done.code == ExitCode.OK, done
    found = route_map.load(place.folder / "ROUTE_MAP.md")
    assert found.names() == ("/orders", "/orders/1")
    assert {item.route for item in found.excluded} == {"/login", "/orders/{id}"}
    assert not (place.folder / ".mazewave").exists()


def test_without_a_map_the_routes_are_found_first(practice: App, place: Place) -> None:
    """The page that is begun at has no links; the map is one route."""
    start = f"{practice.url}/dropdown"
    done = place.run("explore", start, "-y", "-c", "1", "--depth", "1")
    assert done.code == ExitCode.OK, done
    assert "1 route found, 0 left out" in done.err
    assert "1 of 1 routes tested" in done.out
    assert route_map.load(place.folder / "ROUTE_MAP.md").names() == ("/dropdown",)
    assert place.leftovers() == []
