"""The store of the JavaScript client that works without a network, in pages with IndexedDB."""

import functools
import http.server
import json
import os
import threading
import time

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, wait_until
from rowhouse import Rowhouse

PAGE = "<!DOCTYPE html><title>Offline</title><link rel=icon href=data:,><script type=module>{}</script>"

# Opens the store, and shows the titles of a list and the state of the queue.
SCRIPT = """
import {{ OfflineStore }} from './client/offline.js';
import {{ Rowhouse }} from './client/rowhouse.js';
if ({without_locks}) Object.defineProperty(navigator, 'locks', {{ value: undefined }});
const list = {list};
const store = await OfflineStore.open(new Rowhouse(), {{ retries: {{ firstDelay: 20, longestDelay: 200 }} }});
window.store = store;
window.titles = () => (store.rows(list) ?? []).map((row) => row.title).slice(0, -1);
window.updates = 0;
store.subscribe(({{ lists }}) => (window.updates += lists.size));
window.titles();
store.start();
if ({keeps}) await store.keep(list);
window.titles();
window.isReady = true;
"""


@pytest.fixture
def window(windows):
    window = windows(viewport=DESKTOP, service_workers="allow")
    window.expect_complaints(r"net::ERR_|NetworkError|Same Origin Policy")
    return window


@pytest.fixture
def serve(window, server):
    """Answers requests for the modules, as a browser's cache does after an earlier visit."""
    pages = os.environ.get("ROWHOUSE_PAGES")
    modules = {}
    for name in ["client/rowhouse.js", "client/offline.js", "client/renditions.js", "client/storage.js", "client/view.js"]:
        if pages:
            with open(os.path.join(pages, name), encoding="utf-8") as file:
                modules[name] = file.read()
        else:
            modules[name] = window.page.request.get(f"{server.address}/{name}").text()

    def answer(route):
        route.fulfill(body=modules[route.request.url.split("/", 3)[3]], content_type="text/javascript",
                      headers={"Access-Control-Allow-Origin": "*"})

    return answer


@pytest.fixture
def app(window, serve, server):
    """Opens pages with a store."""

    def open_page(kitchen, keeps=True, without_locks=False, at=server):
        page = window.context.new_page()
        page.on("pageerror", lambda error: window.complaints.append(str(error)))
        script = SCRIPT.format(
            list=json.dumps(kitchen), keeps=json.dumps(keeps), without_locks=json.dumps(without_locks))
        body = PAGE.format(script)
        page.route(f"{at.address}/app", lambda route: route.fulfill(body=body, content_type="text/html"))
        page.route(f"{at.address}/client/*", serve)
        page.goto(f"{at.address}/app")
        page.wait_for_function("() => window.isReady")
        return page

    return open_page


def titles(page):
    return page.evaluate("() => window.titles()")


def expect_titles(page, wanted):
    page.wait_for_function(
        "(wanted) => JSON.stringify(window.titles()) === JSON.stringify(wanted)", arg=wanted, timeout=10_000)


def expect_sent(page):
    page.wait_for_function("() => window.store.status.waiting.length === 0", timeout=30_000)


def test_a_thousand_changes_survive_the_page_and_go_through_once(app, server, record_property):
    kitchen, (kettle, mixer, toaster) = server.make_list("Kitchen", ["Kettle", "Mixer", "Toaster"])
    first = app(kitchen)
    expect_titles(first, ["Kettle", "Mixer", "Toaster"])
    # The base is stored soon after it was read.
    first.wait_for_timeout(1000)
    server.stop()
    first.wait_for_function("() => window.store.status.connection === 'offline'")
    first.evaluate(
        """async ([kitchen, kettle]) => {
          const given = [];
          for (let number = 0; number < 500; number += 1) {
            const made = window.store.createItem(kitchen, { name: `Thing ${number}` }, { at: 0 });
            given.push(made, window.store.move(kettle, kitchen, number % 3));
          }
          await Promise.all(given);
        }""", [kitchen, kettle])
    wanted = titles(first)
    assert len(wanted) == 503
    first.close()

    second = app(kitchen, keeps=False)
    assert titles(second) == wanted
    assert second.evaluate("() => window.store.status.waiting.length") == 1000
    second.wait_for_function("() => window.store.status.connection === 'offline'")
    updates = second.evaluate("() => window.updates")
    server.start()
    began = time.monotonic()
    second.evaluate("() => window.store.retryNow()")
    for index in range(5):
        server.ask("POST", f"/v1/rows/{toaster}/move", {"position": "first" if index % 2 else "last"})
    expect_sent(second)
    seconds = time.monotonic() - began
    record_property("seconds", seconds)
    print(f"\n1,000 commands in {seconds:.2f} s")
    for number in range(5):
        server.ask("PATCH", f"/v1/items/{mixer}", {"name": f"Blender {number}"})
    second.wait_for_function("() => window.titles().includes('Blender 4')")
    rows = server.rows(kitchen)
    expect_titles(second, rows)
    assert sorted(rows) == sorted(["Kettle", "Toaster", "Blender 4", *(f"Thing {number}" for number in range(500))])
    # Rows do not jump: only the moves and edits of the others were seen.
    assert second.evaluate("() => window.updates") - updates <= 10
    assert second.evaluate("() => [window.store.refused.length, window.store.status.waiting.length]") == [0, 0]


