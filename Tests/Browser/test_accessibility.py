"""Each screen and sheet, light and dark and from right to left, as axe looks at it."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, bar, enter, row, settle, sheet

SCHEMES = ["light", "dark"]


def check(page, name):
    settle(page)
    found = Axe().run(page).response["violations"]
    told = [(one["id"], [node["html"][:160] for node in one["nodes"]][:3]) for one in found]
    assert told == [], f"{name}: {told}"


@pytest.mark.parametrize("locale", ["en-GB", "ar-EG"])
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_no_screen_has_anything_that_axe_finds_fault_with(windows, server, scheme, size, locale):
    kitchen, (kettle, _) = server.make_list("Kitchen", ["Kettle", "Mixer"])
    server.ask("PATCH", f"/v1/items/{kettle}", {
        "notes": "Whistles", "tags": ["tea"], "fields": {"Colour": "Red"}, "valueInDollars": 39.95})
    window = windows(color_scheme=scheme, viewport=size, locale=locale)
    # The menu offers to scan only where a browser may be able to.
    window.page.add_init_script("globalThis.BarcodeDetector ??= class { static getSupportedFormats = async () => [] }")
    page = window.open()
    check(page, "the first screen")
    enter(page, "Kitchen")
    bar(page, "edit").click()
    expect(bar(page, "done")).to_be_visible()
    check(page, "edit mode")
    row(page, "Kettle").locator("[data-control=remove]").click()
    sheet(page).locator("[data-answer=yes]").wait_for()
    check(page, "the question before removing")
    sheet(page).locator("[data-answer=yes]").click()
    page.locator(".toast button").wait_for()
    check(page, "the offer to undo")
    page.locator(".toast button").click()
    row(page, "Kettle").locator("[data-control=relocate]").click()
    sheet(page).locator("[data-action=cancel]").wait_for()
    check(page, "the move sheet")
    sheet(page).locator("[data-action=cancel]").click()
    bar(page, "add").click()
    sheet(page).locator("[data-action=save]").wait_for()
    check(page, "the add sheet")
    sheet(page).locator("[data-action=cancel]").click()
    bar(page, "done").click()
    page.locator(".screen:not([inert]) [data-action=order]").click()
    sheet(page).locator(".choices button").nth(3).click()
    sheet(page).locator(".segments").nth(1).wait_for()
    check(page, "the order sheet")
    sheet(page).locator("[data-action=close]").click()
    page.locator(".order-mark").wait_for()
    check(page, "another order")
    page.locator(".order-mark button").last.click()
    page.keyboard.press("n")
    page.keyboard.type("3 forks $12 #kitchen")
    page.locator(".new-part").nth(2).wait_for()
    check(page, "typing a new row")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("Space")
    sheet(page).locator("[data-action=close]").wait_for()
    check(page, "the details of a row")
    page.keyboard.press("Space")
    page.keyboard.press("Control+k")
    page.locator("[role=option]").first.wait_for()
    check(page, "the palette")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    for entry in ("details", "share", "transfer", "scan", "tags", "changes", "trash", "people", "inventories", "places",
                  "settings", "keys"):
        beside = page.locator(f".sidebar [data-entry={entry}]:visible")
        if beside.count():
            beside.click()
        else:
            page.locator(".screen:not([inert]) [data-action=menu]").click()
            sheet(page).locator(".choices").first.wait_for()
            check(page, "the menu")
            sheet(page).locator(f"[data-entry={entry}]").click()
        sheet(page).locator("[data-action=close], [data-action=cancel]").wait_for()
        check(page, entry)
        sheet(page).locator("[data-action=close], [data-action=cancel]").click()
    page.locator(".screen .search-field input").fill("kettle")
    page.locator(".screen .hits li a").wait_for()
    check(page, "what was found")
    page.locator(".screen .hits li a").click()
    bar(page, "photos").wait_for()
    check(page, "an item")
    bar(page, "edit").click()
    sheet(page).locator("[data-action=save]").wait_for()
    check(page, "the edit sheet")
    sheet(page).locator("[data-action=cancel]").click()
    bar(page, "photos").click()
    page.locator(".photo-screen").wait_for()
    check(page, "photos")


@pytest.mark.usefixtures("chromium_only")
@pytest.mark.parametrize("locale", ["en-GB", "ar-EG"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_nothing_about_sharing_and_labels_has_anything_that_axe_finds_fault_with(windows, server, scheme, locale):
    server.token = server.make_token("owner")
    kitchen, _ = server.make_list("Kitchen", ["Kettle"])
    window = windows(color_scheme=scheme, locale=locale)
    page = window.page
    page.goto(f"{server.address}/#invite={server.ask('POST', '/v1/invitations', {'role': 'owner'})['code']}")
    sheet(page).locator("[data-action=accept]").wait_for()
    check(page, "an invitation")
    sheet(page).locator("input").first.fill("Phone")
    sheet(page).locator("[data-action=accept]").click()
    enter(page, "Kitchen")
    page.locator(".screen:not([inert]) [data-action=menu]").click()
    sheet(page).locator(".choices").first.locator("button").nth(1).click()
    sheet(page).locator("[data-action=create]").wait_for()
    check(page, "the sheet for sharing")
    sheet(page).locator("[data-action=create]").click()
    sheet(page).locator(".qr-code").wait_for()
    check(page, "the link of an invitation")
    page.goto(f"{server.address}/labels?list={kitchen}")
    page.locator(".label").wait_for()
    check(page, "labels")


@pytest.mark.usefixtures("chromium_only")
def test_nothing_moves_for_who_wants_it_so(windows, server):
    server.make_list("Kitchen", ["Kettle"])
    page = windows(reduced_motion="reduce").open()
    page.evaluate("""() => {
      window.moved = [];
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, options) {
        if (JSON.stringify(frames).includes('transform')) window.moved.push(this.className);
        return animate.call(this, frames, options);
      };
    }""")
    enter(page, "Kitchen")
    bar(page, "back").click()
    expect(row(page, "Kitchen")).to_be_visible()
    assert page.evaluate("() => window.moved") == []
