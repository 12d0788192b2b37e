"""How bodies that are neither JSON nor a form are sent: as the text that they are."""

import schemathesis


@schemathesis.serializer("application/x-ndjson", "application/ndjson", "application/jsonl")
def lines(_context, value):
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
