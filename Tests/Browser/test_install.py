"""The installed app: it opens without a server, is updated by the next load, and keeps nothing after a sign-out."""

import http.client
import http.server
import json
import os
import re
import signal
import threading

import pytest
from playwright.sync_api import expect

from conftest import (
    DESKTOP, LAST, enter, expect_kept, expect_stored, expect_titles, heading, menu, sheet, sign_out, wait_until)
from rowhouse import Rowhouse

# In development, and in a browser that is driven so, there is no worker.
pytestmark = [pytest.mark.skipif("ROWHOUSE_PAGES" in os.environ, reason="pages in development have no worker"),
              pytest.mark.usefixtures("chromium_only")]

KEPT = """async () => {
  const kept = [];
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) kept.push(new URL(url).pathname);
  }
  return kept;
}"""


@pytest.fixture
def open_app(windows):
    """Opens a page that has a worker, and waits until it could do without a server."""

    def open_page(address, list_id=None, **options):
        window = windows(address, service_workers="allow", **options)
        window.expect_complaints(r"net::ERR_|NetworkError|Failed to fetch|50[234]")
        page = window.open()
        expect_ready(page, list_id)
        return page

    return open_page


def expect_ready(page, list_id=None):
    """Waits until the worker has the app, and the store the list, if one is given."""
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    if list_id:
        expect_stored(page, list_id)


def test_a_reload_without_a_server_shows_the_tree_of_lists(open_app, server, kitchen):
    drawer, _ = server.make_list("Drawer", ["Spoon"], parent=kitchen[0])
    page = open_app(server.address, drawer, viewport=DESKTOP)
    tree = page.locator(".tree .tree-title")
    expect(tree).to_have_text(["Inventory", "Kitchen"])
    server.stop()
    try:
        page.reload()
        expect(tree).to_have_text(["Inventory", "Kitchen"])
        page.locator(".tree .tree-row", has_text="Kitchen").locator(".tree-toggle").click()
        expect(tree).to_have_text(["Inventory", "Kitchen", "Drawer"])
    finally:
        server.start()


def test_a_reload_without_a_server_shows_the_place_and_keeps_changes(open_app, server, kitchen):
    kitchen, _ = kitchen
    page = open_app(server.address, kitchen)
    enter(page, "Kitchen")
    server.stop()
    try:
        page.reload()
        expect(heading(page)).to_have_text("Kitchen")
        expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
        expect(page.locator(".notice")).to_be_visible()
        expect(page.locator(".splash")).to_have_count(0)
        # What is not on the first screen has its texts, too.
        menu(page, "Settings")
        expect(sheet(page)).to_contain_text("Single-key shortcuts")
        page.keyboard.press("Escape")
        page.keyboard.press("n")
        page.locator(".new-row input[type=text]").fill("Spoon")
        page.keyboard.press("Enter")
        expect_titles(page, ["Kettle", "Mixer", "Toaster", "Spoon"])
        # Also the change is there after another reload.
        page.reload()
        expect_titles(page, ["Kettle", "Mixer", "Toaster", "Spoon", LAST])
        # A new window begins there too, and shows the other lists.
        other = page.context.new_page()
        other.goto(server.address)
        expect_titles(other, ["Kettle", "Mixer", "Toaster", "Spoon", LAST])
        other.close()
    finally:
        server.start()
    expect_kept(page, server, kitchen, ["Kettle", "Mixer", "Toaster", "Spoon"])
    expect(page.locator(".notice")).to_be_hidden(timeout=30_000)


