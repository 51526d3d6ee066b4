#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Traces of the machine where a file was written, and stray blanks.
# shellcheck source=tests/lint/tap
. "$(dirname "$0")/tap"

texts() {
	tracked '*' | without tests/lint/words.except
}

# Written so that they do not find themselves.
private='/(hom[e]/[a-z]+/|wor[k]/|User[s]/)|/tm[p]/o-'

search() {
	xargs -r grep -nIE "$1" /dev/null
}

texts | search "$private" | result "no paths of a developer's machine"
texts | search '[[:blank:]]+$' | result "no blanks at the end of a line"
texts | search '^ +	' | result "no blanks before tabs"
texts | search "$(printf '\r')\$" | result "no carriage returns"
texts | while read -r f; do
	grep -qI . "$f" && [ -n "$(tail -c 1 "$f")" ] && echo "$f"
done | result "every file ends with a newline"

printf 'see /wor%s/x\nblank \n' k >"$tap_tmp/t"
echo "$tap_tmp/t" | search "$private" | caught "a private path is found"
echo "$tap_tmp/t" | search '[[:blank:]]+$' | caught "a blank at the end is found"
done_testing
