"""Load from wrk, and the server's costs."""

import json
import os
import statistics
import subprocess

from servers import HOST, Failure

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "wrk.lua")


def run_wrk(port, words, connections, seconds):
    """Runs wrk once with the requests of `wrk.lua` for these words. Returns its figures."""
    threads = min(connections, os.cpu_count() or 1, 2)
    run = subprocess.run(
        ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}", "--timeout", "20", "-s", SCRIPT,
         f"http://{HOST}:{port}", "--", *map(str, words)],
        capture_output=True, text=True, check=False)
    for line in run.stdout.splitlines():
        if line.startswith("figures "):
            return json.loads(line.removeprefix("figures "))
    raise Failure(f"wrk failed: {(run.stderr or run.stdout)[-300:]}")


def measure(server, words, connections, seconds):
    """The figures of one run for the tables. Raises Failure if a request was not answered well."""
    cpu, written = server.cpu_seconds(), server.written_bytes()
    raw = run_wrk(server.port, words, connections, seconds)
    cpu, written = server.cpu_seconds() - cpu, server.written_bytes() - written
    count = raw["requests"]
    what = f"{type(server).__name__}, {' '.join(map(str, words))}, {connections} connections"
    if count == 0:
        raise Failure(f"{what}: not one answer")
    if raw["refused"] or raw["broken"]:
        raise Failure(
            f"{what}: of {count} answers {raw['refused']} had a status of 400 or more, "
            f"and {raw['broken']} requests got none")
    return {
        "requests": count,
        "rate": count / raw["microseconds"] * 1e6,
        "p50": raw["p50"],
        "p99": raw["p99"],
        "cpu": cpu / count * 1e6,
        "written": written / count,
        "bytes": raw["bytes"] / count,
    }


def middle(runs):
    """The median of each figure over the runs."""
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def take_turns(subjects, connections, seconds, rounds):
    """Runs each (server, words) in turn, `rounds` times, so that noise affects all alike.

    Returns the figures of the rounds by name.
    """
    for server, words in subjects.values():
        run_wrk(server.port, words, connections, 1)
    runs = {name: [] for name in subjects}
    for _ in range(rounds):
        for name, (server, words) in subjects.items():
            runs[name].append(measure(server, words, connections, seconds))
    return runs


def middle_ratio(name, runs, others):
    """The median of a figure's ratios, round by round."""
    return statistics.median(run[name] / other[name] for run, other in zip(runs, others))
