"""The rules of a run, and code that the scripts share."""

import os
import random
import resource
import subprocess
import sys

from tally import print_table

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Rules:
    """The results of the rules."""

    def __init__(self):
        self.lines = []

    def judge(self, name, found, limit, holds):
        """Adds one rule; None if it could not be judged."""
        self.lines.append({"rule": name, "found": found, "limit": limit, "holds": holds})

    def print(self):
        """The table of the rules."""
        words = {True: "holds", False: "BROKEN", None: "not judged"}
        print_table(
            ["rules", "found", "limit", ""],
            [[line["rule"], line["found"], line["limit"], words[line["holds"]]]
             for line in self.lines])

    def broken(self):
        """Whether any rule is broken."""
        return any(line["holds"] is False for line in self.lines)


def say(text):
    """Prints progress, apart from the results."""
    print(text, file=sys.stderr, flush=True)


def build():
    """The release binary, built if needed."""
    subprocess.run(
        ["swift", "build", "-c", "release", "--product", "rowhouse"], cwd=TOP, check=True,
        stdout=sys.stderr)
    shown = subprocess.run(
        ["swift", "build", "-c", "release", "--show-bin-path"], cwd=TOP, check=True,
        capture_output=True, text=True)
    return os.path.join(shown.stdout.strip(), "rowhouse")


def common_options(parser, shortest):
    """Reads the command line, with the options that both scripts have."""
    parser.add_argument(
        "minutes", type=float, metavar="MINUTES", help=f"how long, from {shortest} on")
    parser.add_argument("--seed", type=int, metavar="N", help="of the random choices")
    parser.add_argument("--binary", metavar="PATH", help="a rowhouse that is built already")
    options = parser.parse_args()
    if not shortest <= options.minutes <= 7 * 24 * 60:
        parser.error(f"MINUTES is from {shortest} to {7 * 24 * 60}")
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(1 << 31)
    return options


def introduce(seed):
    """Describes the machine, and its load before the run."""
    busy = os.getloadavg()[0]
    cores = os.cpu_count() or 1
    # The load average of an idle machine is well below one.
    alone = "" if busy < cores / 2 else "; others use the machine, and times are theirs, too"
    print(f"Seed {seed}; {cores} cores, load {busy:.1f} before the run{alone}.\n", flush=True)
    return {"cores": cores, "loadBefore": busy, "othersUseIt": bool(alone)}


def allow_many_files():
    """Raises the limit of open files. Servers inherit it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
