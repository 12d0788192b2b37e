"""The page at /docs: listing, searching, copying and trying calls."""

import json
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, body_of, settle

METHODS = ["get", "post", "put", "patch", "delete"]


def operations(server):
    paths = server.ask("GET", "/openapi.json")["paths"]
    return {item[method]["operationId"]: (method.upper(), path, item[method])
            for path, item in paths.items() for method in METHODS if method in item}


@pytest.fixture
def window(windows):
    return windows(viewport=DESKTOP)


@pytest.fixture
def page(window):
    return opened(window)


def opened(window, fragment=""):
    page = window.page
    page.goto(f"{window.address}/docs{fragment}")
    page.locator(".operation").first.wait_for()
    return page


def confirm_calls(page):
    """Answers yes when the page asks before it sends a call that changes something."""
    page.on("dialog", lambda dialog: dialog.accept())


def call(page, identifier):
    """Unfolds a call and returns its part of the page."""
    view = page.locator(f"#{identifier}")
    view.locator("summary").first.click()
    view.locator(".curl").wait_for()
    return view


def test_every_operation_is_listed_and_in_the_contents(page, server):
    known = operations(server)
    assert len(known) > 70
    shown = page.locator(".operation").evaluate_all(
        "all => all.map((one) => [one.id, one.querySelector('.method').textContent, one.querySelector('.path').textContent])")
    assert {identifier: (method, path) for identifier, method, path in shown} == {
        identifier: (method, path) for identifier, (method, path, _) in known.items()}
    links = page.locator("#index li a").evaluate_all("all => all.map((one) => one.getAttribute('href').slice(1))")
    assert sorted(links) == sorted(known)


def test_each_call_unfolds_with_a_command_and_a_form(page, server):
    page.evaluate("document.querySelectorAll('.operation').forEach((one) => (one.open = true))")
    expect(page.locator(".operation .curl")).to_have_count(len(operations(server)))
    lines = page.locator(".operation .curl").all_text_contents()
    assert all(line.startswith("curl -s") and f"'http://127.0.0.1:{server.port}/" in line for line in lines)
    # Bodies of several lines keep their line breaks inside the quotes.
    assert [line.rsplit("'", 2)[1] for line in lines if "\n" in line] == [
        f"{server.address}/v1/import", f"{server.address}/v1/lists/root/rows.csv"]


def test_a_search_narrows_what_is_shown(page, server):
    total = len(operations(server))
    find = page.get_by_role("searchbox")
    find.fill("photo reorder")
    expect(page.locator(".operation:visible")).to_have_count(1)
    expect(page.locator(".operation:visible .path")).to_have_text("/v1/items/{itemId}/photos/reorder")
    expect(page.get_by_role("status").first).to_have_text(f"1 of {total} calls")
    expect(page.locator("#index li:visible")).to_have_count(1)
    find.fill("nothing is called so")
    expect(page.locator(".operation:visible")).to_have_count(0)
    find.fill("")
    expect(page.locator(".operation:visible")).to_have_count(total)


