#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every text file says its licence in its first lines (second after a "#!" line).
# shellcheck source=tests/lint/tap
. "$(dirname "$0")/tap"

lacking() {
	while read -r f; do
		grep -qI . "$f" || continue # binary or empty
		head -n 3 "$f" | grep -q 'SPDX-License-Identifier: [A-Z]' || echo "$f"
	done
}

tracked '*' | without tests/lint/spdx.except | lacking | result "licence lines"
echo 'int x;' >"$tap_tmp/x.c"
echo "$tap_tmp/x.c" | lacking | caught "a missing line is found"
tracked 'lib/*' 'cmd/*' | while read -r f; do
	head -n 3 "$f" | grep -o 'SPDX-License-Identifier: [^ ]*'
done | sort -u | grep -v 'GPL-2.0-or-later$' | result "the program is GPL-2.0-or-later throughout"
done_testing
