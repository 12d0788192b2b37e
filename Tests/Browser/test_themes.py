"""Light, dark and automatic colours, and the accents of an inventory."""

import os
import re
import zlib

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, enter, heading, menu, row, save, settle, sheet, sign_out

SCHEMES = ["light", "dark"]
ACCENTS = ["Blue", "Teal", "Green", "Ochre", "Red", "Pink", "Violet", "Graphite"]
# The contrast of small texts. https://www.w3.org/TR/WCAG22/#contrast-minimum
LEAST = 4.5


def colours(page, selector, property="color"):
    """The red, green and blue of an element's colour, as a browser paints it."""
    found = page.locator(selector).first.evaluate("(node, name) => getComputedStyle(node)[name]", property)
    return [int(part) for part in re.findall(r"\d+", found)[:3]]


def luminance(colour):
    """https://www.w3.org/TR/WCAG22/#dfn-relative-luminance"""
    parts = [part / 255 for part in colour]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


def is_dark(page):
    return luminance(colours(page, "body", "backgroundColor")) < 0.2


def theme_colour(page):
    return page.locator("meta[name=theme-color]").get_attribute("content")


def expect_theme_colour(page, colour):
    """The page hears a moment later that the system's theme has changed."""
    expect(page.locator("meta[name=theme-color]")).to_have_attribute("content", colour)


def choose_theme(page, name):
    menu(page, "Settings")
    sheet(page).get_by_role("radio", name=name).check()
    save(page)
    expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.usefixtures("chromium_only")
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_theme_follows_the_system_until_one_is_chosen(windows, server, kitchen, scheme):
    window = windows(color_scheme=scheme)
    page = window.open()
    automatic = theme_colour(page)
    assert is_dark(page) == (scheme == "dark")
    other = "Light" if scheme == "dark" else "Dark"
    choose_theme(page, other)
    assert is_dark(page) == (other == "Dark")
    assert (luminance(colours(page, ".navigation-bar", "backgroundColor")) < 0.2) == (other == "Dark")
    chosen = theme_colour(page)
    assert chosen != automatic
    # It stays, also when the system changes.
    page.emulate_media(color_scheme="light" if other == "Light" else "dark")
    page.emulate_media(color_scheme=scheme)
    assert is_dark(page) == (other == "Dark")
    page = window.open()
    assert is_dark(page) == (other == "Dark")
    expect_theme_colour(page, chosen)
    menu(page, "Settings")
    expect(sheet(page).get_by_role("radio", name=other)).to_be_checked()
    sheet(page).get_by_role("radio", name="Automatic").check()
    assert is_dark(page) == (scheme == "dark")
    expect_theme_colour(page, automatic)
    page.emulate_media(color_scheme="light" if scheme == "dark" else "dark")
    assert is_dark(page) == (scheme == "light")
    expect_theme_colour(page, chosen)


def test_another_window_follows_the_chosen_theme(page, window):
    other = window.context.new_page()
    other.goto(window.address)
    other.locator(".stage:not([aria-busy]) .screen h1").wait_for()
    choose_theme(page, "Dark")
    expect(other.locator("body")).not_to_have_css("background-color", "rgb(241, 243, 245)")
    assert is_dark(other)
    other.close()


@pytest.mark.usefixtures("chromium_only")
def test_the_first_paint_has_the_chosen_theme(windows, kitchen):
    """Even while the style sheet and the modules are on their way."""
    window = windows(color_scheme="light")
    choose_theme(window.open(), "Dark")
    page = window.page
    held = []
    # Without a style sheet and modules, the page has only what it is painted with first.
    page.route(re.compile(r"(style\.css|main\.js)$"), lambda route: held.append(route))
    page.goto(window.address, wait_until="commit")
    page.locator(".splash").wait_for()
    assert page.evaluate("() => getComputedStyle(document.documentElement).colorScheme") == "dark"
    expect_theme_colour(page, "#1A1E22")
    for route in held:
        route.fallback()
    page.locator(".stage:not([aria-busy]) .screen h1").wait_for()


def test_the_pages_beside_the_app_have_the_chosen_theme(page, server, kitchen):
    choose_theme(page, "Dark")
    for path in ["/docs", f"/labels?list={kitchen[0]}"]:
        page.goto(server.address + path)
        page.locator("h1").wait_for()
        assert is_dark(page), path


def test_the_theme_outlives_a_sign_out(windows, server):
    server.token = server.make_token()
    server.make_list("Kitchen")
    window = windows()
    window.expect_complaints("401")
    page = window.page
    page.goto(server.address)
    sheet(page).locator("input").first.fill(server.token)
    sheet(page).locator("[data-action=signIn]").click()
    heading(page).wait_for()
    choose_theme(page, "Dark")
    sign_out(page)
    sheet(page).get_by_role("heading", name="Sign in").or_(sheet(page).locator("[data-action=signIn]")).first.wait_for()
    assert is_dark(page)