def test_an_item_of_a_kept_list_is_shown_without_a_server(open_app, server, kitchen):
    kitchen, (kettle, *_) = kitchen
    page = open_app(server.address, kitchen)
    server.stop()
    try:
        page.goto(f"{server.address}/i/{kettle}")
        expect(heading(page)).to_have_text("Kettle")
        # A notice says so, and no message does.
        expect(page.locator(".notice")).to_be_visible()
        page.wait_for_timeout(500)
        expect(page.locator(".toast")).to_have_count(0)
        # A photo's screen needs the server. The page then begins with the first list.
        page.evaluate("kettle => sessionStorage.clear() ?? Object.keys(localStorage).filter((name) => name.startsWith('rowhouse.entry'))"
                      ".forEach((name) => localStorage.setItem(name, JSON.stringify({ screen: { itemId: kettle, photo: 0 } })))", kettle)
        page.goto(server.address)
        expect_titles(page, ["Kitchen", LAST])
        # At its own address, the page says so and leads to what is kept.
        page.goto(f"{server.address}/i/{kettle}/photos/1")
        expect(heading(page)).to_have_text("Not on this device")
        page.locator(".problem-screen").get_by_role("link", name="Inventory").click()
        expect_titles(page, ["Kitchen", LAST])
        page.go_back()
        page.reload()
        expect(heading(page)).to_have_text("Not on this device")
    finally:
        server.start()
    # Once the server is there, so is the screen.
    expect(page.locator(".photo-screen")).to_be_visible(timeout=30_000)
    expect(heading(page)).to_have_text("Kettle")


def test_a_server_that_does_not_answer_counts_as_none(open_app, server, kitchen):
    page = open_app(server.address, kitchen[0])
    server.process.send_signal(signal.SIGSTOP)
    try:
        page.reload(timeout=20_000)
        expect_titles(page, ["Kitchen", LAST])
    finally:
        server.process.send_signal(signal.SIGCONT)
    server.make_list("Cellar", [])
    expect_titles(page, ["Kitchen", "Cellar", LAST])


def test_it_opens_without_a_server_below_a_base_path(open_app):
    server = Rowhouse("--base-path", "/rowhouse")
    try:
        kitchen, _ = server.make_list("Kitchen", ["Kettle"])
        page = open_app(f"{server.address}/rowhouse/", kitchen)
        assert page.evaluate("async () => (await navigator.serviceWorker.ready).scope") == f"{server.address}/rowhouse/"
        assert all(path.startswith("/rowhouse/") for path in page.evaluate(KEPT))
        server.stop()
        page.reload()
        expect_titles(page, ["Kitchen", LAST])
        server.start()
    finally:
        server.close()


class Proxy:
    """A proxy before the server. After `update`, the files of the app have other addresses, as those of a new version."""

    def __init__(self, server):
        proxy = self
        self.change = lambda text: text
        self.is_down = False

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if proxy.is_down:
                    return self.send_error(502)
                back = self.path.replace("/app-new", "/app-")
                if "/v1/events" in back:
                    return self.send_error(503)
                connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
                length = int(self.headers.get("Content-Length") or 0)
                fields = {name: value for name, value in self.headers.items() if name != "Accept-Encoding"}
                connection.request(self.command, back, self.rfile.read(length), fields)
                answer = connection.getresponse()
                body = answer.read()
                if re.search("html|javascript", answer.headers.get("Content-Type") or ""):
                    body = proxy.change(body.decode()).encode()
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    if name not in ("Content-Length", "Transfer-Encoding", "ETag", "Date"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_PATCH = do_PUT = do_GET

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.http.server_port}"

    def update(self):
        self.change = lambda text: re.sub(r"\bapp-(?=[0-9a-f]{8})", "app-new", text).replace("Rowhouse</title>", "New</title>")

    def close(self):
        self.http.shutdown()
        self.http.server_close()


@pytest.fixture
def proxy(server):
    proxy = Proxy(server)
    yield proxy
    proxy.close()


def test_the_next_load_has_the_new_version(open_app, server, kitchen, proxy):
    page = open_app(proxy.address)
    assert not any("/app-new" in path for path in page.evaluate(KEPT))
    proxy.update()
    page.reload()
    expect_titles(page, ["Kitchen", LAST])
    assert "/app-new" in page.locator("script[type=module]").get_attribute("src")
    # The worker of the new version keeps its files, and those only.
    wait_until(page, f"async () => {{ const kept = await ({KEPT})(); return kept.some((path) => path.startsWith('/app-new'))"
                     " && kept.every((path) => !/^\\/app-[0-9a-f]{8}/.test(path)); }")
    # A proxy that answers by itself counts as no server.
    proxy.is_down = True
    page.reload()
    expect_titles(page, ["Kitchen", LAST])
    assert "/app-new" in page.locator("script[type=module]").get_attribute("src")


