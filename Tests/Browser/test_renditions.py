"""Renditions of photos: made and sent with a photo, made up for by a viewer, and read instead of the photo."""

import random
import struct
import urllib.request
import zlib

import pytest
from playwright.sync_api import expect

from conftest import enter, row

WIDTH, HEIGHT = 1000, 700


def noise(seed):
    """A picture that no program can make small: about two million bytes."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    lines = random.Random(seed)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + lines.randbytes(3 * WIDTH) for _ in range(HEIGHT)), 0))
            + chunk(b"IEND", b""))


def sizes(server, item, photo):
    """The tag's end and the number of bytes for each size that is asked for."""
    found = {}
    for size in (96, 208, 1280):
        request = urllib.request.Request(f"{server.address}/v1/items/{item}/photos/{photo}?size={size}")
        if server.token:
            request.add_header("Authorization", f"Bearer {server.token}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            found[size] = (answer.headers["ETag"].strip('"').partition("-")[2], len(answer.read()))
    return found


def has_all(server, item, photo):
    found = sizes(server, item, photo)
    return (all(end == str(size) for size, (end, _) in found.items())
            and found[96][1] <= 16 << 10 and found[208][1] <= 64 << 10 and found[1280][1] <= 512 << 10)


def until(page, condition):
    for _ in range(200):
        if condition():
            return
        page.wait_for_timeout(50)
    raise AssertionError("not reached")


class Received:
    """The bytes of photos that a window receives from the network."""

    def __init__(self, window):
        self.answers = []
        window.page.on("response", lambda answer: "/photos/" in answer.url and self.answers.append(answer))

    def bytes(self):
        return sum(int(answer.headers["content-length"]) for answer in self.answers if answer.request.method == "GET")


def test_a_photo_is_sent_with_renditions_and_read_small(page, windows, server, kitchen, tmp_path):
    kettle = kitchen[1][0]
    (tmp_path / "large.png").write_bytes(noise(1))
    enter(page, "Kettle")
    page.get_by_label("Add photo").set_input_files(str(tmp_path / "large.png"))
    expect(page.locator(".photo img")).to_have_count(1)
    photo = server.ask("GET", f"/v1/items/{kettle}")["photos"][0]
    until(page, lambda: has_all(server, kettle, photo))
    other = windows()
    received = Received(other)
    enter(other.open(), "Kitchen")
    expect(row(other.page, "Kettle").locator("img")).to_have_js_property("naturalHeight", 208)
    assert received.bytes() <= 64 << 10
    enter(other.page, "Kettle")
    other.page.get_by_role("link", name="Photo 1 of 1").click()
    expect(other.page.locator(".photo-page img")).to_have_js_property("naturalHeight", HEIGHT)
    assert received.bytes() <= 576 << 10


def test_a_photo_stays_if_its_renditions_are_lost(page, window, server, kitchen, tmp_path):
    window.expect_complaints("ERR_FAILED|503")
    tried = []
    page.route("**/renditions/*", lambda route: (tried.append(route.request.url), route.abort())[1])
    (tmp_path / "large.png").write_bytes(noise(2))
    enter(page, "Kettle")
    page.get_by_label("Add photo").set_input_files(str(tmp_path / "large.png"))
    expect(page.locator(".photo img")).to_have_count(1)
    until(page, lambda: tried)
    assert len(server.ask("GET", f"/v1/items/{kitchen[1][0]}")["photos"]) == 1
    expect(page.locator(".photo img")).to_have_js_property("naturalHeight", 208)


@pytest.mark.parametrize("role", ["editor", "reader"])
def test_a_photo_without_renditions_is_shown_and_an_editor_makes_them(windows, server, kitchen, role):
    kettle, mixer, toaster = kitchen[1]
    photos = {item: server.ask("POST", f"/v1/items/{item}/photos", data=noise(item), kind="image/png")["id"]
              for item in (kettle, mixer, toaster)}
    token = server.make_token(role)
    server.token = server.make_token("owner")
    window = windows()
    window.keep_token(token)
    enter(window.open(), "Kitchen")
    for name in ("Kettle", "Mixer", "Toaster"):
        expect(row(window.page, name).locator("img")).to_have_js_property("naturalHeight", 208)
    if role == "reader":
        enter(window.page, "Kettle")
        window.page.get_by_role("link", name="Photo 1 of 1").click()
        expect(window.page.locator(".photo-page img")).to_have_js_property("naturalHeight", HEIGHT)
        assert sizes(server, kettle, photos[kettle])[208][0] == ""
        assert not [url for method, url in window.requests if method == "PUT" and "/renditions/" in url]
        return
    for item, photo in photos.items():
        until(window.page, lambda: has_all(server, item, photo))
    window.page.reload()
    received = Received(window)
    for name in ("Kettle", "Mixer", "Toaster"):
        expect(row(window.page, name).locator("img")).to_have_js_property("naturalHeight", 208)
    assert received.bytes() <= 3 * 64 << 10
