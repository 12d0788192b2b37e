"""Sheets of a wide window open beside the buttons that opened them."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE, TABLET, bar, enter, settle, sheet


def places(page, button):
    """The boxes of a button and of the open sheet."""
    settle(page)
    return button.bounding_box(), sheet(page).bounding_box()


def expect_below(page, button):
    at, own = places(page, button)
    assert 0 <= own["y"] - (at["y"] + at["height"]) < 20
    assert own["x"] < at["x"] + at["width"] and own["x"] + own["width"] > at["x"]
    size = page.viewport_size
    assert own["x"] >= 0 and own["x"] + own["width"] <= size["width"] and own["y"] + own["height"] <= size["height"]


@pytest.mark.parametrize("size", [TABLET, DESKTOP], ids=["tablet", "desktop"])
@pytest.mark.parametrize("locale", ["en-GB", "ar"])
def test_a_sheet_opens_below_its_button(windows, server, size, locale):
    server.make_list("Kitchen", ["Kettle"])
    page = windows(viewport=size, locale=locale).open()
    enter(page, "Kitchen")
    bar(page, "edit").click()
    for button in (bar(page, "add"), page.locator(".screen [data-action=order]"), page.locator(".screen [data-action=menu]")):
        button.click()
        expect(sheet(page)).to_be_visible()
        expect_below(page, button)
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
        expect(button).to_be_focused()
    # A press beside it closes it.
    page.locator(".screen [data-action=order]").click()
    expect(sheet(page)).to_be_visible()
    page.mouse.click(size["width"] / 2, size["height"] - 5)
    expect(page.locator("dialog")).to_have_count(0)


def test_a_double_click_opens_a_sheet(windows, server):
    kitchen, (kettle,) = server.make_list("Kitchen", ["Kettle"])
    page = windows(viewport=DESKTOP).open()
    enter(page, "Kitchen")
    enter(page, "Kettle")
    page.locator(".item-screen [data-action=edit]").dblclick()
    expect(sheet(page).get_by_label("Name")).to_have_value("Kettle")
    page.wait_for_timeout(300)
    expect(page.locator("dialog")).to_have_count(1)


def test_the_sheets_of_the_sidebar_open_beside_it(windows, server):
    page = windows(viewport=DESKTOP).open()
    for name in ("tags", "settings"):
        button = page.locator(f"[data-entry={name}]")
        button.click()
        expect(sheet(page)).to_be_visible()
        at, own = places(page, button)
        assert 0 <= own["x"] - (at["x"] + at["width"]) < 20
        assert own["y"] >= 0 and own["y"] + own["height"] <= DESKTOP["height"]
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)


def test_a_sheet_that_no_button_opened_is_in_the_middle(windows, kitchen):
    page = windows(viewport=DESKTOP).open()
    enter(page, "Kitchen")
    page.keyboard.press("?")
    expect(sheet(page)).to_be_visible()
    settle(page)
    own = sheet(page).bounding_box()
    assert abs(own["x"] + own["width"] / 2 - DESKTOP["width"] / 2) < 2


def test_a_sheet_goes_with_the_window(windows, kitchen):
    page = windows(viewport=DESKTOP).open()
    enter(page, "Kitchen")
    button = page.locator(".screen [data-action=order]")
    button.click()
    expect(sheet(page)).to_be_visible()
    page.set_viewport_size(TABLET)
    page.wait_for_function("() => document.querySelector('dialog').classList.contains('is-popover')")
    expect_below(page, button)
    page.set_viewport_size(PHONE)
    page.wait_for_function("() => !document.querySelector('dialog').classList.contains('is-popover')")
    settle(page)
    own = sheet(page).bounding_box()
    assert own["width"] == PHONE["width"] and own["y"] + own["height"] == PHONE["height"]
