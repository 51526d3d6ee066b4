#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check-schema.py SCHEMA [STREAM]: validate every line of a swaptop stream, strictly.

Strict means: a line is one JSON object, no NaN or Infinity, no key twice, no byte that is not UTF-8, no number above
2^53-1.  Exit status 0: all lines are valid; 1: one is not (said on stderr); 77: jsonschema is not installed.
"""
import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)


def refuse(text):
    raise ValueError("not JSON: " + text)


def once(pairs):
    keys = [k for k, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("a key is there twice: %s" % keys)
    return dict(pairs)


def number(text):
    value = int(text)
    if abs(value) > 2**53 - 1:
        raise ValueError("a double cannot hold " + text)
    return value


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        schema = json.load(f)
    cls = jsonschema.validators.validator_for(schema)
    cls.check_schema(schema)
    validator = cls(schema)
    stream = open(sys.argv[2], "rb") if len(sys.argv) > 2 else sys.stdin.buffer
    bad = n = 0
    for n, line in enumerate(stream, 1):
        try:
            if not line.endswith(b"\n"):
                raise ValueError("no newline at the end")
            obj = json.loads(line.decode("utf-8", "strict"), parse_constant=refuse, object_pairs_hook=once,
                             parse_int=number)
            error = jsonschema.exceptions.best_match(validator.iter_errors(obj))
            if error:
                raise ValueError("%s: %s" % ("/".join(map(str, error.absolute_path)), error.message))
        except ValueError as e:
            print("line %d: %s" % (n, e), file=sys.stderr)
            bad += 1
    if not n:
        print("no lines", file=sys.stderr)
    return 1 if bad or not n else 0


sys.exit(main())
