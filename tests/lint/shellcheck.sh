#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shell scripts, by name or by their first line.
# shellcheck source=tests/lint/tap
. "$(dirname "$0")/tap"
need shellcheck

scripts() {
	tracked '*' | without tests/lint/words.except | while read -r f; do
		case $f in
		completions/*) ;; # written by build-aux/completions.sh, loaded by their shells
		*.sh | *.bash | *.bats | tests/lint/tap) echo "$f" ;;
		*) head -c 64 "$f" | head -n 1 | tr -d '\0' |
			grep -qE '^#!.*[/ ](sh|bash|dash|bats)( |$)' && echo "$f" ;;
		esac
	done
}

scripts | xargs -r -n 8 -P "$(nproc)" shellcheck -x -S info -f gcc 2>&1 | result "shellcheck"
# shellcheck disable=SC2016 # the file is wrong on purpose
printf '#!/bin/sh\nrm -rf $1/*\n' >"$tap_tmp/bad.sh"
shellcheck -f gcc "$tap_tmp/bad.sh" 2>&1 | caught "an unquoted variable is found"
done_testing
