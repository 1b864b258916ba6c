"""What the tests of the coordinator share: an app that answers."""

import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer

import pytest

from tests.support.fake_explore import Page


@pytest.fixture
def app() -> Iterator[str]:
    """The address of a server that says hello."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()
