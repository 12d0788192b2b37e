"""Labels: printed on sheets and rolls, and scanned."""

import re
import shutil
import subprocess
import urllib.parse

import pytest
from playwright.sync_api import expect

from conftest import enter, heading, menu, sheet


def opened(page, press):
    """The page of labels that a press opens in a new tab, once it has its codes."""
    with page.context.expect_page() as made:
        press()
    labels = made.value
    expect(labels.get_by_role("button", name="Print", exact=True)).to_be_enabled()
    return labels


def opened_at(window, address):
    window.page.goto(window.address + address)
    return window.page


def names(labels):
    return labels.locator(".label p:first-child").all_text_contents()


@pytest.mark.usefixtures("chromium_only")
def test_the_labels_of_a_list_fill_sheets_after_those_that_are_used(page, server, kitchen):
    for number in range(22):
        server.make_thing(kitchen[0], f"Cup {number}")
    labels = opened(page, lambda: menu(page, "Print labels"))
    assert labels.url.endswith(f"/labels?list={kitchen[0]}")
    assert names(labels)[:3] == ["Kettle", "Mixer", "Toaster"]
    expect(labels.locator(".label .place").first).to_have_text("Kitchen")
    expect(labels.locator(".sheet")).to_have_count(2)
    assert labels.locator(".sheet").evaluate_all("sheets => sheets.map((sheet) => sheet.childElementCount)") == [24, 1]
    labels.get_by_label("Labels already used").fill("23")
    assert labels.locator(".sheet").evaluate_all("sheets => sheets.map((sheet) => sheet.childElementCount)") == [24, 24]
    expect(labels.locator(".sheet").first.locator(".label")).to_have_text([re.compile("^Kettle")])
    # On paper there are pages of A4, and nothing else.
    assert pages(labels) == [(210, 297)] * 2
    told = labels.get_by_text("In the print dialog")
    expect(told).to_contain_text("A4 (210 × 297 mm), no margins and a scale of 100%")
    labels.get_by_label("Paper").select_option("letter")
    expect(told).to_contain_text("US Letter (8.5 × 11 in)")
    assert labels.locator(".sheet").evaluate_all("sheets => sheets.map((sheet) => sheet.childElementCount)") == [30, 18]
    assert pages(labels) == [(216, 279)] * 2
    labels.get_by_label("Labels already used").fill("0")
    # Where the labels are on the sheet, in inches.
    places = labels.locator(".sheet").evaluate("""sheet => [...sheet.children].map((label) => label.getBoundingClientRect())
      .map(({ left, top, width, height }) => [left - sheet.getBoundingClientRect().left, top - sheet.getBoundingClientRect().top, width, height]
        .map((length) => Math.round(length / 96 * 1000) / 1000))""")
    assert places[0] == [0.188, 0.5, 2.625, 1] and places[4] == [2.938, 1.5, 2.625, 1] and places[23] == [5.688, 7.5, 2.625, 1]
    labels.get_by_label("Paper").select_option("roll")
    expect(told).to_contain_text("62 × 29 mm")
    assert pages(labels) == [(62, 29)] * 25


def test_labels_of_a_list_may_include_what_is_inside_its_lists(windows, server, kitchen):
    drawer = server.ask("POST", "/v1/lists", {"title": "Drawer", "parentId": kitchen[0]})["id"]
    server.make_thing(drawer, "Spoon")
    case = server.make_thing(kitchen[0], "Case")
    contents = server.ask("POST", f"/v1/items/{case}/contents")["id"]
    server.make_thing(contents, "Lens")
    labels = opened_at(windows(), f"/labels?list={kitchen[0]}")
    expect(labels.locator(".label")).to_have_count(5)
    labels.get_by_label("Include what is inside the lists").check()
    expect(labels.locator(".label")).to_have_count(7)
    assert names(labels) == ["Kettle", "Mixer", "Toaster", "Drawer", "Spoon", "Case", "Lens"]
    # What else is chosen is kept.
    labels.get_by_label("Paper").select_option("letter")
    labels.get_by_label("used").fill("2")
    expect(labels.locator(".label", has_text="Spoon").locator(".place")).to_have_text("Drawer")
    labels.get_by_label("Include what is inside the lists").uncheck()
    expect(labels.locator(".label")).to_have_count(5)
    expect(labels.get_by_label("Paper")).to_have_value("letter")
    expect(labels.get_by_label("used")).to_have_value("2")
    labels.goto(labels.url.replace(kitchen[0], drawer))
    expect(labels.locator(".label")).to_have_count(1)
    expect(labels.get_by_label("Include what is inside the lists")).to_have_count(0)


