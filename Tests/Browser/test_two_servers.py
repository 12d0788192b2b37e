"""Two servers below different paths of one host name, as a proxy serves them."""

import re

import pytest
from playwright.sync_api import expect

from conftest import LAST, expect_stored, expect_titles, sign_out
from rowhouse import Rowhouse
from test_signing_out import STORES, expect_asked, sign_in


@pytest.fixture
def servers():
    made = [Rowhouse("--base-path", path) for path in ("/one", "/two")]
    for server, title in zip(made, ("Kitchen", "Cellar")):
        server.token = server.make_token("owner")
        server.list, _ = server.make_list(title, [])
    yield made
    for server in made:
        server.close()


def test_they_share_nothing_that_the_browser_stores(windows, servers):
    one, two = servers
    window = windows(f"{one.address}/one/")
    window.expect_complaints("401|Failed to load")
    page = window.page
    given = []

    def pass_on(route):
        given.append(route.request.headers.get("authorization"))
        if route.request.url.endswith("/v1/events"):
            return route.abort()
        return route.fulfill(response=route.fetch(url=route.request.url.replace(one.address, two.address)))

    window.context.route(re.compile(f"{one.address}/two/"), pass_on)
    page.goto(window.address)
    sign_in(page, one.token)
    expect_stored(page, one.list)
    page.goto(f"{one.address}/two/")
    expect_asked(page)
    assert set(given) == {None}
    sign_in(page, two.token, titles=("Cellar", LAST))
    assert f"Bearer {one.token}" not in given
    page.goto(window.address)
    expect_titles(page, ["Kitchen", LAST])
    sign_out(page)
    expect_asked(page)
    assert len(page.evaluate(STORES)) == 1
    page.goto(f"{one.address}/two/")
    expect_titles(page, ["Cellar", LAST])
