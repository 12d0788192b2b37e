"""Custom fields in an item's form: unchanged fields stay, and errors are shown."""

import json
import time
import urllib.request

import pytest
from playwright.sync_api import expect

from conftest import bar, body_of, enter, expect_stored, save, sheet

FIELDS = {
    "address": "Main St 1\n12345 Town", "": "no name", " colour ": "red", "two\nlines": "x", "n": 5,
    "code": 12345678901234567890, "unknown": None, "empty": "", "size": {"cm": 20, "inches": None}, "sold": False}


@pytest.fixture
def form(page, server, kitchen):
    """Opens the form of an item that has fields; answers with the item's path."""
    def opened(fields):
        kettle = f"/v1/items/{kitchen[1][0]}"
        text = fields if isinstance(fields, str) else json.dumps(fields)
        server.ask("PUT", kettle, data=f'{{"name":"Kettle","fields":{text}}}'.encode())
        enter(page, "Kettle")
        bar(page, "edit").click()
        sheet(page).get_by_label("Name").wait_for()
        return kettle
    return opened


def saved(page):
    """Saves; answers with what was sent."""
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        save(page)
    expect(page.locator("dialog")).to_have_count(0)
    return json.loads(body_of(sent.value))


def line(page, index=-1):
    """The name and the text of a field."""
    found = sheet(page).locator(".own-field")
    one = found.last if index == -1 else found.nth(index)
    return one.locator("input").first, one.locator("input, textarea").nth(1)


def add(page, name, value):
    sheet(page).get_by_role("button", name="Add field").click()
    for control, typed in zip(line(page), (name, value)):
        control.fill(typed)


def test_unchanged_fields_stay_as_they_were(page, server, form):
    kettle = form(FIELDS)
    before = server.ask("GET", kettle)["fields"]
    sheet(page).get_by_label("Name").fill("Tea kettle")
    assert saved(page) == {"name": "Tea kettle"}
    assert server.ask("GET", kettle)["fields"] == before == FIELDS


def test_a_part_number_that_looks_like_a_number_is_a_text(page, server, form):
    kettle = form({"part": 70123})
    line(page)[1].fill("7E1234")
    assert saved(page) == {"fields": {"part": "7E1234"}}
    assert server.ask("GET", kettle)["fields"] == {"part": "7E1234"}


def test_one_field_is_changed_beside_others_that_stay(page, server, form):
    kettle = form(FIELDS)
    sheet(page).get_by_label("Text address").fill("Main St 2\n12345 Town")
    add(page, "Room", "A")
    assert saved(page) == {"fields": {"address": "Main St 2\n12345 Town", "Room": "A"}}
    assert server.ask("GET", kettle)["fields"] == {**FIELDS, "address": "Main St 2\n12345 Town", "Room": "A"}


def test_what_was_a_number_stays_one_where_a_number_is_typed(page, server, form):
    kettle = form({"n": 5, "price": 2, "sold": False, "size": {"cm": 20, "inches": None}, "code": "7", "weight": 3, "serial": 1})
    for name, typed in {"n": "6", "price": "1.50", "sold": "true", "size": '{"cm": 25, "inches": null}', "code": "8",
                        "weight": "heavy", "serial": "35693803564380912345"}.items():
        sheet(page).get_by_label(f"Text {name}").fill(typed)
    assert saved(page) == {"fields": {
        "n": 6, "price": 1.5, "sold": True, "size": {"cm": 25}, "code": "8", "weight": "heavy",
        "serial": 35693803564380912345}}
    assert server.ask("GET", kettle)["fields"]["size"] == {"cm": 25, "inches": None}


def test_a_text_without_a_name_is_asked_for_one(page, server, form):
    kettle = form({"colour": "red"})
    add(page, "", "bought at the market")
    save(page)
    expect(sheet(page).locator(".own-field").last).to_contain_text("Enter a name for this field.")
    name, text = line(page)
    expect(name).to_be_focused()
    expect(name).to_have_accessible_description("Enter a name for this field.")
    expect(text).to_have_value("bought at the market")
    # Nor is a field that had a name sent without one.
    name.fill("Origin")
    line(page, 0)[0].fill(" ")
    save(page)
    expect(sheet(page).locator(".own-field").first).to_contain_text("Enter a name for this field.")
    line(page, 0)[0].fill("Tint")
    # A line into which nothing was typed is none.
    sheet(page).get_by_role("button", name="Add field").click()
    assert saved(page) == {"fields": {"colour": None, "Tint": "red", "Origin": "bought at the market"}}
    assert server.ask("GET", kettle)["fields"] == {"Tint": "red", "Origin": "bought at the market"}


