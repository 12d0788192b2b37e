"""Tabs, and the places that other clients have left."""

import pytest
from playwright.sync_api import expect

from conftest import expect_titles, heading, menu, save, sheet


def tabs_of(server):
    place = server.ask("GET", "/v1/navigators")["navigators"][0]["id"]
    return server.ask("GET", f"/v1/navigators/{place}")["tabs"]


def when_saved(page, act):
    """What the act does to the tabs is on the server afterwards."""
    with page.expect_response(lambda answer: answer.url.endswith("/tabs") and answer.request.method == "PUT"):
        act()


def settled(page, is_so):
    """The place is saved a moment after each change."""
    for _ in range(100):
        if is_so():
            return
        page.wait_for_timeout(100)
    raise AssertionError("the place was not saved so")


def test_tabs_have_titles_images_and_an_order(page, server):
    when_saved(page, lambda: menu(page, "Open in a new tab"))
    menu(page, "Tabs")
    sheet(page).get_by_role("button", name="Edit tab Kitchen").last.click()
    form = page.locator("dialog").last
    form.get_by_label("Title").fill("Cooking")
    form.get_by_role("radio", name="Car").check(force=True)
    when_saved(page, lambda: form.locator("[data-action=save]").click())
    lines = sheet(page).locator(".tab-list bdi")
    expect(lines).to_have_text(["Kitchen", "Cooking"])
    when_saved(page, lambda: sheet(page).get_by_role("button", name="Move tab Cooking up").click())
    expect(lines).to_have_text(["Cooking", "Kitchen"])
    # The button for the way back has the focus, because the one that was pressed is disabled.
    expect(sheet(page).get_by_role("button", name="Move tab Cooking up")).to_be_disabled()
    assert page.evaluate("document.activeElement.closest('li').textContent") == "Cooking"
    sheet(page).locator("[data-action=close]").click()
    expect(page.locator(".tab-bar button")).to_have_text(["Cooking", "Kitchen"])
    expect(page.locator(".tab-bar button").first.locator(".icon-car")).to_be_visible()
    assert [(tab["title"], tab["image"]) for tab in tabs_of(server)] == [("Cooking", "car"), (None, None)]
    page.reload()
    expect(page.locator(".tab-bar button")).to_have_text(["Cooking", "Kitchen"])


def test_a_title_of_a_tab_can_be_taken_back(page, server):
    when_saved(page, lambda: menu(page, "Open in a new tab"))
    for title in ["Cooking", ""]:
        menu(page, "Tabs")
        sheet(page).locator("[data-action=editTab]").first.click()
        page.locator("dialog").last.get_by_label("Title").fill(title)
        when_saved(page, lambda: page.locator("dialog").last.locator("[data-action=save]").click())
        sheet(page).locator("[data-action=close]").click()
        expect(page.locator(".tab-bar button").first).to_have_text(title or "Kitchen")
    assert tabs_of(server)[0]["title"] is None


def test_the_description_of_the_server_can_be_a_tab(page, server):
    menu(page, "Tabs")
    sheet(page).get_by_role("button", name="Open About in a new tab").click()
    expect(page.locator(".tab-bar button")).to_have_text(["Kitchen", "About Rowhouse"])
    expect(heading(page)).to_have_text("About Rowhouse")
    # It is the first screen of its tab.
    expect(page.locator(".bar-leading button")).to_have_count(0)
    settled(page, lambda: len(tabs_of(server)) == 2 and tabs_of(server)[1]["stack"][-1]["about"])
    assert [screen["about"] for screen in tabs_of(server)[1]["stack"]] == [True]
    page.locator(".tab-bar button").last.click()
    expect(heading(page)).to_have_text("About Rowhouse")
    page.locator(".tab-bar button").first.click()
    expect(heading(page)).to_have_text("Kitchen")


def left_by_another(server, stack):
    """The place of another client with this stack."""
    place = server.ask("POST", "/v1/navigators", {"name": "Old phone"})["id"]
    server.ask("PUT", f"/v1/navigators/{place}/stack", {"stack": [{"listId": "root"}, *stack]})
    return place


def take_over(page):
    menu(page, "Places on other devices")
    sheet(page).get_by_role("button", name="Old phone").click()


def top_of(server, place):
    return server.ask("GET", f"/v1/navigators/{place}")["tabs"][0]["stack"][-1]


def expect_mode(page, server, place, mode):
    settled(page, lambda: (top_of(server, place)["mode"] or "browse") == mode)


def test_a_form_for_a_new_row_that_another_client_left_can_be_finished(page, server, kitchen):
    kitchen, _ = kitchen
    place = left_by_another(server, [{"listId": kitchen, "mode": "add", "kind": "list"}])
    take_over(page)
    expect(sheet(page).locator("h2")).to_have_text("Add list")
    assert top_of(server, place)["mode"] == "add"
    sheet(page).get_by_label("Title").fill("Drawer")
    save(page)
    expect_titles(page, ["Kettle", "Mixer", "Toaster", "Drawer", "No more items!"])
    expect_mode(page, server, place, "browse")


@pytest.mark.parametrize("mode", ["details", "edit"])
@pytest.mark.parametrize("ending", ["cancel", "save"])
def test_a_form_for_fields_that_another_client_left_can_be_ended(page, server, kitchen, mode, ending):
    kitchen, things = kitchen
    name, title, screen = {
        "details": ("Title", "Kitchen", {"listId": kitchen, "mode": "details"}),
        "edit": ("Name", "Kettle", {"itemId": things[0], "mode": "edit"}),
    }[mode]
    stack = [screen] if mode == "details" else [{"listId": kitchen}, screen]
    place = left_by_another(server, stack)
    take_over(page)
    expect(sheet(page).locator("h2")).to_have_text(f"Edit {title}")
    # A reload leaves the form open.
    page.reload()
    expect(sheet(page).locator("h2")).to_have_text(f"Edit {title}")
    if ending == "save":
        title = "Finished"
        sheet(page).get_by_label(name, exact=True).fill(title)
    sheet(page).locator(f"[data-action={ending}]").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(heading(page)).to_have_text(title)
    expect_mode(page, server, place, "browse")
    page.reload()
    expect(heading(page)).to_have_text(title)
    expect(page.locator("dialog")).to_have_count(0)
