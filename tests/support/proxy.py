"""A TCP proxy that loses replies: the request arrives, the answer never comes back.

Invariant: it loses exactly the reply to the first request that matches, and cuts that connection.
"""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress


class LossyProxy:
    """Stands before `port` on the loopback interface; `arm` says which reply is lost next."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._matches: Callable[[bytes], bool] | None = None
        self._arming = threading.Lock()
        self.lost = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def arm(self, matches: Callable[[bytes], bool]) -> None:
        self._matches = matches

    def close(self) -> None:
        for link in [self._listener, *self._open]:
            with suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)
            link.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._target))
                self._open += [near, far]
                doomed = threading.Event()
                for pump in (self._requests, self._replies):
                    threading.Thread(target=pump, args=(near, far, doomed), daemon=True).start()

    def _requests(self, near: socket.socket, far: socket.socket, doomed: threading.Event) -> None:
        with suppress(OSError):
            while data := near.recv(65536):
                if self._takes(data):
                    doomed.set()
                far.sendall(data)
        self._cut(near, far)

    def _replies(self, near: socket.socket, far: socket.socket, doomed: threading.Event) -> None:
        with suppress(OSError):
            while data := far.recv(65536):
                if doomed.is_set():
                    self.lost.set()
                    break
                near.sendall(data)
        self._cut(near, far)

    def _takes(self, data: bytes) -> bool:
        with self._arming:
            if self._matches is None or not self._matches(data):
                return False
            self._matches = None
            return True

    @staticmethod
    def _cut(*links: socket.socket) -> None:
        for link in links:
            with suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)
