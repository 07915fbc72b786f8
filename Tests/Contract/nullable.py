"""Writes the contract as the server reads requests: an optional member of a request may also be null.

Usage: nullable.py IN OUT. The document itself does not say so, because generators of clients refuse optional members that are
nullable; docs/protocol.md does.
"""

import json
import sys

source, target = sys.argv[1:]
with open(source) as file:
    document = json.load(file)
for schema in document["components"]["schemas"].values():
    # Only objects that are sent are closed.
    if schema.get("additionalProperties") is not False:
        continue
    for name, member in schema.get("properties", {}).items():
        if name not in schema.get("required", []):
            schema["properties"][name] = {"anyOf": [member, {"type": "null"}]}
with open(target, "w") as file:
    json.dump(document, file)
