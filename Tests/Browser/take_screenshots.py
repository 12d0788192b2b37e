"""Pictures of the demo's home on a phone: by day, by night with a row in the air, and in Arabic. And one at a desk."""

import os
import shutil
import sys

from playwright.sync_api import sync_playwright

from conftest import Window, bar, drag, enter
from rowhouse import Rowhouse

PHONE = {"width": 390, "height": 620}
PICTURES = [
    ("phone", {"viewport": PHONE}),
    ("dark", {"viewport": PHONE, "color_scheme": "dark"}),
    ("arabic", {"viewport": PHONE, "locale": "ar"}),
    ("desk", {"viewport": {"width": 1280, "height": 640}}),
]


def main(folder):
    os.makedirs(folder, exist_ok=True)
    server = Rowhouse(seed=[])
    with sync_playwright() as playwright:
        found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for name, options in PICTURES:
            window = Window(browser, server.address, **options)
            page = window.open()
            enter(page, "Home")
            enter(page, "Kitchen")
            if name == "dark":
                bar(page, "edit").click()
                release = drag(page, "Kettle", -0.7)
            elif name == "desk":
                enter(page, "Kettle")
            if name != "dark":
                page.mouse.move(0, 0)
            page.wait_for_timeout(600)
            page.screenshot(path=os.path.join(folder, f"{name}.png"))
            if name == "dark":
                page.keyboard.press("Escape")
                release()
            window.close()
        browser.close()
    server.close()


main(sys.argv[1])
