#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Manual pages, by mandoc's own lint.
# shellcheck source=tests/lint/tap
. "$(dirname "$0")/tap"
need mandoc

for page in $(tracked 'man/*.[1-8]'); do
	mandoc -T lint -W warning "$page" 2>&1 | result "$page"
done
printf '.Dd today\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Xx y\n' >"$tap_tmp/x.1"
mandoc -T lint -W warning "$tap_tmp/x.1" 2>&1 | caught "an unknown macro is found"
done_testing