def test_nothing_is_kept_after_a_sign_out(open_app, windows, server):
    server.token = server.make_token()
    kitchen, _ = server.make_list("Kitchen", ["Kettle"])
    window = windows(service_workers="allow")
    window.expect_complaints(r"401|net::ERR_|Failed to fetch")
    page = window.page
    # The browser's cache keeps no answer, and so no token beside one.
    page.add_init_script("""
      const own = fetch;
      globalThis.caching = [];
      globalThis.fetch = (address, options = {}) => {
        if (String(address).includes('/v1/')) caching.push(options.cache);
        return own(address, options);
      };
    """)
    page.goto(window.address)
    sheet(page).get_by_label("Token").fill(server.token)
    sheet(page).get_by_role("button", name="Sign in").click()
    expect_titles(page, ["Kitchen", LAST])
    expect_ready(page, kitchen)
    stored = "() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"
    assert "Kitchen" in page.evaluate(stored)
    # The worker's cache has no answers of the API, and nothing has the token but the one entry.
    assert not any("/v1/" in path for path in page.evaluate(KEPT))
    assert page.evaluate(stored).count(server.token) == 1
    page.reload()
    expect_titles(page, ["Kitchen", LAST])
    assert set(page.evaluate("caching")) == {"no-store"}
    page.evaluate("caches.open('rowhouse-photos')")
    sign_out(page)
    expect(sheet(page)).to_contain_text("Sign in")
    assert "Kitchen" not in page.evaluate(stored)
    assert "rowhouse-photos" not in page.evaluate("caches.keys()")
    server.stop()
    try:
        page.reload()
        expect(page.locator(".notice")).to_be_visible()
        assert "Kitchen" not in page.content()
    finally:
        server.start()


def test_the_manifest_and_its_icons_are_there(server, windows):
    page = windows().open()
    manifest = server.ask("GET", "/manifest.webmanifest")
    assert manifest["display"] == "standalone"
    assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])
    sizes = page.evaluate("""async (names) => {
      const found = {};
      for (const name of names) {
        const { width, height } = await createImageBitmap(await (await fetch(`/${name}`)).blob());
        found[name] = `${width}x${height}`;
      }
      return found;
    }""", [icon["src"] for icon in manifest["icons"] if icon["type"] == "image/png"] + ["icon-180.png"])
    for icon in manifest["icons"]:
        assert sizes.get(icon["src"], icon["sizes"]) == icon["sizes"]
    assert sizes["icon-180.png"] == "180x180"


def test_a_file_that_could_not_be_fetched_is_fetched_again(windows, server, kitchen):
    window = windows()
    window.expect_complaints("net::ERR_FAILED")
    window.page.route("**/later.js", lambda route: route.abort())
    page = window.open()
    expect_titles(page, ["Kitchen", LAST])
    page.locator("[data-action=menu]").click()
    expect(page.locator(".toast")).to_contain_text("can’t be reached")
    page.unroute("**/later.js")
    menu(page, "Settings")
    expect(sheet(page).locator("h2")).to_have_text("Settings")


def test_the_bundle_hides_no_name_of_the_browser(server, windows):
    page = windows().open()
    script = page.locator("script[type=module]").get_attribute("src")
    names = []
    for address in [script, script.replace("app.js", "later.js")]:
        text = page.request.get(server.address + address).text()
        names += re.search(r"^export \{ (.*) \};$", text, re.MULTILINE).group(1).split(", ")
    assert len(names) > 100
    # Every module of the bundle would see it in place of the browser's.
    assert page.evaluate("(names) => names.filter((name) => name in window)", names) == []