def test_the_theme_can_be_chosen_without_a_connection(page, window):
    window.expect_complaints("ERR_|Failed to load")
    page.locator(".screen:not([inert]) [data-action=menu]").click()
    sheet(page).locator("[data-action=close]").click()
    window.context.set_offline(True)
    choose_theme(page, "Dark")
    assert is_dark(page)
    window.context.set_offline(False)


@pytest.mark.usefixtures("chromium_only")
@pytest.mark.parametrize("accent", ACCENTS)
def test_an_accent_is_readable_in_light_and_dark(page, server, kitchen, accent):
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"tags": ["tea"]})
    menu(page, "Settings")
    swatches = sheet(page).get_by_role("group", name="Accent colour")
    expect(swatches.get_by_role("radio")).to_have_count(len(ACCENTS))
    expect(swatches.get_by_role("radio", name="Blue")).to_be_checked()
    swatches.get_by_role("radio", name=accent).check()
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    now = server.ask("GET", "/v1/appearance")
    assert now["warnings"] == []
    enter(page, "Kettle")
    page.locator(".tag").wait_for()
    shown = set()
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        bar_ground = colours(page, ".navigation-bar", "backgroundColor")
        assert contrast(colours(page, "h1"), bar_ground) >= LEAST
        assert contrast(colours(page, ".navigation-bar .bar-button"), bar_ground) >= LEAST
        assert contrast(colours(page, ".tag"), colours(page, ".tag", "backgroundColor")) >= LEAST
        assert contrast(colours(page, ".photo-adder"), colours(page, ".photo-adder", "backgroundColor")) >= LEAST
        shown.add(tuple(colours(page, ".tag")))
    assert len(shown) == 2


def test_the_default_accent_brings_the_standard_colours_back(page, server):
    standard = server.ask("GET", "/v1/appearance")
    server.ask("PUT", "/v1/appearance", {"navigationBar": "#102030", "title": "#FFFFFF", "button": "#FFFFFF"})
    menu(page, "Settings")
    expect(sheet(page).locator(".accents input:checked")).to_have_count(0)
    sheet(page).get_by_role("radio", name="Blue").check()
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    now = server.ask("GET", "/v1/appearance")
    assert {**now, "version": 0} == {**standard, "version": 0}


def test_a_colour_of_ones_own_is_no_accent(page):
    menu(page, "Settings")
    expect(sheet(page).locator(".accents input:checked")).to_have_count(1)
    sheet(page).get_by_label("Toolbar").fill("#123456")
    expect(sheet(page).locator(".accents input:checked")).to_have_count(0)
    sheet(page).get_by_label("Toolbar").fill("#f4f6f8")
    expect(sheet(page).get_by_role("radio", name="Blue")).to_be_checked()


@pytest.mark.parametrize(("role", "of_list"), [("reader", False), ("editor", False), ("owner", True)])
def test_who_may_not_change_the_colours_is_not_offered_them(windows, server, role, of_list):
    server.token = server.make_token()
    kitchen, _ = server.make_list("Kitchen", ["Kettle"])
    limits = {"listId": kitchen} if of_list else {}
    token = server.ask("POST", "/v1/tokens", {"name": "Tablet", "role": role, **limits})["token"]
    window = windows()
    # The server tells the owner of a list that the inventory is not theirs.
    window.expect_complaints("401|404")
    page = window.page
    page.goto(server.address)
    sheet(page).locator("input").first.fill(token)
    sheet(page).locator("[data-action=signIn]").click()
    heading(page).wait_for()
    menu(page, "Settings")
    expect(sheet(page).get_by_role("radio", name="Dark")).to_be_visible()
    expect(sheet(page).locator(".accents, [type=color]")).to_have_count(0)


def pixel(page, x, y):
    """The colour of a point of the window."""
    png = page.screenshot(clip={"x": x, "y": y, "width": 1, "height": 1})
    at, data = 8, b""
    while at < len(png):
        size = int.from_bytes(png[at:at + 4], "big")
        if png[at + 4:at + 8] == b"IDAT":
            data += png[at + 8:at + 8 + size]
        at += size + 12
    return list(zlib.decompress(data)[1:4])


@pytest.mark.usefixtures("chromium_only")
@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_is_under_the_mouse_looks_different(windows, server, scheme):
    kitchen, (kettle, _) = server.make_list("Kitchen", ["Kettle", "Mixer"])
    server.ask("PATCH", f"/v1/items/{kettle}", {"tags": ["tea"]})
    page = windows(color_scheme=scheme, viewport=DESKTOP).open()
    enter(page, "Kitchen")
    row(page, "Kettle").locator("[data-control=main]").click()
    page.locator(".tag").wait_for()
    menu_button = page.locator(".list-pane [data-action=menu]")
    for name in [".list-pane .row-main >> nth=1", ".list-pane .row.is-chosen .row-main", ".list-pane [data-action=order]",
                 ".bar-button.is-edit >> nth=0", ".tree-row >> nth=0", ".sidebar-entries button >> nth=0", ".tag",
                 ".photo-adder", ".detail-pane .choices button >> nth=-1"]:
        part = page.locator(name)
        page.mouse.move(1, 1)
        settle(page)
        box = part.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + 3
        before = pixel(page, x, y)
        page.mouse.move(x, y)
        settle(page)
        after = pixel(page, x, y)
        assert contrast(before, after) >= 1.08, (name, before, after)
    menu_button.click()
    part = sheet(page).locator(".choices button").nth(1)
    box = part.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 3
    before = pixel(page, x, y)
    page.mouse.move(x, y)
    assert contrast(before, pixel(page, x, y)) >= 1.08


