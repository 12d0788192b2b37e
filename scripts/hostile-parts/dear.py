"""Calls that are cheap to send and expensive to answer.

Each has a function that creates its rows through the API and returns the requests as bytes. The
attacker sends these in turn, again and again, on a few connections.
"""

import json
import random
import uuid

from wire import form

# The media type of an import.
NDJSON = "application/x-ndjson"


class Call:
    """One kind of expensive call."""

    def __init__(self, name, prepare, connections=4, rows=0, options=(), patience=None, pace=0):
        self.name = name
        self.prepare = prepare
        self.connections = connections
        # Rows of the list in the seeded database; 0 for an empty database.
        self.rows = rows
        # Options of `rowhouse serve`.
        self.options = options
        # Seconds until the attacker closes its connection; None waits for each answer.
        self.patience = patience
        # Bytes sent a second; 0 sends all at once.
        self.pace = pace


def item(owner, **fields):
    """Creates an item in the attacker's list. Returns its id."""
    body = {"name": "Bait", **fields}
    return owner.ask("POST", f"/v1/lists/{owner.attacked}/items", body, 201)["id"]


def fill(owner, count):
    """Adds this many items to the attacker's list."""
    for start in range(0, count, 100):
        owner.ask("POST", f"/v1/lists/{owner.attacked}/batch", {"inserts": [
            {"index": index, "item": {"name": f"Bait {start + index}"}}
            for index in range(min(100, count - start))]})


def ids(owner):
    """The ids of the attacker's list, in order."""
    found = []
    while True:
        rows = owner.ask("GET", f"/v1/lists/{owner.attacked}/rows?sentinel=false&limit=1000"
                                f"&offset={len(found)}")["rows"]
        if not rows:
            return found
        found += [row["id"] for row in rows]


def export_of(records):
    """The body of an import of these records. The first one is the top list."""
    head = {"format": "rowhouse", "version": 1, "rootId": records[0]["id"]}
    kinds = [record["type"] for record in records]
    end = {"end": True, "lists": kinds.count("list"), "items": kinds.count("item"), "photos": 0}
    return "\n".join(map(json.dumps, [head, *records, end])).encode()


def merge(owner, records):
    """The request of an import that merges these records."""
    return form("POST", "/v1/import?mode=merge", export_of(records), owner.fields, NDJSON)


def top(own=None):
    """The first record of an import: a list for the end of the root list."""
    return {"type": "list", "id": own or str(uuid.uuid4()), "title": "Imported"}


def chain(levels):
    """Nested lists."""
    records = [top()]
    for level in range(levels - 1):
        records.append({"type": "list", "id": str(uuid.uuid4()),
                        "parentId": records[-1]["id"], "title": f"Level {level}"})
    return records


def get(owner, path):
    """A request without a body."""
    return form("GET", path, None, owner.fields)


def repeated_word(owner):
    """Searches for one word, repeated, in long notes that consist of it."""
    for _ in range(4):
        item(owner, notes="a " * 32_700)
    return [get(owner, "/v1/search?q=" + "+".join(["a"] * 16))]


def many_matches(owner):
    """Searches for sixteen words that each occur thousands of times in one row."""
    words = [f"w{number}" for number in range(16)]
    for _ in range(4):
        item(owner, notes=(" ".join(words) + " ") * 1200)
    return [get(owner, "/v1/search?q=" + "+".join(words))]


def deep(levels):
    """Reads and writes at the bottom of a tree of this many levels."""
    def prepare(owner):
        records = chain(levels)
        above = records[-1]["id"]
        bottom = str(uuid.uuid4())
        records.append({"type": "item", "id": bottom, "listId": above, "kind": "thing",
                        "name": "At the bottom"})
        owner.send(merge(owner, records))
        rename = form("PATCH", f"/v1/items/{bottom}", {"notes": "Deep"}, owner.fields)
        create = form("POST", f"/v1/lists/{above}/items", {"name": "Deeper"}, owner.fields)
        paths = [f"/v1/items/{bottom}", f"/v1/items/{bottom}/path", f"/v1/lists/{above}/rows",
                 f"/v1/items/{bottom}/neighbours", f"/v1/items/{bottom}/screen"]
        return [*(get(owner, path) for path in paths), rename, create]
    return prepare


def nested_import(levels):
    """Imports nested lists that are too deep, and so refused."""
    def prepare(owner):
        return [merge(owner, chain(levels))]
    return prepare


def sort_long_list(owner):
    """Applies sorted views to a long list as its order, alternately."""
    return [form("POST", f"/v1/lists/{owner.long}/reorder", {"sort": sort}, owner.fields)
            for sort in ("title", "-title", "valueInDollars", "-valueInDollars")]


def reorder_by_ids(owner):
    """Reverses a list of 18,000 rows, by ids."""
    fill(owner, 18_000)
    order = ids(owner)
    return [form("POST", f"/v1/lists/{owner.attacked}/reorder", {"ids": own}, owner.fields)
            for own in (order[::-1], order)]


def reorder_by_unknown_ids(owner):
    """Sends 8 MiB of ids that are not in the list."""
    strange = [str(uuid.uuid4()) for _ in range(200_000)]
    return [form("POST", f"/v1/lists/{owner.attacked}/reorder", {"ids": strange}, owner.fields)]


def table(rows, query=""):
    """Imports a table of `rows` rows, with new values each time."""
    def prepare(owner):
        requests = []
        for turn in range(3):
            lines = ["name,serialNumber,valueInDollars"]
            lines += [f"Thing {number},S{number},{number}.{turn}0" for number in range(rows)]
            requests.append(form("POST", f"/v1/lists/{owner.attacked}/rows.csv{query}",
                                 "\n".join(lines).encode(), owner.fields, "text/csv"))
        return requests
    return prepare