def test_a_name_that_another_field_has_is_not_taken_from_it(page, server, form):
    kettle = form({"colour": "red", "room": "A"})
    add(page, " colour ", "blue")
    save(page)
    expect(sheet(page).locator(".own-field").last).to_contain_text("Another field has this name.")
    expect(sheet(page).locator(".own-field").first).not_to_contain_text("Another field")
    line(page)[0].fill("Colour of the lid")
    line(page, 1)[0].fill("colour")
    save(page)
    expect(sheet(page).locator(".own-field").nth(1)).to_contain_text("Another field has this name.")
    expect(sheet(page).locator(".own-field").last).not_to_contain_text("Another field")
    assert server.ask("GET", kettle)["fields"] == {"colour": "red", "room": "A"}
    line(page, 1)[0].fill("Room")
    assert saved(page) == {"fields": {"room": None, "Room": "A", "Colour of the lid": "blue"}}


# With numbers that a browser's own can't hold.
EXACT = ('{"imei":123456789012345678,"price":1.50,"2":"two","box":{"b":null,"n":123456789012345678,"1":1},'
         '"list":[12345678901234567890,1,null],"e":1e3}')


def fields_text(server, path):
    """The fields, character by character."""
    with urllib.request.urlopen(server.address + path) as answer:
        text = answer.read().decode()
    return text[text.index('"fields":') + 9:text.index(',"car"')]


def sent_text(page):
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        save(page)
    expect(page.locator("dialog")).to_have_count(0)
    return body_of(sent.value)


def test_a_field_that_gets_another_name_keeps_its_value(page, server, form):
    kettle = form(EXACT)
    line(page, 0)[0].fill("IMEI")
    line(page, 1)[0].fill("Price")
    sheet(page).get_by_label("Text list").fill("[12345678901234567890,2,null]")
    assert sent_text(page) == (
        '{"fields":{"imei":null,"price":null,"list":[12345678901234567890,2,null],'
        '"IMEI":123456789012345678,"Price":1.50}}')
    text = fields_text(server, kettle)
    for part in ('"IMEI":123456789012345678', '"Price":1.50', '"2":"two"', '"box":{"b":null,"n":123456789012345678,"1":1}'):
        assert part in text
    expect(page.locator(".facts")).to_contain_text("123456789012345678")
    expect(page.locator(".facts")).to_contain_text("1.50")


def test_one_member_is_changed_beside_others_that_stay(page, server, form):
    kettle = form(EXACT)
    sheet(page).get_by_label("Text box").fill('{"b":null, "n":123456789012345678, "1":1, "m":98765432109876543}')
    sheet(page).get_by_label("Text imei").fill("123456789012345679")
    assert sent_text(page) == '{"fields":{"imei":123456789012345679,"box":{"m":98765432109876543}}}'
    assert '"box":{"b":null,"n":123456789012345678,"1":1,"m":98765432109876543}' in fields_text(server, kettle)


def test_null_is_kept_and_removed_as_it_is_said(page, server, form):
    """A merge-patch can't set null in an object, nor give it to another name."""
    kettle = form({"size": {"cm": 20, "inches": None}, "unknown": None, "gone": None, "box": {"n": 1, "m": None}, "lid": 1.50})
    server.ask("PATCH", kettle, {"notes": "a\r\nb", "valueInDollars": 12.5, "tags": ["x, y"]})
    sheet(page).locator("[data-action=cancel]").click()
    bar(page, "edit").click()
    line(page, 0)[0].fill("Size")
    line(page, 1)[0].fill("Unknown")
    sheet(page).get_by_role("button", name="Remove field gone").click()
    sheet(page).get_by_label("Text box").fill('{"n":null}')
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    item = server.ask("GET", kettle)
    assert item["fields"] == {"Size": {"cm": 20, "inches": None}, "Unknown": None, "box": {"n": None}, "lid": 1.50}
    assert (item["name"], item["notes"], item["valueInDollars"], item["tags"], item["quantity"]) == (
        "Kettle", "a\r\nb", 12.5, ["x, y"], 1)
    # It is one change, to be undone.
    page.keyboard.press("Control+z")
    expect(page.locator(".facts")).to_contain_text("unknown")
    assert server.ask("GET", kettle)["fields"]["unknown"] is None


