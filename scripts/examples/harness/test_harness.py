"""Tests with the harness: pytest scripts/examples/harness"""

import http.client
import json
import time
import urllib.request

import pytest

from rowhouse_harness import Refused, RowhouseServer, rowhouse, rowhouse_server  # noqa: F401


def add(server, name, key):
    """Adds an item, and tries again once if no answer comes: what a careful client does."""
    for attempt in range(2):
        try:
            return server.call("POST", "/v1/lists/root/items", {"name": name}, {"Idempotency-Key": key})
        except (OSError, http.client.HTTPException):
            if attempt == 1:
                raise


def titles(server):
    return [row["title"] for row in server.call("GET", "/v1/lists/root/rows?sentinel=false")["rows"]]


def next_change(server, after):
    """The first change after a revision, or None if the event stream ends before it."""
    request = urllib.request.Request(f"{server.url}/v1/events", headers={"Last-Event-ID": str(after)})
    with urllib.request.urlopen(request, timeout=600) as stream:
        name = None
        for line in stream:
            field, _, value = line.decode().strip().partition(": ")
            if field == "event":
                name = value
            elif field == "data" and name == "change":
                return json.loads(value)
    return None


def test_a_lost_answer_makes_nothing_twice(rowhouse):
    rowhouse.fail({"method": "POST", "nth": 1, "effect": "loseAnswer"})
    add(rowhouse, "Saw", "saw-1")
    assert titles(rowhouse) == ["Saw"]
    assert [request["effect"] for request in rowhouse.requests()[:2]] == ["loseAnswer", None]


def test_each_test_begins_at_the_start(rowhouse):
    assert titles(rowhouse) == []
    assert rowhouse.call("GET", "/v1/test/faults")["count"] == 0


def test_a_busy_server_says_so(rowhouse):
    rowhouse.fail({"route": "/v1/lists/{listId}/rows", "delay": 100, "effect": "refuse", "status": 503})
    start = time.monotonic()
    with pytest.raises(Refused) as refusal:
        titles(rowhouse)
    assert time.monotonic() - start >= 0.09
    assert refusal.value.status == 503
    assert refusal.value.problem["code"] == "overloaded"


def test_a_cut_event_stream_resumes(rowhouse):
    rowhouse.fail({"path": "/v1/events", "nth": 1, "effect": "cutEvents", "events": 0})
    revision = rowhouse.call("GET", "/v1/lists/root")["revision"]
    add(rowhouse, "Saw", "saw-1")
    assert next_change(rowhouse, revision) is None
    assert next_change(rowhouse, revision)["revision"] == revision + 1


def test_an_answer_that_is_cut_is_an_error_and_not_a_short_list(rowhouse):
    rowhouse.fail({"route": "/v1/lists/{listId}/rows", "effect": "cutAnswer", "bytes": 40})
    with pytest.raises((OSError, http.client.HTTPException)):
        titles(rowhouse)


def test_the_trash_is_purged_after_a_month(rowhouse):
    item = add(rowhouse, "Saw", "saw-1")["id"]
    rowhouse.call("DELETE", f"/v1/items/{item}")
    assert rowhouse.call("GET", "/v1/trash")["count"] == 1
    rowhouse.advance(31 * 86_400)
    assert rowhouse.call("GET", "/v1/trash")["count"] == 0


def test_a_server_can_begin_with_a_demo():
    with RowhouseServer(seed="demo") as server:
        assert titles(server) == ["Home", "Garage"]
        server.call("DELETE", "/v1/rows/" + server.call("GET", "/v1/lists/root/rows")["rows"][0]["id"]
                    + "?recursive=true")
        server.reset()
        assert titles(server) == ["Home", "Garage"]
    server.stop()


def test_a_server_that_does_not_start_is_reported():
    with pytest.raises(RuntimeError, match="status 64"):
        RowhouseServer("--nonsense")
