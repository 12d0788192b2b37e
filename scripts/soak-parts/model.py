"""The state that one client knows: every item by its id, the order of its lists, its photos.

Only answered changes are known. A request without an answer may have been done or not, and its item is not
used any more.
"""

import copy

ABSENT = ("absent",)
TRASHED = ("trashed",)


def present(name, cents):
    """An existing item with these values."""
    return ("present", name, cents)


def seen(answer):
    """The members of a GET of an item, in the same form."""
    if answer.status == 404:
        return ABSENT
    if answer.status == 410:
        return TRASHED
    if answer.status != 200:
        return ("answered", answer.status)
    item = answer.json()
    value = item["valueInDollars"]
    return present(item["name"], None if value is None else round(value * 100))


class Model:
    """The state of one client's own items."""

    def __init__(self, lists):
        self.orders = {identifier: [] for identifier in lists}
        self.items = {}
        self.before_trash = {}
        self.open = {}
        self.photos = {}

    def snapshot(self):
        """The orders and their items, to undo the next change."""
        held = {row for order in self.orders.values() for row in order}
        return copy.deepcopy(self.orders), {row: self.items[row] for row in held}

    def return_to(self, snapshot):
        """Undoes the last change. Rows that it created go to the trash."""
        orders, items = snapshot
        for order in self.orders.values():
            for row in order:
                if row not in items:
                    self.trash(row)
        self.orders = orders
        self.items.update(items)

    def insert(self, list_id, index, row, name, cents):
        """Adds a new item at an index."""
        self.orders[list_id].insert(index, row)
        self.items[row] = present(name, cents)

    def delete(self, list_id, row):
        """Moves a row from its list to the trash."""
        self.orders[list_id].remove(row)
        self.trash(row)

    def trash(self, row):
        """Moves a row to the trash. It keeps its state."""
        self.before_trash[row] = self.items[row]
        self.items[row] = TRASHED

    def restore(self, list_id, index, row):
        """Moves a row from the trash to an index."""
        self.orders[list_id].insert(index, row)
        self.items[row] = self.before_trash.pop(row)

    def take(self, rows):
        """Removes rows from their lists."""
        taken = set(rows)
        for list_id, order in self.orders.items():
            if not taken.isdisjoint(order):
                self.orders[list_id] = [row for row in order if row not in taken]

    def edit(self, row, name, cents):
        """Sets new values of an existing item."""
        self.items[row] = present(name, cents)

    def leave_open(self, row, *possible):
        """Notes that an item may have any of these states. It is not used any more."""
        self.items.pop(row, None)
        self.open[row] = set(possible)

    def allows(self, row, state):
        """Whether an item may have this state."""
        return state in self.open[row] if row in self.open else self.items.get(row) == state

    def expected(self, row):
        """The possible states of an item, for a report."""
        return self.open.get(row) or self.items.get(row)


def arranged(order, deleted, placed):
    """The order after a batch. `placed` has the rows by their index after it."""
    fixed = set(placed.values())
    rest = iter([row for row in order if row not in deleted and row not in fixed])
    count = len(order) - len(deleted) + sum(1 for row in fixed if row not in order)
    return [placed[index] if index in placed else next(rest) for index in range(count)]
