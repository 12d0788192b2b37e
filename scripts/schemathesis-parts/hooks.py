"""Sends bodies of JSON lines: text as it is, and other values as one line of JSON."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson", "application/ndjson", "application/jsonl")
def lines(_context, value):
    if isinstance(value, bytes):
        return value
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return text.encode("utf-8", "surrogatepass")
