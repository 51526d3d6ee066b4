#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every header compiles alone, and twice, with both compilers.
# shellcheck source=tests/lint/tap
. "$(dirname "$0")/tap"
need gcc pkg-config

libs=$(pkg-config --cflags libtraceevent libtracefs libtracecmd json-c smartcols ncursesw 2>/dev/null |
	sed 's/-I/-isystem /g')

# compile_alone COMPILER HEADER
compile_alone() {
	# shellcheck disable=SC2086 # lists of flags
	printf '#include "%s"\n#include "%s"\n' "$2" "$2" |
		"$1" $c_flags $libs -Wall -Wextra -Werror -fsyntax-only -x c - 2>&1 |
		sed "s,^,$1: ,"
}

for cc in gcc clang; do
	command -v $cc >/dev/null || continue
	tracked 'lib/*.h' 'cmd/*.h' 'tests/*.h' | while read -r h; do
		compile_alone $cc "$h"
	done | result "headers stand alone ($cc)"
done

echo 'size_t swt_x(void);' >"$tap_tmp/needs.h"
compile_alone gcc "$tap_tmp/needs.h" | caught "a header that needs another one is found"
done_testing
