#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Spelling of code, comments and documents.
# shellcheck source=tests/lint/tap
. "$(dirname "$0")/tap"
need codespell

check() {
	xargs -r codespell -q 2 -I tests/lint/codespell.ignore 2>&1
}

tracked '*' | without tests/lint/words.except | grep -vE '\.dat$|codespell\.(sh|ignore)$' | check | result "spelling"
echo 'recieve' >"$tap_tmp/t"
echo "$tap_tmp/t" | check | caught "a misspelt word is found"
done_testing
