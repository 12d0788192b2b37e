"""What one client knows to be true: every item by its id, the order of its lists, its photos.

Only what was answered is known. Of a request that nobody settled both outcomes are possible, and the item is
left alone from then on.
"""

import copy

ABSENT = ("absent",)
TRASHED = ("trashed",)


def present(name, cents):
    """An item that is there, with these values."""
    return ("present", name, cents)


def seen(answer):
    """What a GET of an item shows of it, in the same form."""
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
        """The orders and the items in them, for what undoes the next change."""
        held = {row for order in self.orders.values() for row in order}
        return copy.deepcopy(self.orders), {row: self.items[row] for row in held}

    def return_to(self, snapshot):
        """What undoing the last change does: what it had made goes into the trash."""
        orders, items = snapshot
        for order in self.orders.values():
            for row in order:
                if row not in items:
                    self.trash(row)
        self.orders = orders
        self.items.update(items)

    def insert(self, list_id, index, row, name, cents):
        """A new item at an index."""
        self.orders[list_id].insert(index, row)
        self.items[row] = present(name, cents)

    def delete(self, list_id, row):
        """Out of its list, and into the trash."""
        self.orders[list_id].remove(row)
        self.trash(row)

    def trash(self, row):
        """Into the trash; what it was comes back with it."""
        self.before_trash[row] = self.items[row]
        self.items[row] = TRASHED

    def restore(self, list_id, index, row):
        """Out of the trash, to an index."""
        self.orders[list_id].insert(index, row)
        self.items[row] = self.before_trash.pop(row)

    def take(self, rows):
        """Takes rows out of whatever lists they are in."""
        taken = set(rows)
        for list_id, order in self.orders.items():
            if not taken.isdisjoint(order):
                self.orders[list_id] = [row for row in order if row not in taken]

    def edit(self, row, name, cents):
        """New values of an item that is there."""
        self.items[row] = present(name, cents)

    def leave_open(self, row, *possible):
        """Nobody knows which of these an item is; nobody touches it again."""
        self.items.pop(row, None)
        self.open[row] = set(possible)

    def allows(self, row, state):
        """Whether an item may be seen so."""
        return state in self.open[row] if row in self.open else self.items.get(row) == state

    def expected(self, row):
        """The same for a report."""
        return self.open.get(row) or self.items.get(row)


def arranged(order, deleted, placed):
    """The order after a batch: `placed` has the rows that stand at an index afterwards."""
    fixed = set(placed.values())
    rest = iter([row for row in order if row not in deleted and row not in fixed])
    count = len(order) - len(deleted) + sum(1 for row in fixed if row not in order)
    return [placed[index] if index in placed else next(rest) for index in range(count)]
