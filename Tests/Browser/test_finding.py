"""Finding things: search, tags, other orders and sections."""

from playwright.sync_api import expect

from conftest import LAST, LINES, back, bar, enter, expect_titles, heading, menu, row, sheet


def test_search_finds_and_leads_there(page, server):
    shed, _ = server.make_list("Shed")
    server.make_thing(shed, "Drill", notes="for the kettle's bracket")
    back(page, "Inventory")
    page.get_by_role("searchbox", name="Search").fill("kettle")
    hits = page.locator(".hits a")
    expect(hits).to_have_count(2)
    expect(hits.filter(has_text="Drill")).to_contain_text("Shed ‹ Inventory")
    # A title that matches is marked itself, and not shown again below.
    expect(hits.first.locator(".row-texts > bdi")).to_have_text(["Kettle", "Kitchen ‹ Inventory"])
    expect(hits.first.locator(".row-title mark")).to_have_text("Kettle")
    hits.filter(has_text="Drill").click()
    expect(heading(page)).to_have_text("Drill")
    expect(bar(page, "back")).to_have_text("Shed")


def test_where_something_is_begins_with_the_nearest_list(windows, server):
    """What is cut off is the farthest one."""
    parent = "root"
    names = [f"Level {number} of a deep inventory" for number in range(1, 6)]
    for name in names:
        parent, _ = server.make_list(name, parent=parent)
    server.make_thing(parent, "Needle")
    page = windows().open()
    page.get_by_role("searchbox", name="Search").fill("needle")
    path = page.locator(".hits .row-detail")
    expect(path).to_have_text(" ‹ ".join([*reversed(names), "Inventory"]))
    # It is cut off at the end.
    assert path.evaluate("(node) => node.scrollWidth > node.clientWidth")
    page.get_by_role("searchbox", name="Search").press("Escape")
    expect(page.locator(".hits")).to_be_hidden()
    heading(page).focus()
    page.keyboard.press("Control+k")
    sheet(page).get_by_role("combobox").fill("needle")
    expect(sheet(page).locator("[role=option] .row-detail")).to_have_text(" ‹ ".join([*reversed(names), "Inventory"]))
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text("Needle")
    bar(page, "back").click()
    expect(heading(page)).to_have_text(names[-1])
    ways = page.locator(".screen:not([inert]) .way a")
    expect(ways).to_have_text([*reversed(names[:-1]), "Inventory"])
    expect(ways.first).to_be_in_viewport()


def test_a_search_typed_without_a_connection_is_answered_later(page, window):
    window.expect_complaints("ERR_|Failed to load")
    window.context.set_offline(True)
    page.get_by_role("searchbox", name="Search").fill("kettle")
    expect(page.locator(".toast")).to_contain_text("can’t be reached")
    window.context.set_offline(False)
    expect(page.locator(".hits .row-title")).to_have_text(["Kettle"])


def test_tags_lead_to_what_has_them(page, server, kitchen):
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"tags": ["tea", "steel"]})
    server.ask("PATCH", f"/v1/items/{kitchen[1][1]}", {"tags": ["steel"]})
    menu(page, "Tags")
    expect(sheet(page).locator(".choices button")).to_have_text(["steel2", "tea1"])
    sheet(page).get_by_role("button", name="steel").click()
    expect(sheet(page).get_by_role("heading")).to_have_text("Tag “steel”")
    expect(sheet(page).locator(".hits li")).to_have_count(2)
    sheet(page).get_by_role("link", name="Kettle").click()
    expect(heading(page)).to_have_text("Kettle")
    page.locator(".tag", has_text="tea").click()
    expect(sheet(page).locator(".hits .row-title")).to_have_text(["Kettle"])
    page.go_back()
    expect(page.locator("dialog")).to_have_count(0)
    expect(heading(page)).to_have_text("Kettle")


def order(page, *names, kind=None, above=None):
    page.locator(".screen:not([inert]) [data-action=order]").click()
    for name in names:
        sheet(page).get_by_role("button", name=name, exact=True).click()
    if kind:
        sheet(page).get_by_role("radio", name=kind).check()
    if above:
        sheet(page).get_by_label("Separate what is worth more than").press_sequentially(above)
    sheet(page).locator("[data-action=close]").click()