@pytest.mark.parametrize("without_locks", [False, True], ids=["locks", "lease"])
def test_two_pages_share_a_store(app, server, without_locks):
    kitchen, _ = server.make_list("Kitchen", ["Kettle"])
    first = app(kitchen, without_locks=without_locks)
    second = app(kitchen, without_locks=without_locks)
    expect_titles(second, ["Kettle"])
    second.evaluate("(kitchen) => window.store.createItem(kitchen, { name: 'Mixer' })", kitchen)
    first.evaluate("(kitchen) => window.store.createItem(kitchen, { name: 'Toaster' })", kitchen)
    for page in [first, second]:
        page.wait_for_function("() => window.titles().length === 3")
        expect_sent(page)
    expect_titles(first, server.rows(kitchen))
    expect_titles(second, server.rows(kitchen))
    second.wait_for_function("() => window.store.status.connection === 'online'")
    # The page that sends is closed, and the other one takes over.
    server.stop()
    second.evaluate("(kitchen) => window.store.createItem(kitchen, { name: 'Grill' }, { at: 0 })", kitchen)
    expect_titles(first, ["Grill", *titles(first)[-3:]])
    first.close()
    server.start()
    expect_sent(second)
    assert server.rows(kitchen)[0] == "Grill"
    assert len(server.rows(kitchen)) == 4
    expect_titles(second, server.rows(kitchen))


def test_signing_out_erases_the_database(app, server):
    kitchen, _ = server.make_list("Kitchen", ["Kettle"])
    first, second = app(kitchen), app(kitchen)
    first.evaluate("() => window.store.signOut()")
    second.wait_for_function("() => window.titles().length === 0")
    refusal = second.evaluate(
        "(kitchen) => window.store.createItem(kitchen, { name: 'x' }).catch((error) => error.code)", kitchen)
    assert refusal == "erased"
    wait_until(second, "async () => (await indexedDB.databases()).length === 0")


def test_photos_wait_in_the_database(app, server):
    kitchen, (kettle,) = server.make_list("Kitchen", ["Kettle"])
    first = app(kitchen)
    first.wait_for_timeout(1000)
    server.stop()
    photo = first.evaluate(
        """async (kettle) => {
          const canvas = new OffscreenCanvas(40, 30);
          canvas.getContext('2d').fillRect(0, 0, 20, 20);
          const entry = await window.store.addPhoto(kettle, await canvas.convertToBlob());
          return entry.command.id;
        }""", kettle)
    first.close()
    second = app(kitchen, keeps=False)
    assert second.evaluate("async (id) => (await window.store.photo(id)).type", photo) == "image/png"
    server.start()
    expect_sent(second)
    assert server.ask("GET", f"/v1/items/{kettle}")["photos"] == [photo]


def test_a_long_list_is_there_at_once_without_a_network(app):
    long = Rowhouse(seed=["--rows", "10000"])
    try:
        hall = long.ask("GET", "/v1/lists")["lists"][0]["id"]
        first = app(hall, at=long)
        first.wait_for_function("() => window.titles().length === 10000")
        first.wait_for_timeout(1500)
        first.close()
        second = app(hall, at=long, keeps=False)
        long.stop()
        milliseconds, rows = second.evaluate(
            """async (hall) => {
              const { OfflineStore } = await import('./client/offline.js');
              const { Rowhouse } = await import('./client/rowhouse.js');
              const begin = performance.now();
              const store = await OfflineStore.open(new Rowhouse());
              return [store.rows(hall).length, performance.now() - begin].reverse();
            }""", hall)
        print(f"\n10,000 rows in {milliseconds:.0f} ms")
        assert rows == 10_001
        long.start()
    finally:
        long.close()


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves the example's folder without a log."""

    def log_message(self, *_):
        pass


def test_the_example_works_while_the_server_is_stopped(window, serve):
    folder = os.path.join(os.path.dirname(__file__), "../../scripts/examples/offline")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder)) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{site.server_port}"
        own = Rowhouse("--cors-origin", origin)
        try:
            own.make_list("Kitchen", ["Kettle"])
            window.context.route(f"{own.address}/client/*", serve)
            page = window.page
            page.goto(f"{origin}/?server={own.address}")
            status = page.get_by_role("status")
            expect(status).to_have_text("Online. No changes to send.")
            page.get_by_role("button", name="Open Kitchen").click()
            expect(page.get_by_label("Name")).to_have_value("Kettle")
            page.get_by_role("button", name="Up to the list above").click()
            expect(page.get_by_role("heading", level=1)).to_have_text("Inventory")
            own.stop()
            expect(status).to_have_text("Offline. No changes to send.")
            page.get_by_label("New item").fill("Cellar")
            page.get_by_role("button", name="Add list").click()
            page.get_by_role("button", name="Open Cellar").click()
            page.get_by_label("New item").fill("Jam")
            page.get_by_role("button", name="Add", exact=True).click()
            page.get_by_role("button", name="Up to the list above").click()
            page.get_by_role("button", name="Open Kitchen").click()
            page.get_by_role("button", name="Delete Kettle").click()
            expect(status).to_have_text("Offline. 3 changes to send.")
            page.get_by_role("button", name="Undo: Delete Kettle").click()
            expect(page.get_by_label("Name")).to_have_value("Kettle")
            # The page opens again without a network.
            page.wait_for_function("() => navigator.serviceWorker.controller && caches.match(location.href)")
            window.context.unroute(f"{own.address}/client/*")
            page.reload()
            expect(page.get_by_role("button", name="Open Cellar")).to_have_text("Cellar (1)")
            expect(status).to_have_text("Offline. 2 changes to send.")
            own.start()
            expect(status).to_have_text("Online. No changes to send.", timeout=20_000)
            assert own.rows() == ["Cellar", "Kitchen"]
        finally:
            own.close()
            site.shutdown()
