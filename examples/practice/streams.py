"""Connections that stay open: server-sent events, a WebSocket, a long poll.

Each beats once a second, so that a browser that left is noticed, and ends with the server. The
WebSocket is the handshake of RFC 6455 and frames from the server; what the client sends is not
read.
"""

from __future__ import annotations

import base64
import hashlib
import threading
from functools import partial
from io import BufferedIOBase

from examples.kit.messages import Request, Response, plain
from examples.kit.routes import Routes

_POLL_S = 30.0
_BEAT_S = 1.0
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_HELLO = b"\x81\x05hello"
_PING = b"\x89\x00"


def add_streams(routes: Routes, closing: threading.Event) -> None:
    """The three endpoints of the page `open-connections`."""
    routes.add("GET", "/open-connections/events", partial(_events, closing))
    routes.add("GET", "/open-connections/socket", partial(_socket, closing))
    routes.add("GET", "/open-connections/poll", partial(_poll, closing))


def _events(closing: threading.Event, request: Request) -> Response:
    beat = partial(_beat, closing, b"data: hello\n\n", b": still here\n\n")
    kind = ("Content-Type", "text/event-stream")
    return Response(headers=(kind, ("Connection", "close")), stream=beat)


def _socket(closing: threading.Event, request: Request) -> Response:
    key = request.headers.get("sec-websocket-key", "").encode()
    if not key:
        return plain("A WebSocket lives here\n", 426)
    digest = hashlib.sha1(key + _GUID, usedforsecurity=False).digest()
    headers = (
        ("Upgrade", "websocket"),
        ("Connection", "Upgrade"),
        ("Sec-WebSocket-Accept", base64.b64encode(digest).decode()),
    )
    return Response(status=101, headers=headers, stream=partial(_beat, closing, _HELLO, _PING))


def _poll(closing: threading.Event, request: Request) -> Response:
    closing.wait(_POLL_S)
    return plain("Nothing new\n")


def _beat(closing: threading.Event, first: bytes, again: bytes, out: BufferedIOBase) -> None:
    out.write(first)
    out.flush()
    while not closing.wait(_BEAT_S):
        out.write(again)
        out.flush()
