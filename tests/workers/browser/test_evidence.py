"""Screenshots are packed harder without losing a pixel, and anything odd is left as it is."""

import asyncio
import struct
import zlib

import pytest

from workers.browser.evidence import packed, storing

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(pixels: bytes, *, width: int, height: int, level: int = 0, parts: int = 1) -> bytes:
    """A grey picture, its pixel data in so many chunks, compressed at a level."""
    rows = b"".join(b"\0" + pixels[y * width : (y + 1) * width] for y in range(height))
    data = zlib.compress(rows, level)
    size = -(-len(data) // parts)
    body = b"".join(chunk(b"IDAT", data[at : at + size]) for at in range(0, len(data), size))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        SIGNATURE
        + chunk(b"IHDR", header)
        + chunk(b"tEXt", b"Made\0here")
        + body
        + chunk(b"IEND", b"")
    )


def chunks(data: bytes) -> dict[bytes, bytes]:
    """Each kind of chunk with all its data; the checksums must be right."""
    found: dict[bytes, bytes] = {}
    at = len(SIGNATURE)
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        (check,) = struct.unpack(">I", data[at + 8 + size : at + 12 + size])
        assert check == zlib.crc32(kind + body)
        found[kind] = found.get(kind, b"") + body
        at += 12 + size
    return found


@pytest.mark.parametrize("parts", [1, 3])
def test_a_flat_picture_becomes_smaller_and_keeps_every_pixel(parts: int) -> None:
    before = png(bytes(200 * 100), width=200, height=100, parts=parts)

    after = packed(before)

    assert len(after) < len(before)
    assert zlib.decompress(chunks(after)[b"IDAT"]) == zlib.decompress(chunks(before)[b"IDAT"])


def test_what_is_not_pixels_is_kept() -> None:
    before = png(bytes(200 * 100), width=200, height=100)

    after = packed(before)

    kept = chunks(after)
    assert list(kept) == [b"IHDR", b"tEXt", b"IDAT", b"IEND"]
    assert kept[b"IHDR"] == chunks(before)[b"IHDR"]


def test_a_picture_that_is_packed_already_does_not_grow() -> None:
    before = png(bytes(range(256)) * 40, width=256, height=40, level=9)

    assert len(packed(before)) <= len(before)


@pytest.mark.parametrize(
    "odd",
    [
        b"",
        b"GIF89a",
        SIGNATURE,
        SIGNATURE + chunk(b"IDAT", b"not compressed") + chunk(b"IEND", b""),
        png(bytes(100), width=10, height=10)[:-20],
    ],
    ids=["nothing", "another format", "only a signature", "damaged", "cut off"],
)
def test_what_is_odd_is_stored_as_it_came(odd: bytes) -> None:
    assert packed(odd) == odd


def test_what_is_stored_is_the_packed_picture() -> None:
    shelf: list[bytes] = []
    picture = png(bytes(200 * 100), width=200, height=100)

    def put(data: bytes) -> str:
        shelf.append(data)
        return "digest"

    async def kept() -> str:
        return await storing(put)(picture)

    assert asyncio.run(kept()) == "digest"
    assert shelf == [packed(picture)]