def changing_merge(owner):
    """Merges 400 items with new values each time. A merge may change no more."""
    first, own = top(), [str(uuid.uuid4()) for _ in range(400)]
    return [merge(owner, [first, *(
        {"type": "item", "id": name, "listId": first["id"], "kind": "thing",
         "name": f"Merged {number}", "valueInDollars": turn}
        for number, name in enumerate(own))]) for turn in range(3)]


def new_merge(owner):
    """Merges a new list of 9,999 items. A merge may have no more records."""
    requests = []
    for _ in range(20):
        first = top()
        requests.append(merge(owner, [first, *(
            {"type": "item", "id": str(uuid.uuid4()), "listId": first["id"], "kind": "thing",
             "name": f"New {number}"} for number in range(9_999))]))
    return requests


def many_tags(owner):
    """A table with 50 long tags in each of 300 cells, and an item with as many. No item may have more."""
    tags = [f"{number:03}" + "t" * 97 for number in range(50)]
    cell = ";".join(tags)
    return [
        form("POST", f"/v1/lists/{owner.attacked}/rows.csv",
             ("name,tags\n" + f"Tagged,{cell}\n" * 300).encode(), owner.fields, "text/csv"),
        form("POST", f"/v1/lists/{owner.attacked}/items", {"name": "Tagged", "tags": tags},
             owner.fields)]


def padded_photo(owner):
    """Uploads a JPEG of 20 MB of fill bytes."""
    own = item(owner)
    return [form("POST", f"/v1/items/{own}/photos", b"\xff\xd8" + b"\xff" * 20_000_000,
                 owner.fields, "image/jpeg")]


def scoped_log(owner):
    """Reads the log with a token that sees none of 20,000 changes."""
    own = owner.ask("POST", "/v1/lists", {"title": "Of its own"}, 201)["id"]
    token = owner.ask("POST", "/v1/tokens", {
        "name": "Scoped", "role": "reader", "listId": own}, 201)["token"]
    for number in range(20_000):
        owner.ask("POST", f"/v1/lists/{owner.attacked}/move-row",
                  {"from": number % 2, "to": 1 - number % 2})
    return [form("GET", "/v1/changes", None, [f"Authorization: Bearer {token}"])]


def long_reads(owner):
    """Exports, sorted views and tables of a long list."""
    return [get(owner, path) for path in (
        "/v1/export", f"/v1/lists/{owner.long}/rows?sort=title&limit=1000",
        f"/v1/lists/{owner.long}/rows.csv", f"/v1/lists/{owner.long}/rows?q=thing")]


def slow_imports(owner):
    """Imports that take about two seconds to send, so that a short attack gets answers too."""
    first = top()
    return [merge(owner, [first, *(
        {"type": "item", "id": str(uuid.uuid4()), "listId": first["id"], "kind": "thing",
         "name": f"Slow {number}"} for number in range(50))])]


def large_pages(owner):
    """Reads pages of 1,000 rows with long names, which are too large to be cached."""
    for start in range(0, 1000, 100):
        owner.ask("POST", f"/v1/lists/{owner.attacked}/batch", {"inserts": [
            {"index": index, "item": {"name": f"{start + index} " + "x" * 480}}
            for index in range(100)]})
    return [form("HEAD", f"/v1/lists/{owner.attacked}/{what}?limit=1000", None, owner.fields)
            for what in ("rows", "screen")]


def long_notes(owner):
    """Batches of items with notes of 6,500 unique words."""
    chance = random.Random(1)
    bodies = []
    for _ in range(4):
        inserts = [{"index": index, "item": {"name": "Long", "notes": " ".join(
            f"{chance.randrange(1 << 32):x}" for _ in range(6_500))}} for index in range(4)]
        bodies.append(form("POST", f"/v1/lists/{owner.attacked}/batch", {"inserts": inserts},
                           owner.fields))
    return bodies


def edited_notes(owner):
    """Edits of items, with notes of 16,000 short words."""
    chance = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    # Each edit changes the item: its notes from the round before are others.
    return [form("PATCH", f"/v1/items/{edited}", {"notes": " ".join(
        "".join(chance.choices(letters, k=3)) for _ in range(16_000))}, owner.fields)
            for edited in [item(owner) for _ in range(6)] * 2]


DEEP = ("--depth-limit", "10000")
CALLS = [
    Call("one word repeated", repeated_word, 8),
    Call("one word repeated, nobody waits", repeated_word, 8, patience=0.05),
    Call("thousands of matches", many_matches, 8),
    Call("1,000 levels", deep(990), 8),
    Call("10,000 levels", deep(9_990), 8, options=DEEP),
    Call("import of 40,000 levels", nested_import(40_000), 2),
    Call("sorting 249,999 rows", sort_long_list, 2, rows=249_999),
    Call("reordering 18,000 rows", reorder_by_ids),
    Call("reordering by unknown ids", reorder_by_unknown_ids),
    # The most rows that a table changes, and that it adds.
    Call("table of 400 rows", table(400)),
    Call("table of 1,000 rows, dry run", table(1_000, "?dryRun=true")),
    Call("merge of 400 records", changing_merge),
    Call("merge of 10,000 new records", new_merge),
    Call("15,000 tags", many_tags),
    Call("photo of fill bytes", padded_photo),
    Call("scoped log", scoped_log, 8),
    Call("exports and sorted views", long_reads, 8, rows=100_000),
    Call("imports that trickle", slow_imports, 16, pace=4_000),
    Call("notes of new words", long_notes),
    Call("notes of short words", edited_notes, 1),
    Call("pages of 1,000 rows", large_pages, 64),
]