def test_another_order_is_looked_at_and_kept(page, server, kitchen):
    server.ask("POST", f"/v1/lists/{kitchen[0]}/reorder", {"sort": "-title"})
    expect_titles(page, ["Toaster", "Mixer", "Kettle", LAST])
    order(page, "Title")
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
    assert server.rows(kitchen[0]) == ["Toaster", "Mixer", "Kettle"]
    page.get_by_role("button", name="Manual order").click()
    expect_titles(page, ["Toaster", "Mixer", "Kettle", LAST])
    order(page, "Value in dollars")
    expect(page.locator(".order-mark span")).to_have_text("Value in dollars · Ascending")
    assert page.locator(".order-mark span").evaluate(LINES) == 1
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"valueInDollars": 4.5, "quantity": 12})
    server.ask("PATCH", f"/v1/items/{kitchen[1][1]}", {"valueInDollars": 25})
    order(page, "Total value")
    expect_titles(page, ["Mixer", "Kettle", "Toaster", LAST])
    assert page.url.endswith("?sort=total")
    page.reload()
    expect(page.locator(".order-mark span")).to_have_text("Total value · Ascending")
    # The results of a search are in another order.
    page.get_by_role("searchbox", name="Search").fill("kettle")
    expect(page.locator(".hits a")).to_have_count(1)
    expect(page.locator(".order-mark")).to_be_hidden()
    page.get_by_role("searchbox", name="Search").fill("")
    expect(page.locator(".order-mark")).to_be_visible()
    order(page, "Title")
    page.get_by_role("button", name="Keep this order").click()
    # The rows looked so before; it is done when nothing is said of another order any more.
    expect(page.locator(".order-mark")).to_be_hidden()
    expect_titles(page, ["Kettle", "Mixer", "Toaster", LAST])
    assert server.rows(kitchen[0]) == ["Kettle", "Mixer", "Toaster"]
    page.locator(".toast button").click()
    expect_titles(page, ["Toaster", "Mixer", "Kettle", LAST])


def test_rows_are_looked_at_in_sections_and_some_of_them_only(windows, server):
    shop, _ = server.make_list("Shop")
    for name, value in [("Lamp", 80), ("Nail", 0.05), ("Vase", 120), ("Box 10", None), ("Box 2", None)]:
        server.make_thing(shop, name, valueInDollars=value)
    server.make_list("Drawer", parent=shop)
    window = windows()
    window.expect_complaints("422")
    page = window.open()
    enter(page, "Shop")
    order(page, "Title", kind="Items", above="50")
    expect_titles(page, ["…", "Lamp", "Vase", "…", "Box 2", "Box 10", "Nail", LAST])
    expect(page.locator(".row-section")).to_have_text(["More than $502", "Everything else3"])
    expect(page.get_by_role("button", name="Keep this order")).to_have_count(0)
    # What changes meanwhile is read anew.
    server.make_thing(shop, "Clock", valueInDollars=60)
    expect_titles(page, ["…", "Clock", "Lamp", "Vase", "…", "Box 2", "Box 10", "Nail", LAST])
    # The keys go past the heads.
    row(page, "Vase").locator("[data-control=main]").focus()
    page.keyboard.press("ArrowDown")
    expect(row(page, "Box 2").locator("[data-control=main]")).to_be_focused()
    page.keyboard.press("Home")
    expect(row(page, "Clock").locator("[data-control=main]")).to_be_focused()
    # One comes back to it as it was left.
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text("Clock")
    bar(page, "back").click()
    expect_titles(page, ["…", "Clock", "Lamp", "Vase", "…", "Box 2", "Box 10", "Nail", LAST])
    page.locator("[data-action=order]").click()
    field = sheet(page).get_by_label("Separate what is worth more than")
    field.fill("a lot")
    field.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.clear()
    field.press_sequentially("100")
    sheet(page).get_by_role("radio", name="Descending").check()
    sheet(page).locator("[data-action=close]").click()
    expect_titles(page, ["…", "Vase", "…", "Nail", "Lamp", "Clock", "Box 10", "Box 2", LAST])


def test_rows_move_to_other_lists_from_a_sorted_view_too(page, server, kitchen):
    attic, _ = server.make_list("Attic")
    order(page, "Title")
    bar(page, "edit").click()
    expect(row(page, "Mixer").locator("[data-control=grip]")).to_have_count(0)
    row(page, "Mixer").get_by_role("button", name="Move Mixer to another list").click()
    sheet(page).get_by_role("button", name="Inventory").click()
    sheet(page).get_by_role("button", name="Attic").click()
    sheet(page).get_by_role("button", name="Move to Attic").click()
    expect_titles(page, ["Kettle", "Toaster", LAST])
    assert server.rows(attic) == ["Mixer"]


def test_another_order_is_shown_from_the_top(page, server, kitchen):
    for number in range(40):
        server.make_thing(kitchen[0], f"Fork {number}")
    expect(page.locator(".list-sum")).to_have_text("43 items")
    order(page, "Title")
    expect(page.locator(".order-mark")).to_be_in_viewport()
    expect(page.locator(".large-title")).to_be_in_viewport()
    expect(row(page, "Fork 0")).to_be_in_viewport()


def test_hits_look_like_the_rows_of_a_list(page, server, kitchen):
    server.ask("PATCH", f"/v1/items/{kitchen[1][0]}", {"quantity": 2, "valueInDollars": 19.5})
    server.ask("PATCH", f"/v1/lists/{server.make_list('Kettles')[0]}", {"glyph": "🫖"})
    back(page, "Inventory")
    page.get_by_role("searchbox", name="Search").fill("kettle")
    hits = page.locator(".hits a")
    expect(hits).to_have_count(2)
    expect(hits.filter(has_text="Kitchen").locator(".row-value")).to_have_text("2 × $19.50")
    expect(hits.filter(has_text="Kettles").locator(".tile")).to_have_text("🫖")