@pytest.mark.usefixtures("chromium_only")
def test_the_copied_command_contains_the_whole_token(window, server):
    window.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.address)
    page = opened(window)
    page.get_by_role("textbox", name="Token", exact=True).fill("rh_secret")
    view = call(page, "moveRow")
    line = view.locator(".curl")
    # The page shows the token shortened, so that a person nearby cannot read it.
    expect(line).to_contain_text("Bearer rh_…")
    view.get_by_role("textbox", name="Body").fill('{\n  "from": 2,\n  "to": 0\n}')
    view.get_by_role("button", name="Copy").click()
    expect(view.get_by_text("Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "Bearer rh_secret" in copied
    assert """--data-binary '{"from":2,"to":0}'""" in copied
    assert copied.endswith(f"'{server.address}/v1/lists/root/move-row'")


def test_trying_a_call_sends_it(page, server):
    server.make_list("Kitchen")
    view = call(page, "rows")
    with page.expect_response(lambda answer: "/v1/lists/root/rows" in answer.url) as answered:
        view.get_by_role("button", name="Try it").click()
    assert answered.value.request.method == "GET"
    expect(view.locator(".result .good")).to_contain_text("200 OK")
    body = json.loads(view.locator(".result > pre").text_content())
    assert [row["title"] for row in body["rows"]] == ["Kitchen", "No more items!"]


def test_a_call_is_filled_in_with_existing_ids(page, server):
    confirm_calls(page)
    kitchen, (kettle,) = server.make_list("Kitchen", ["Kettle"])
    place = server.ask("POST", "/v1/navigators", {"name": "Phone"})["id"]
    server.ask("DELETE", f"/v1/rows/{server.make_thing(kitchen, 'Mixer')}")
    mixer = server.ask("GET", "/v1/trash")["trash"][0]["id"]
    for identifier, address in [
            ("item", f"/v1/items/{kettle}"), ("navigator", f"/v1/navigators/{place}"), ("place", f"/v1/rows/{kitchen}"),
            ("restore", f"/v1/trash/{mixer}/restore"), ("undo", "/v1/changes/5/undo")]:
        view = call(page, identifier)
        expect(view.locator(".curl")).to_contain_text(f"'{server.address}{address}'")
        view.get_by_role("button", name="Try it").click()
        expect(view.locator(".result .good")).to_contain_text("200")
    view = call(page, "moveRows")
    expect(view.get_by_role("textbox", name="Body")).to_have_value(re.compile(kitchen))
    view.get_by_role("button", name="Try it").click()
    expect(view.locator(".result .good")).to_contain_text("200")
    # A deletion is not filled in with existing ids.
    view = call(page, "deleteItem")
    expect(view.locator(".result")).to_be_empty()
    expect(view.locator(".curl")).not_to_contain_text(kettle)


def test_a_reorder_of_photos_is_filled_in_with_existing_ids(page, server):
    confirm_calls(page)
    _, (kettle,) = server.make_list("Kitchen", ["Kettle"])
    images = Path(__file__).parent.parent / "Support" / "Images"
    image = sorted(images.glob("*.jpg"))[0].read_bytes()
    photos = [server.ask("POST", f"/v1/items/{kettle}/photos", data=image, kind="image/jpeg")["id"] for _ in range(2)]
    view = call(page, "reorderPhotos")
    expect(view.get_by_role("textbox", name="Body")).to_have_value(re.compile(photos[1]))
    view.get_by_role("button", name="Try it").click()
    expect(view.locator(".result .good")).to_contain_text("200")
    assert server.ask("GET", f"/v1/items/{kettle}")["photos"] == photos[::-1]


def test_a_write_is_tried_too_and_a_problem_is_shown(window, server):
    window.expect_complaints("422")
    page = opened(window)
    view = call(page, "createList")
    view.get_by_role("textbox", name="Body").fill('{"title": "Workshop"}')
    view.get_by_role("button", name="Try it").click()
    expect(view.locator(".result .good")).to_contain_text("201")
    assert server.rows() == ["Workshop"]
    view.get_by_role("textbox", name="Body").fill("{}")
    view.get_by_role("button", name="Try it").click()
    expect(view.locator(".result .bad")).to_contain_text("422")
    expect(view.locator(".result > pre")).to_contain_text("/title")
    assert server.rows() == ["Workshop"]


def test_a_body_is_sent_and_an_answer_shown_digit_for_digit(page, server):
    confirm_calls(page)
    _, (kettle,) = server.make_list("Kitchen", ["Kettle"])
    view = call(page, "editItem")
    expect(view.locator(".curl")).to_contain_text(kettle)
    body = '{\n  "fields": {"code": 35693803564380912345, "price": 1.10, "text": "a,  b"}\n}'
    view.get_by_role("textbox", name="Body").fill(body)
    expect(view.locator(".curl")).to_contain_text(
        """'{"fields":{"code":35693803564380912345,"price":1.10,"text":"a,  b"}}'""")
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        view.get_by_role("button", name="Try it").click()
    assert body_of(sent.value) == body
    expect(view.locator(".result .good")).to_contain_text("200")
    answered = server.ask("GET", f"/v1/items/{kettle}")["fields"]
    expect(view.locator(".result > pre")).to_contain_text(f'"code": {answered["code"]}')


@pytest.mark.parametrize("isSure", [False, True], ids=["no", "yes"])
@pytest.mark.parametrize("identifier, sent, notes", [
    ("replaceItem", "PUT {address}/v1/items/{kettle}", None),
    ("editItem", "PATCH {address}/v1/items/{kettle}", "Changed"),
    ("undo", "POST {address}/v1/changes/2/undo", None)])
def test_a_call_that_changes_existing_things_asks_first(page, server, identifier, sent, notes, isSure):
    kettle = server.make_thing("root", "Kettle")
    server.ask("PATCH", f"/v1/items/{kettle}", {"notes": "Whistles"})
    sent = sent.format(address=server.address, kettle=kettle)
    view = call(page, identifier)
    expect(view.locator(".curl")).to_contain_text(sent.split(" ")[1])
    if identifier == "editItem":
        view.get_by_role("textbox", name="Body").fill('{"notes": "Changed"}')
    asked = []

    def answer(dialog):
        asked.append(dialog.message)
        if isSure:
            dialog.accept()
        else:
            dialog.dismiss()
    page.on("dialog", answer)
    view.get_by_role("button", name="Try it").click()
    assert len(asked) == 1 and sent in asked[0]
    if isSure:
        expect(view.locator(".result .good")).to_contain_text("200")
    else:
        expect(view.locator(".result")).to_be_empty()
    assert server.ask("GET", f"/v1/items/{kettle}")["notes"] == (notes if isSure else "Whistles")


CREATIONS = {"/v1/inventories", "/v1/lists", "/v1/lists/{listId}/items", "/v1/lists/{listId}/items/random",
             "/v1/items/{itemId}/photos", "/v1/navigators", "/v1/test/snapshot"}


def test_every_call_that_writes_asks_first_unless_it_only_creates_something(page, server):
    asking = {(method, path) for method, path, _ in operations(server).values()
              if method != "GET" and not (method == "POST" and path in CREATIONS)}
    asked = page.evaluate("""() => {
        window.fetch = () => new Promise(() => {});
        const asked = [];
        for (const view of document.querySelectorAll('.operation')) {
          view.open = true;
          view.dispatchEvent(new Event('toggle'));
          window.confirm = () => {
            asked.push([view.querySelector('.method').textContent, view.querySelector('.path').textContent]);
            return false;
          };
          view.querySelector('form.call').dispatchEvent(new Event('submit', { cancelable: true }));
        }
        return asked;
    }""")
    assert {tuple(one) for one in asked} == asking


def test_events_stream_until_they_are_stopped(page, server):
    view = call(page, "events")
    view.get_by_role("button", name="Try it").click()
    expect(view.locator(".result .good")).to_contain_text("200")
    server.make_list("Attic")
    expect(view.locator(".result > pre")).to_contain_text("Attic")
    view.get_by_role("button", name="Stop").click()
    expect(view.get_by_role("button", name="Try it")).to_be_enabled()


def test_an_address_with_a_fragment_opens_its_call(window):
    page = opened(window, "#undo")
    view = page.locator("#undo")
    expect(view).to_have_attribute("open", "")
    expect(view).to_be_in_viewport()
    expect(view.locator("summary").first).to_be_focused()
    # Also while a search is active.
    page.get_by_role("searchbox").fill("rows.csv")
    expect(view).to_be_hidden()
    page.evaluate("location.hash = '#moveRow'")
    expect(page.locator("#moveRow")).to_be_in_viewport()
    expect(page.get_by_role("searchbox")).to_have_value("")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_no_fault_and_nothing_is_wider_than_the_page(windows, scheme, size):
    page = opened(windows(viewport=size, color_scheme=scheme))
    for identifier in ["rows", "batch", "addPhoto", "createItem"]:
        call(page, identifier)
    page.locator("#rows").get_by_role("button", name="Try it").click()
    expect(page.locator("#rows .result .good")).to_be_visible()
    settle(page)
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"][:160] for node in one["nodes"]][:3]) for one in found] == []
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    page.evaluate("document.querySelectorAll('.operation').forEach((one) => (one.open = true))")
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
