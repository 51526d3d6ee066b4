#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# All tests, in the order in which a mistake is cheapest to find.  Goes on after a failure and tells at the end.
set -u
cd "$(dirname "$0")/.." || exit 1
failed=
jobs=$(nproc)

step() {
	echo "== $1"
	shift
	start=$(date +%s)
	"$@" || failed="$failed [$*]"
	echo "== $(($(date +%s) - start)) s"
}

step "build, gcc" make -j"$jobs" tests-built
step "build, clang" make -j"$jobs" check-clang
step "unit, fuzz corpus, command line" make check-quick
step "the same under ASan and UBSan, gcc" make -j"$jobs" check-san-gcc
step "the same under ASan and UBSan, clang" make -j"$jobs" check-san-clang
step "lint" make lint
step "this kernel" make check-live

if [ -n "$failed" ]; then
	echo "FAILED:$failed"
	exit 1
fi
echo "all checks passed"
