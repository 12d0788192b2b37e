"""Zooming into a photo, and the bars over it."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, enter
from test_renditions import HEIGHT, noise, until


def scale(page, index=0):
    return page.locator(".photo-page img").nth(index).evaluate(
        "(image) => Math.round(100 * image.getBoundingClientRect().width / image.offsetWidth) / 100")


def reset(page):
    return page.get_by_role("button", name="Reset zoom")


@pytest.fixture
def photos(server, kitchen):
    path = f"/v1/items/{kitchen[1][0]}/photos"
    return [server.ask("POST", path, data=noise(seed), kind="image/png")["id"] for seed in (1, 2)]


def shown(window):
    page = window.open()
    enter(page, "Kitchen")
    enter(page, "Kettle")
    page.get_by_role("link", name="Photo 1 of 2").click()
    expect(page.locator(".photo-page img").first).to_have_js_property("naturalHeight", HEIGHT)
    expect(page.locator(".screen")).to_have_count(1)
    return page


def double_click(photo):
    """In Firefox, two clicks by Playwright are no double click."""
    if photo.page.context.browser.browser_type.name == "firefox":
        box = photo.bounding_box()
        place = {"clientX": box["x"] + box["width"] / 2, "clientY": box["y"] + box["height"] / 2}
        photo.dispatch_event("dblclick", place)
    else:
        photo.dblclick()


def test_the_wheel_keys_and_double_clicks_zoom_until_a_reset(windows, photos):
    page = shown(windows(viewport=DESKTOP))
    photo = page.locator(".photo-page img").first
    expect(reset(page)).to_be_disabled()
    photo.hover()
    page.mouse.wheel(0, -500)
    until(page, lambda: 2 < scale(page) < 4)
    expect(reset(page)).to_be_enabled()
    reset(page).click()
    until(page, lambda: scale(page) == 1)
    expect(reset(page)).to_be_disabled()
    double_click(photo)
    until(page, lambda: scale(page) == 2.5)
    # A drag moves the photo as far as its edge, and is no tap.
    left = photo.bounding_box()["x"]
    photo.hover()
    page.mouse.down()
    page.mouse.move(1200, 400, steps=4)
    page.mouse.up()
    assert photo.bounding_box()["x"] > left + 50
    expect(page.locator(".screen:not([inert]) > header")).to_be_visible()
    page.mouse.wheel(0, 10_000)
    expect(reset(page)).to_be_disabled()
    page.keyboard.press("+")
    expect(reset(page)).to_be_enabled()
    page.keyboard.press("0")
    expect(reset(page)).to_be_disabled()
    page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 2 of 2")
    expect(reset(page)).to_be_disabled()
    assert scale(page) == 1


def test_all_pixels_are_loaded_only_for_a_zoom(windows, server, kitchen, photos):
    seen = windows(viewport=DESKTOP)
    page = shown(seen)
    item = kitchen[1][0]
    whole = f"/v1/items/{item}/photos/{photos[0]}"
    # The first look has made renditions.
    page.wait_for_timeout(1_000)
    window = windows(viewport=DESKTOP)
    page = shown(window)
    assert not [url for _, url in window.requests if url.endswith(whole)]
    double_click(page.locator(".photo-page img").first)
    until(page, lambda: [url for _, url in window.requests if url.endswith(whole)])


def test_a_mouse_that_was_released_outside_of_the_photo_moves_it_no_more(windows, photos):
    page = shown(windows(viewport=DESKTOP))
    photo = page.locator(".photo-page img").first
    photo.hover()
    page.mouse.down()
    bar = page.locator(".photo-screen > header").bounding_box()
    page.mouse.move(bar["x"] + bar["width"] / 2, bar["y"] + 5, steps=4)
    page.mouse.up()
    photo.hover()
    page.mouse.wheel(0, -500)
    until(page, lambda: scale(page) > 2)
    place = photo.bounding_box()
    page.mouse.move(700, 300, steps=4)
    assert photo.bounding_box() == place


@pytest.mark.usefixtures("chromium_only")
def test_two_fingers_zoom_and_two_taps_do(windows, photos):
    page = shown(windows(viewport=PHONE, has_touch=True))
    touch = page.context.new_cdp_session(page)

    def fingers(kind, *places):
        touch.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(places)]})
    fingers("touchStart", (150, 400), (240, 400))
    for step in range(1, 10):
        fingers("touchMove", (150 - 10 * step, 400), (240 + 10 * step, 400))
    fingers("touchEnd")
    until(page, lambda: 2.5 < scale(page) < 3.5)
    expect(reset(page)).to_be_enabled()
    # One finger moves it then, and turns no page.
    fingers("touchStart", (300, 400))
    for step in range(1, 10):
        fingers("touchMove", (300 - 20 * step, 400))
    fingers("touchEnd")
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 1 of 2")
    reset(page).click()
    until(page, lambda: scale(page) == 1)
    page.touchscreen.tap(200, 400)
    page.touchscreen.tap(200, 400)
    until(page, lambda: scale(page) == 2.5)


def test_the_bars_lie_over_the_photo(windows, photos):
    page = shown(windows())
    box = page.locator(".photo-pages").bounding_box()
    assert box["height"] == page.locator(".photo-screen").bounding_box()["height"]
    page.locator(".photo-page img").first.click()
    expect(page.locator(".photo-screen > header")).to_be_hidden()
    expect(page.locator(".photo-screen > footer")).to_be_hidden()
    assert page.locator(".photo-pages").bounding_box() == box
