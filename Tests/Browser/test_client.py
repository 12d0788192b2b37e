"""The JavaScript client that the server serves, in a page."""

import re
import time

from conftest import DESKTOP


def test_a_page_mirrors_a_list_while_its_rows_move(windows, server):
    kitchen, (kettle, mixer, toaster) = server.make_list("Kitchen", ["Kettle", "Mixer", "Toaster"])
    window = windows(viewport=DESKTOP)
    page = window.page
    page.goto(f"{server.address}/docs")
    page.evaluate(
        """async (list) => {
          const { ListMirror, Rowhouse } = await import('/client/rowhouse.js');
          const mirror = new ListMirror(new Rowhouse(), list);
          window.shown = [];
          window.updates = [];
          mirror.subscribe(({ type, rows, deletes, inserts, moves, reloads }) => {
            window.shown = rows.map((row) => row.title);
            window.updates.push({ type, deletes, inserts, moves, reloads });
          });
          await mirror.start();
        }""", kitchen)

    def expect_shown(*titles):
        page.wait_for_function("(titles) => JSON.stringify(window.shown) === JSON.stringify(titles)",
                               arg=[*titles, "No more items!"], timeout=10_000)

    expect_shown("Kettle", "Mixer", "Toaster")
    server.ask("POST", f"/v1/lists/{kitchen}/move-row", {"from": 2, "to": 0})
    expect_shown("Toaster", "Kettle", "Mixer")
    server.ask("POST", f"/v1/lists/{kitchen}/move-row", {"from": 0, "to": 1})
    expect_shown("Kettle", "Toaster", "Mixer")
    server.ask("PATCH", f"/v1/items/{mixer}", {"name": "Blender"})
    expect_shown("Kettle", "Toaster", "Blender")
    server.ask("DELETE", f"/v1/rows/{kettle}")
    expect_shown("Toaster", "Blender")
    nothing = {"type": "batch", "deletes": [], "inserts": [], "moves": [], "reloads": []}
    assert page.evaluate("() => window.updates.slice(1)") == [
        {**nothing, "moves": [{"from": 2, "to": 0}]}, {**nothing, "moves": [{"from": 0, "to": 1}]},
        {**nothing, "reloads": [2]}, {**nothing, "deletes": [0]}]
    # A server that is gone for a moment is a broken connection for the browser's console.
    window.expect_complaints(r"net::ERR_|NetworkError")
    server.stop()
    server.start()
    server.make_thing(kitchen, "Grill", position="first")
    expect_shown("Grill", "Toaster", "Blender")


def test_the_example_of_the_documentation_works_as_written(windows, server):
    window = windows(viewport=DESKTOP)
    page = window.page
    page.goto(f"{server.address}/docs")
    section = page.locator("section", has=page.get_by_role("heading", name="JavaScript client"))
    written = []
    page.on("console", lambda message: written.append(message.text))
    example = section.get_by_label("Example", exact=True).text_content()
    assert server.address in example
    page.evaluate(f"async () => {{ {example}\n }}")
    deadline = time.monotonic() + 10
    while len(written) < 2 and time.monotonic() < deadline:
        page.wait_for_timeout(20)
    assert written == ["all [Bicycle, No more items!]", "batch [Saab 900, Bicycle, No more items!]"]


def test_the_example_without_a_network_works_as_written(windows, server):
    window = windows(viewport=DESKTOP)
    # The list changes while it is read, and the client goes on from there.
    window.expect_complaints("409")
    page = window.page
    page.goto(f"{server.address}/docs")
    written = []
    page.on("console", lambda message: written.append(message.text))
    example = page.get_by_label("Example without a network").text_content()
    page.evaluate(f"async () => {{ {example}\n window.store = store; }}")
    page.wait_for_function("() => window.store.status.waiting.length === 0")
    assert "[Torch, No more items!]" in written
    assert server.rows() == ["Rucksack"]
    page.evaluate("() => window.store.signOut()")


def test_the_types_come_with_the_module(windows, server):
    window = windows()
    answer = window.page.request.get(f"{server.address}/client/rowhouse.d.ts")
    assert answer.headers["content-type"] == "application/typescript; charset=utf-8"
    assert re.search(r"^export class ListMirror", answer.text(), re.MULTILINE)