def test_numbers_that_differ_in_their_last_digits_are_a_conflict(page, server, form, window):
    window.expect_complaints("412")
    kettle = form(EXACT)
    server.ask("PATCH", kettle, {"fields": {"imei": 123456789012345679}})
    sheet(page).get_by_label("Text imei").fill("unknown")
    save(page)
    conflict = sheet(page).get_by_role("group", name="imei", exact=True)
    expect(conflict).to_contain_text("123456789012345679")
    conflict.get_by_label("Theirs").check()
    sheet(page).get_by_label("Name").fill("Tea kettle")
    assert sent_text(page) == '{"name":"Tea kettle"}'
    assert '"imei":123456789012345679' in fields_text(server, kettle)


def test_a_number_that_a_browser_would_round_is_saved_without_a_connection(page, window, server, kitchen):
    kettle = f"/v1/items/{kitchen[1][0]}"
    big = 12345678901234567890
    server.ask("PUT", kettle, data=f'{{"name":"Kettle","fields":{{"code":{big},"n":5,"stays":{big}}}}}'.encode())
    window.expect_complaints("ERR_|Failed to load")
    enter(page, "Kettle")
    expect_stored(page, kitchen[0])
    bar(page, "edit").click()
    sheet(page).get_by_label("Name").wait_for()
    window.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("Offline")
    line(page, 0)[1].fill(str(big + 1))
    line(page, 1)[1].fill("6")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".facts")).to_contain_text(str(big + 1))
    # Other fields are edited from what is shown.
    bar(page, "edit").click()
    expect(line(page, 0)[1]).to_have_value(str(big + 1))
    line(page, 1)[1].fill("7")
    save(page)
    expect(page.locator("dialog")).to_have_count(0)
    # Another page finds the waiting changes in the database.
    page.route("**/v1/sync", lambda route: route.abort())
    window.context.set_offline(False)
    page.reload()
    expect(page.locator(".facts")).to_contain_text(str(big + 1))
    page.unroute("**/v1/sync")
    deadline = time.monotonic() + 10
    while (fields := server.ask("GET", kettle)["fields"])["n"] != 7:
        assert time.monotonic() < deadline, fields
        page.wait_for_timeout(20)
    assert fields == {"code": big + 1, "n": 7, "stays": big}


@pytest.mark.usefixtures("chromium_only")
@pytest.mark.parametrize("others", [False, True])
def test_a_form_that_was_opened_offline_and_cannot_wait_is_saved_online(page, window, server, form, kitchen, others):
    """Only a whole item can express that a null is removed, so the edit cannot wait in the browser."""
    window.expect_complaints("ERR_|Failed to load")
    kettle = form({"sold": None})
    sheet(page).locator("[data-action=cancel]").click()
    expect_stored(page, kitchen[0])
    window.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("Offline")
    bar(page, "edit").click()
    sheet(page).get_by_role("button", name="Remove field sold").click()
    sheet(page).get_by_label("Notes").fill("mine")
    save(page)
    expect(sheet(page)).to_contain_text("You’re offline. Your input stays here.")
    if others:
        server.ask("PATCH", kettle, {"notes": "theirs"})
    window.context.set_offline(False)
    expect(page.locator(".notice")).to_be_hidden()
    save(page)
    if others:
        sheet(page).get_by_role("group", name="Notes").get_by_label("Theirs").check()
        save(page)
    expect(page.locator("dialog")).to_have_count(0)
    item = server.ask("GET", kettle)
    assert (item["fields"], item["notes"]) == ({}, "theirs" if others else "mine")
