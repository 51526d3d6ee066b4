#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each fuzz target once over its corpus: a file that ever crashed must never crash again.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${BUILD:-build}
n=0
for src in tests/fuzz/fuzz-*.c; do
	t=$(basename "$src" .c)
	n=$((n + 1))
	files=$(find "tests/fuzz/corpus/$t" -type f 2>/dev/null | sort)
	if [ -z "$files" ]; then
		echo "not ok $n - $t has no corpus in tests/fuzz/corpus/$t"
		continue
	fi
	count=$(echo "$files" | wc -l)
	# shellcheck disable=SC2086 # corpus names have no blanks
	if timeout 120 "$build/tests/fuzz/replay-$t" $files >"$build/tests/fuzz/$t.log" 2>&1; then
		echo "ok $n - $t: $count files"
	else
		echo "not ok $n - $t"
		tail -n 30 "$build/tests/fuzz/$t.log" | sed 's/^/# /'
	fi
done
echo "1..$n"
