"""Photos of items: uploads, viewing, order, and loading when they are shown."""

import base64
import os
import struct
import zlib

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, back, bar, choose, enter, row, save, sheet


def png(path, colour):
    """A small picture of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    line = b"\0" + bytes(colour) * 40
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 30, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(line * 30)) + chunk(b"IEND", b""))
    return str(path)


def test_photos_are_added_looked_at_and_removed(page, server, kitchen, tmp_path):
    enter(page, "Kettle")
    page.get_by_label("Add photo").set_input_files(
        [png(tmp_path / "one.png", (200, 60, 60)), png(tmp_path / "two.png", (60, 60, 200))])
    expect(page.locator(".photo img")).to_have_count(2)
    page.get_by_role("link", name="Photo 2 of 2").click()
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 2 of 2")
    shown = page.locator(".photo-page img").nth(1)
    expect(shown).to_have_js_property("naturalWidth", 40)
    navigation = page.locator(".screen:not([inert]) > header")
    expect(navigation).to_be_visible()
    shown.click()
    expect(navigation).to_be_hidden()
    shown.click()
    expect(navigation).to_be_visible()
    page.get_by_role("button", name="Remove photo").click()
    sheet(page).locator("[data-answer=yes]").click()
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 1 of 1")
    page.locator(".toast button").click()
    expect(page.locator(".photo-page")).to_have_count(2)
    bar(page, "back").click()
    expect(page.locator(".photo-screen")).to_have_count(0)
    back(page, "Kitchen")
    expect(row(page, "Kettle")).to_contain_text("has a photo")
    # In the row it is small, whatever it was.
    expect(row(page, "Kettle").locator("img")).to_have_js_property("naturalWidth", 40)


def test_photos_are_put_into_another_order(page, server, kitchen, tmp_path):
    enter(page, "Kettle")
    page.get_by_label("Add photo").set_input_files(
        [png(tmp_path / f"{name}.png", (name, 60, 60)) for name in (1, 2, 3)])
    expect(page.locator(".photo img")).to_have_count(3)
    before = server.ask("GET", f"/v1/items/{kitchen[1][0]}")["photos"]
    page.get_by_role("link", name="Photo 3 of 3").click()
    later = page.get_by_role("button", name="Move this photo later")
    earlier = page.get_by_role("button", name="Move this photo earlier")
    expect(later).to_be_disabled()
    earlier.click()
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 2 of 3")
    expect(earlier).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 1 of 3")
    expect(earlier).to_be_disabled()
    expect(page.locator(".toast")).to_contain_text("Photo moved.")
    page.get_by_role("button", name="Next photo").click()
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 2 of 3")
    page.get_by_role("button", name="Previous photo").click()
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 1 of 3")
    assert server.ask("GET", f"/v1/items/{kitchen[1][0]}")["photos"] == [before[2], before[0], before[1]]


@pytest.mark.parametrize("change", ["another is removed", "it is removed", "they are put into another order"])
def test_the_photo_that_was_asked_about_is_removed_whatever_others_do(page, window, server, kitchen, tmp_path, change):
    window.expect_complaints("404")
    kettle = f"/v1/items/{kitchen[1][0]}"
    for name in (1, 2, 3):
        with open(png(tmp_path / f"{name}.png", (name, 60, 60)), "rb") as file:
            server.ask("POST", f"{kettle}/photos", data=file.read(), kind="image/png")
    first, second, third = server.ask("GET", kettle)["photos"]
    enter(page, "Kettle")
    page.get_by_role("link", name="Photo 2 of 3").click()
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 2 of 3")
    page.get_by_role("button", name="Remove photo").click()
    sheet(page).locator("[data-answer=yes]").wait_for()
    position = page.locator(".photo-screen .position")
    if change == "another is removed":
        server.ask("DELETE", f"{kettle}/photos/{first}")
        # The same photo is looked at.
        expect(position).to_have_text("Photo 1 of 2")
        left = [third]
    elif change == "it is removed":
        server.ask("DELETE", f"{kettle}/photos/{second}")
        expect(position).to_have_text("Photo 2 of 2")
        left = [first, third]
    else:
        server.ask("POST", f"{kettle}/photos/reorder", {"ids": [third, first, second]})
        expect(position).to_have_text("Photo 3 of 3")
        left = [third, first]
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        sheet(page).locator("[data-answer=yes]").click()
    assert server.ask("GET", kettle)["photos"] == left


def test_photos_go_on_being_added_after_one_that_can_not_be(page, window, server, kitchen, tmp_path):
    window.expect_complaints("4..")
    bad = tmp_path / "holiday.png"
    bad.write_bytes(b"not an image")
    empty = tmp_path / "empty.png"
    empty.touch()
    enter(page, "Kettle")
    page.get_by_label("Add photo").set_input_files(
        [png(tmp_path / "1.png", (1, 60, 60)), str(bad), str(empty), png(tmp_path / "3.png", (3, 60, 60))])
    expect(page.locator(".photo img")).to_have_count(2)
    expect(page.locator(".toast")).to_contain_text("Not added: holiday.png. Photos are JPEG")
    expect(page.locator(".toast")).to_contain_text("Not added: empty.png. The file is empty.")
    expect(page.locator(".toast")).not_to_contain_text("3.png")
    assert len(server.ask("GET", f"/v1/items/{kitchen[1][0]}")["photos"]) == 2
    page.get_by_role("link", name="Photo 1 of 2").click()
    expect(page.locator(".photo-screen")).to_be_visible()
    expect(page.locator(".screen")).to_have_count(1)
    page.get_by_label("Add photo").set_input_files(str(bad))
    expect(page.locator(".toast")).to_contain_text("Not added: holiday.png. Photos are JPEG")


def test_a_photo_that_the_browser_can_not_read_is_said_to_be_one(page, server, kitchen):
    heic = bytes.fromhex("000000186674797068656963000000006d69663168656963") + bytes(64)
    server.ask("POST", f"/v1/items/{kitchen[1][0]}/photos", data=heic, kind="image/heic")
    enter(page, "Kettle")
    expect(page.locator(".photo .icon")).to_have_count(1)
    page.get_by_role("link", name="Photo 1 of 1").click()
    expect(page.locator(".photo-page")).to_contain_text("can’t show this photo")


def test_photos_are_fetched_as_one_comes_to_them(page, window, server, kitchen):
    kettle = kitchen[1][0]
    gif = bytes.fromhex("47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b")
    for _ in range(30):
        server.ask("POST", f"/v1/items/{kettle}/photos", data=gif, kind="image/gif")
    enter(page, "Kettle")
    page.locator(".photo").first.wait_for()
    page.wait_for_function("() => document.querySelectorAll('.photo img').length === 30")
    # Those that were small are known by now; what follows is asked of the server again.
    page.reload()
    page.locator(".photo").first.wait_for()
    window.requests.clear()
    bar(page, "photos").click()
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 1 of 30")
    shown = page.locator(".photo-page img")
    expect(shown.nth(0)).to_have_js_property("naturalWidth", 1)
    assert page.locator(".photo-page img[src]").count() <= 3
    for index in range(2, 31):
        page.keyboard.press("ArrowRight")
        expect(page.locator(".photo-screen .position")).to_have_text(f"Photo {index} of 30")
    expect(shown.nth(29)).to_be_in_viewport()
    expect(shown.nth(29)).to_have_js_property("naturalWidth", 1)
    expect(page.locator(".photo-page img[src]")).to_have_count(3)


def test_photos_are_reached_and_turned_by_keys(page, server, kitchen, tmp_path):
    kettle = kitchen[1][0]
    for name in (1, 2, 3):
        with open(png(tmp_path / f"{name}.png", (name, 60, 60)), "rb") as file:
            server.ask("POST", f"/v1/items/{kettle}/photos", data=file.read(), kind="image/png")
    enter(page, "Kettle")
    strip = page.get_by_role("group", name="Photos").locator(".photo")
    expect(strip).to_have_count(3)
    strip.first.focus()
    page.keyboard.press("ArrowRight")
    expect(strip.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(strip.nth(2)).to_be_focused()
    # One press leaves the strip, another comes back to the same photo.
    page.keyboard.press("Tab")
    expect(page.get_by_label("Add photo")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(strip.nth(2)).to_be_focused()
    page.keyboard.press("Enter")
    position = page.locator(".photo-screen .position")
    expect(position).to_have_text("Photo 3 of 3")
    page.locator(".photo-screen").get_by_role("group", name="Photos").focus()
    page.keyboard.press("ArrowLeft")
    expect(position).to_have_text("Photo 2 of 3")
    page.reload()
    expect(position).to_contain_text("of 3")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.locator(".photo-screen").get_by_role("group", name="Photos")).to_be_focused()


def carried(page, paths, kind):
    """A drop or a paste of files on the current screen, as the browser tells of it."""
    page.evaluate(
        """([kind, files]) => {
          const carried = new DataTransfer();
          for (const [name, bytes] of files) {
            carried.items.add(new File([Uint8Array.from(atob(bytes), (byte) => byte.charCodeAt(0))], name, { type: 'image/png' }));
          }
          const shown = document.querySelector('.screen:not([inert])');
          if (kind === 'paste') {
            return void document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: carried, bubbles: true }));
          }
          for (const name of ['dragover', 'drop']) {
            shown.dispatchEvent(new DragEvent(name, { dataTransfer: carried, bubbles: true, cancelable: true }));
          }
        }""", [kind, [(os.path.basename(path), base64.b64encode(open(path, "rb").read()).decode()) for path in paths]])


@pytest.mark.usefixtures("chromium_only")
def test_photos_are_dropped_and_pasted_with_progress(page, window, server, kitchen, tmp_path):
    kettle = f"/v1/items/{kitchen[1][0]}"
    held = []
    page.route("**/photos?id=*", lambda route: held.append(route) if len(held) < 2 else route.continue_())
    enter(page, "Kettle")
    carried(page, [png(tmp_path / f"{name}.png", (name, 60, 60)) for name in (1, 2)], "drop")
    progress = page.locator("progress")
    expect(progress).to_have_js_property("value", 0)
    page.wait_for_timeout(100)
    held[0].continue_()
    expect(progress).to_have_js_property("value", 1)
    page.wait_for_timeout(100)
    held[1].continue_()
    expect(page.locator(".photo img")).to_have_count(2)
    expect(progress).to_have_count(0)
    carried(page, [png(tmp_path / "3.png", (3, 60, 60))], "paste")
    expect(page.locator(".photo img")).to_have_count(3)
    page.get_by_role("link", name="Photo 1 of 3").click()
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 1 of 3")
    expect(page.locator(".screen")).to_have_count(1)
    carried(page, [png(tmp_path / "4.png", (4, 60, 60))], "paste")
    expect(page.locator(".photo-screen .position")).to_have_text("Photo 4 of 4")
    assert len(server.ask("GET", kettle)["photos"]) == 4
    # A screen that was left adds nothing.
    bar(page, "back").click()
    back(page, "Kitchen")
    carried(page, [png(tmp_path / "5.png", (5, 60, 60))], "paste")
    page.wait_for_timeout(300)
    assert len(server.ask("GET", kettle)["photos"]) == 4


@pytest.mark.usefixtures("chromium_only")
def test_the_camera_is_offered_where_there_is_one(windows, server, kitchen):
    for has_touch, count in ((False, 0), (True, 1)):
        page = windows(has_touch=has_touch, is_mobile=has_touch).open()
        enter(page, "Kitchen")
        enter(page, "Kettle")
        expect(page.locator(".photo-adder:visible", has_text="Take photo")).to_have_count(count)


def test_a_new_thing_is_added_with_its_photos(page, server, kitchen, tmp_path):
    bar(page, "edit").click()
    bar(page, "add").click()
    choose(page, "Thing")
    sheet(page).get_by_label("Name", exact=True).fill("Vase")
    for number in (1, 2):
        sheet(page).get_by_label("Add photo").set_input_files(png(tmp_path / f"{number}.png", (number, 20, 20)))
    expect(sheet(page).locator(".photo-strip img")).to_have_count(2)
    # A press removes one.
    sheet(page).get_by_label("Add photo").set_input_files(png(tmp_path / "3.png", (3, 20, 20)))
    expect(sheet(page).locator(".photo-strip img")).to_have_count(3)
    sheet(page).get_by_role("button", name="Remove photo: 3.png").click()
    expect(sheet(page).locator(".photo-strip img")).to_have_count(2)
    # A list has no photos.
    choose(page, "List")
    expect(sheet(page).locator(".photo-strip")).to_have_count(0)
    choose(page, "Thing")
    expect(sheet(page).locator(".photo-strip img")).to_have_count(2)
    save(page)
    expect(row(page, "Vase").locator("img")).to_have_count(1)
    vase = f"/v1/items/{server.ask('GET', '/v1/resolve?path=/Kitchen/Vase')['id']}"
    bar(page, "done").click()
    enter(page, "Vase")
    expect(page.locator(".photo-strip .photo")).to_have_count(2)
    assert len(server.ask("GET", vase)["photos"]) == 2


def test_a_photo_can_be_added_where_there_is_none(windows, server, kitchen, tmp_path):
    window = windows()
    page = window.page
    page.goto(f"{window.address}/i/{kitchen[1][0]}/photos/1")
    screen = page.locator(".photo-screen")
    expect(screen).to_contain_text("No photos yet")
    screen.locator(".photo-pages").get_by_label("Add photo").set_input_files(png(tmp_path / "1.png", (200, 20, 20)))
    expect(screen.locator(".position")).to_have_text("Photo 1 of 1")


def test_the_keys_go_on_turning_after_the_last_photo_was_reached_by_its_button(windows, server, kitchen, tmp_path):
    for name in (1, 2):
        with open(png(tmp_path / f"{name}.png", (name, 60, 60)), "rb") as file:
            server.ask("POST", f"/v1/items/{kitchen[1][0]}/photos", data=file.read(), kind="image/png")
    window = windows(viewport=DESKTOP)
    page = window.page
    page.goto(f"{window.address}/i/{kitchen[1][0]}/photos/1")
    position = page.locator(".photo-screen .position")
    expect(position).to_have_text("Photo 1 of 2")
    page.get_by_role("button", name="Next photo").click()
    expect(position).to_have_text("Photo 2 of 2")
    page.keyboard.press("ArrowLeft")
    expect(position).to_have_text("Photo 1 of 2")
