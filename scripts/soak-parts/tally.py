"""Counts, statuses and times of requests, by kind."""

import collections
import math

# Eight steps for each doubling, so a percentile is exact to nine percent.
STEPS = 8
# The most faults to print. The others are counted.
MOST_TEXTS = 20


class Tally:
    """Counts of one process. Those of several can be added."""

    def __init__(self):
        self.statuses = collections.defaultdict(collections.Counter)
        self.times = collections.defaultdict(collections.Counter)
        self.slowest = collections.defaultdict(float)
        self.counts = collections.Counter()
        self.faults = []
        self.fault_count = 0

    def answered(self, kind, status, seconds):
        """Counts a request of a kind, and its time."""
        self.statuses[kind][status] += 1
        step = int(math.log2(max(seconds * 1e6, 1)) * STEPS)
        self.times[kind][step] += 1
        self.slowest[kind] = max(self.slowest[kind], seconds)

    def count(self, name, number=1):
        """Counts another event."""
        self.counts[name] += number

    def fault(self, text):
        """Counts a fault. The first few are kept as text."""
        self.fault_count += 1
        if len(self.faults) < MOST_TEXTS:
            self.faults.append(text[:800])

    def add(self, other):
        """Adds another tally."""
        for kind, statuses in other.statuses.items():
            self.statuses[kind].update(statuses)
            self.times[kind].update(other.times[kind])
            self.slowest[kind] = max(self.slowest[kind], other.slowest[kind])
        self.counts.update(other.counts)
        self.faults = (self.faults + other.faults)[:MOST_TEXTS]
        self.fault_count += other.fault_count

    def percentile(self, kind, share):
        """The percentile of the times of a kind, in milliseconds."""
        times = self.times[kind]
        left = share * sum(times.values())
        for step in sorted(times):
            left -= times[step]
            if left <= 0:
                return 2 ** ((step + 1) / STEPS) / 1000
        return 0.0

    def figures(self, kind):
        """The percentile as text, for a report."""
        return {
            "count": sum(self.statuses[kind].values()),
            "statuses": {str(status): n for status, n in sorted(self.statuses[kind].items(), key=str)},
            "p50": self.percentile(kind, 0.5), "p99": self.percentile(kind, 0.99),
            "slowest": self.slowest[kind] * 1000}


def print_table(head, rows):
    """Prints columns as wide as needed: the first and the last left-aligned, the others right-aligned."""
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, ["-" * width for width in widths], *rows]:
        cells = [cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1])]
        print("  ".join([row[0].ljust(widths[0]), *cells, row[-1]]).rstrip())
    print(flush=True)


def print_tally(tally):
    """Prints every kind of request with its times and statuses."""
    rows = []
    for kind in sorted(tally.statuses):
        own = tally.figures(kind)
        rows.append([
            kind, f"{own['count']:,}", f"{own['p50']:.2f}", f"{own['p99']:.2f}",
            f"{own['slowest']:.0f}",
            " ".join(f"{status}:{count:,}" for status, count in own["statuses"].items())])
    print_table(["requests", "number", "p50 ms", "p99 ms", "slowest", "statuses"], rows)
