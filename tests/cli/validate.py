#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""validate.py SCHEMA STREAM: every line of an NDJSON stream against a JSON Schema, strictly."""
import json
import sys

import jsonschema


def refuse(name):
    raise ValueError(f"{name} is not JSON")


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        schema = json.load(f, parse_constant=refuse)
    cls = jsonschema.validators.validator_for(schema)
    cls.check_schema(schema)
    validator = cls(schema)
    bad = 0
    with open(sys.argv[2], encoding="utf-8", errors="strict") as f:
        for number, line in enumerate(f, 1):
            record = json.loads(line, parse_constant=refuse)
            for error in validator.iter_errors(record):
                where = "/".join(str(p) for p in error.absolute_path)
                print(f"line {number}, {where}: {error.message[:200]}")
                bad += 1
    return 1 if bad else 0


sys.exit(main())