@pytest.mark.usefixtures("chromium_only")
def test_a_list_has_a_label_of_its_own(page):
    labels = opened(page, lambda: menu(page, "Print this list’s label"))
    assert names(labels) == ["Kitchen"]


def test_each_row_of_a_list_has_its_label_though_a_page_ends_at_a_number_of_bytes(windows, server):
    attic = server.make_heavy_list("Attic")
    labels = opened_at(windows(), f"/labels?list={attic}")
    expect(labels.get_by_role("button", name="Print", exact=True)).to_be_enabled()
    assert names(labels) == [f"Box {number}" for number in range(60)]
    expect(labels.get_by_text("Only the first")).to_have_count(0)


@pytest.mark.usefixtures("chromium_only")
def test_fewer_labels_are_used_than_a_sheet_has(page):
    labels = opened(page, lambda: menu(page, "Print labels"))
    used = labels.get_by_label("Labels already used")
    labels.get_by_label("Paper").select_option("sheet")
    for typed, taken in (("99", "23"), ("-3", "0"), ("7", "7"), ("2.5", "2")):
        used.fill(typed)
        expect(used).to_have_value(taken)
    labels.get_by_label("Paper").select_option("letter")
    used.fill("99")
    expect(used).to_have_value("29")
    labels.get_by_label("Paper").select_option("roll")
    expect(used).to_be_hidden()
    labels.get_by_label("Paper").select_option("sheet")
    expect(used).to_have_value("23")
    used.fill("")
    expect(used).to_have_value("")
    assert labels.locator(".sheet").evaluate_all("sheets => sheets.map((sheet) => sheet.childElementCount)") == [3]