@pytest.mark.usefixtures("chromium_only")
def test_nothing_looks_pressed_under_a_finger(windows, server):
    server.make_list("Kitchen", ["Kettle"])
    page = windows(has_touch=True, is_mobile=True).open()
    part = row(page, "Kitchen").locator("[data-control=main]")
    part.hover()
    expect(part).to_have_css("background-image", "none")


FOCUS_RING = """(node) => {
  // The background colours from the page's up to that of the node, one over the other, as one colour.
  const ground = (at) => {
    const context = document.createElement('canvas').getContext('2d');
    const colours = ['#FFFFFF'];
    for (let one = at; one; one = one.parentElement) colours.splice(1, 0, getComputedStyle(one).backgroundColor);
    for (const colour of colours) {
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
    }
    return `rgb(${context.getImageData(0, 0, 1, 1).data.slice(0, 3).join(', ')})`;
  };
  const { outlineColor, outlineStyle, outlineOffset } = getComputedStyle(node);
  // A ring outside of an element lies on what is behind it.
  return { outlineColor, outlineStyle, ground: ground(parseFloat(outlineOffset) < 0 ? node : node.parentElement) };
}"""


def parts(colour):
    """The parts of a computed colour, from 0 to 255."""
    numbers = [float(part) for part in re.findall(r"[\d.]+", colour)[:3]]
    return [part * 255 for part in numbers] if colour.startswith("color(") else numbers


@pytest.mark.usefixtures("chromium_only")
@pytest.mark.parametrize("bars", [{}, {"navigationBar": "#2F5D7C", "title": "#FFFFFF", "button": "#FFFFFF"}], ids=["light bars", "blue bars"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_focus_is_seen_wherever_it_is(windows, server, scheme, bars):
    server.ask("PUT", "/v1/appearance", bars)
    kitchen, (kettle, *_) = server.make_list("Kitchen", ["Kettle", "Mixer", "Pan"])
    server.ask("PATCH", f"/v1/items/{kettle}", {"tags": ["tea"]})
    page = windows(color_scheme=scheme, viewport=DESKTOP).open()
    enter(page, "Kitchen")
    row(page, "Kettle").locator("[data-control=main]").click()
    page.locator(".tag").wait_for()
    page.locator(".list-pane [data-action=select]").click()
    page.keyboard.press("Tab")
    seen = set()
    for _ in range(60):
        node = page.evaluate_handle("() => document.activeElement")
        if node.evaluate("(node) => node === document.body"):
            page.keyboard.press("Tab")
            continue
        name = node.evaluate("(node) => `${node.className} ${node.dataset.action ?? ''} ${node.textContent}`")
        if name in seen:
            break
        seen.add(name)
        ring = node.evaluate(FOCUS_RING)
        assert ring["outlineStyle"] == "solid", name
        # https://www.w3.org/TR/WCAG22/#non-text-contrast
        assert contrast(parts(ring["outlineColor"]), parts(ring["ground"])) >= 3, (name, ring)
        page.keyboard.press("Tab")
    assert len(seen) > 12, seen


@pytest.mark.usefixtures("chromium_only")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_without_light_dark_has_the_light_colours(windows, kitchen, scheme):
    window = windows(color_scheme=scheme)

    def older(route):
        """As a browser understands it that does not know the function."""
        answer = route.fetch() if "ROWHOUSE_PAGES" not in os.environ else None
        name = route.request.url.split("?")[0].split("/", 3)[3]
        body = answer.text() if answer else open(os.path.join(os.environ["ROWHOUSE_PAGES"], name), encoding="utf-8").read()
        route.fulfill(body=body.replace("light-dark(", "unknown-dark("), content_type="text/css" if name.endswith("css") else "text/javascript")

    window.context.route(re.compile(r"/(style\.css|appearance\.js|app\.js)$"), older)
    page = window.open()
    enter(page, "Kitchen")
    for where, colour in ((".rows", "rgb(255, 255, 255)"), ("body", "rgb(241, 243, 245)"), (".navigation-bar", "rgb(244, 246, 248)")):
        expect(page.locator(where).last).to_have_css("background-color", colour)
    expect(row(page, "Kettle")).to_have_css("color", "rgb(27, 32, 38)")
