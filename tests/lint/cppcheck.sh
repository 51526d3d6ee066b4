#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Static analysis by cppcheck.
# shellcheck source=tests/lint/tap
. "$(dirname "$0")/tap"
need cppcheck

check() {
	cppcheck -q -j "$(nproc)" --std=c11 --enable=warning,portability --inline-suppr \
		--suppressions-list=tests/lint/cppcheck.suppress -D_GNU_SOURCE '-DSWT_VERSION="0"' -D__linux__ \
		-Ilib -I. -Itests/lib --template='{file}:{line}: {severity}: {message} [{id}]' "$@" 2>&1
}

# shellcheck disable=SC2046 # no blanks in our names
check $(tracked 'lib/*.c' 'cmd/*.c' 'tests/*.c' 'tracepoints/*.c') | result "cppcheck"
printf 'int f(void)\n{\n\tint a[2];\n\ta[2] = 1;\n\treturn a[0];\n}\n' >"$tap_tmp/bad.c"
check "$tap_tmp/bad.c" | caught "a write past an array is found"
done_testing