def pages(labels):
    """The sizes of the printed pages in millimetres."""
    printed = labels.pdf(prefer_css_page_size=True).decode("latin-1")
    return [tuple(round(float(length) * 25.4 / 72) for length in box)
            for box in re.findall(r"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)]


@pytest.mark.usefixtures("chromium_only")
def test_the_label_of_an_item_leads_to_it(page, server, kitchen, tmp_path):
    enter(page, "Mixer")
    labels = opened(page, lambda: page.get_by_role("button", name="Print a label").click())
    assert names(labels) == ["Mixer"]
    if not shutil.which("zbarimg"):
        pytest.skip("there is no zbarimg")
    labels.locator(".label").screenshot(path=tmp_path / "label.png")
    read = subprocess.run(["zbarimg", "--raw", "--quiet", tmp_path / "label.png"], capture_output=True, text=True, check=True)
    assert read.stdout.strip() == f"{server.address}/i/{kitchen[1][1]}"
    labels.goto(read.stdout.strip())
    expect(heading(labels)).to_have_text("Mixer")


@pytest.mark.usefixtures("chromium_only")
def test_lists_have_labels_and_rows_that_are_gone_do_not(windows, server, kitchen):
    gone = server.make_thing(kitchen[0], "Cup")
    server.ask("DELETE", f"/v1/rows/{gone}")
    window = windows()
    window.expect_complaints("404|410|400")
    labels = window.page
    labels.goto(f"{server.address}/labels?ids={kitchen[0]},{gone},nonsense")
    expect(labels.get_by_role("status").last).to_have_text("Not found: 2")
    # Other devices cannot open what these labels say.
    expect(labels.get_by_role("status").first).to_contain_text("works only on this computer")
    assert names(labels) == ["Kitchen"]
    labels.goto(f"{server.address}/labels")
    expect(labels.get_by_role("status").last).to_have_text("There is nothing to label.")
    expect(labels.get_by_role("button", name="Print", exact=True)).to_be_disabled()


@pytest.mark.parametrize("given", ["../changes?limit=1#", "../changes", "root/../../changes?limit=1#"])
def test_the_address_of_labels_leads_to_no_other_request(windows, server, kitchen, given):
    window = windows()
    window.expect_complaints("404|400|The path has a bad escape")
    window.page.goto(f"{server.address}/labels?{urllib.parse.urlencode({'list': given})}")
    expect(window.page.get_by_role("alert")).to_be_visible()
    asked = [address.split("/v1/", 1)[1] for _, address in window.requests if "/v1/" in address]
    assert [path for path in asked if not re.match(r"texts|lists/[^/?#]+$", path)] == []


# A camera's picture that shows what the test says.
CAMERA = """
  globalThis.seen = [];
  globalThis.BarcodeDetector = class {
    static getSupportedFormats = async () => ['qr_code'];
    detect = async () => globalThis.seen.map((rawValue) => ({ rawValue }));
  };
  navigator.mediaDevices.getUserMedia = async () => {
    if (globalThis.isBlind) throw new DOMException('', 'NotAllowedError');
    const canvas = document.createElement('canvas');
    canvas.getContext('2d');
    return globalThis.stream = canvas.captureStream();
  };
"""


@pytest.mark.usefixtures("chromium_only")
def test_a_scanned_label_opens_only_what_is_here(window, server, kitchen):
    window.context.add_init_script(CAMERA)
    page = window.open()
    menu(page, "Scan a label")
    expect(sheet(page).get_by_role("status")).to_have_text("Point the camera at a label.")
    for foreign in (f"https://evil.example/i/{kitchen[1][0]}", f"{server.address}/docs", "javascript:alert(1)", "milk"):
        page.evaluate("code => { seen = [code] }", foreign)
        expect(sheet(page).get_by_role("status")).to_have_text("This code is not a label of this server.")
    page.evaluate("code => { seen = [code] }", f"{server.address}/i/{kitchen[1][0]}")
    expect(heading(page)).to_have_text("Kettle")
    expect(page.locator("dialog")).to_have_count(0)
    # The camera is switched off.
    page.wait_for_function("() => stream.getTracks().every((track) => track.readyState === 'ended')")


@pytest.mark.usefixtures("chromium_only")
def test_a_picture_is_scanned_where_the_camera_is_refused(window, server, kitchen):
    window.context.add_init_script(CAMERA + "globalThis.isBlind = true;")
    page = window.open()
    menu(page, "Scan a label")
    expect(sheet(page).get_by_role("status")).to_contain_text("The camera cannot be used here.")
    dot = b"GIF87a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
    picture = {"name": "label.gif", "mimeType": "image/gif", "buffer": dot}
    sheet(page).get_by_label("Choose a picture").set_input_files(picture)
    expect(sheet(page).get_by_role("status")).to_have_text("There is no QR code in this picture.")
    page.evaluate("code => { seen = [code] }", f"{server.address}/l/{kitchen[0]}")
    sheet(page).get_by_label("Choose a picture").set_input_files(picture)
    expect(heading(page)).to_have_text("Kitchen")


@pytest.mark.usefixtures("chromium_only")
def test_a_browser_that_cannot_read_these_codes_says_what_can(window):
    window.context.add_init_script("globalThis.BarcodeDetector = class { static getSupportedFormats = async () => [] }")
    page = window.open()
    menu(page, "Scan a label")
    expect(sheet(page).get_by_role("status")).to_contain_text("Use your phone’s camera app")


def test_a_browser_that_cannot_scan_offers_no_scan(window):
    window.context.add_init_script("delete globalThis.BarcodeDetector")
    page = window.open()
    page.locator(".screen:not([inert]) [data-action=menu]").click()
    expect(sheet(page).get_by_role("button", name="Print labels")).to_be_visible()
    expect(sheet(page).get_by_role("button", name="Scan a label")).to_have_count(0)
